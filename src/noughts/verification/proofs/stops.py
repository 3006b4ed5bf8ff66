"""Judges the sections `stop`: Breaker keeps Maker from every line, whatever Maker plays.

A state is a family: of each line without a mark of Breaker the cells that Maker does not own, with Breaker to move.
"""

from __future__ import annotations

from collections.abc import Iterable

from noughts.verification.proofs.ground import Ground
from noughts.verification.proofs.script import Script
from noughts.verification.proofs.tables import Mover

__all__ = ["Family", "family_of", "judge_stop"]

Family = frozenset[int]


def judge_stop(script: Script, ground: Ground, maker: int, breaker: int, maker_moves: bool, movers: list[Mover]) -> int:
    """Judge a section to its end; return how many families it settles. Raises ProofFault where it does not hold."""
    start = family_of(line & ~maker for line in ground.lines if not line & breaker)
    judge = _Judge(script, ground.full & ~maker & ~breaker, movers)
    judge.settle(start, passes=maker_moves)
    return judge.count


def family_of(members: Iterable[int]) -> Family:
    """Return the smallest members, without those that hold two cells which are on exactly the same members."""
    found = _smallest(set(members))
    while True:
        struck = _struck(found)
        if len(struck) == len(found):
            return frozenset(found)
        found = struck


def _smallest(members: set[int]) -> list[int]:
    """Return the members that hold no other."""
    kept: list[int] = []
    for member in sorted(members, key=int.bit_count):
        if not any(small & member == small for small in kept):
            kept.append(member)
    return kept


def _struck(members: list[int]) -> list[int]:
    """Return the members without twins: cells on exactly the same members, one of which answers the other."""
    on: dict[int, int] = {}
    for number, member in enumerate(members):
        for cell in _cells(member):
            on[cell] = on.get(cell, 0) | 1 << number
    seen: set[int] = set()
    twins: set[int] = set()
    for where in on.values():
        (twins if where in seen else seen).add(where)
    hit = 0
    for where in twins:
        hit |= where
    return [member for number, member in enumerate(members) if not hit >> number & 1]


def _cells(cells: int) -> Iterable[int]:
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


class _Judge:
    def __init__(self, script: Script, blank: int, movers: list[Mover]) -> None:
        self.script, self.blank, self.movers = script, blank, movers
        self.settled: set[Family] = set()
        self.count = 0

    def settle(self, family: Family, passes: bool = False) -> None:
        """Read the line of a family with Breaker to move, and what follows from it."""
        line = self.script.next_line("stop")
        self.count += 1
        head, _, tail = line.partition(":")
        cell = None if head.strip() == "-" else self.script.cell(head)
        if cell is not None and passes:
            self.script.fault("Maker is to move at the beginning, and the line gives Breaker a cell")
        if cell is not None and not self.blank >> cell & 1:
            self.script.fault(f"Breaker takes cell {cell}, which is no blank cell of the beginning")
        after = family if cell is None else family_of(m for m in family if not m >> cell & 1)
        pairs = self._pairs(tail)
        if not _stopped(after, pairs, maker_moves=True):
            self._children(after, pairs)
        for move in self.movers:
            self.settled.add(frozenset(map(move, family)))

    def _pairs(self, text: str) -> list[int]:
        cells = self.script.cells(text)
        if len(cells) % 2 or len(set(cells)) < len(cells):
            self.script.fault("the cells after the colon are not pairs of different cells")
        return [1 << a | 1 << b for a, b in zip(cells[::2], cells[1::2], strict=True)]

    def _children(self, family: Family, pairs: list[int]) -> None:
        """Settle what each of Maker's moves leads to, except dominated moves and those that the pairs answer."""
        for cell in _undominated(family):
            child = family_of(m & ~(1 << cell) for m in family)
            if 0 in child or sum(member.bit_count() == 1 for member in child) > 1:
                self.script.fault(f"Maker completes a line after taking cell {cell}")
            if not child or child in self.settled:
                continue
            left = [pair for pair in pairs if not pair >> cell & 1]
            if not _stopped(child, left, maker_moves=False):
                self.settle(child)


def _stopped(family: Family, pairs: list[int], *, maker_moves: bool) -> bool:
    """Tell whether pairs, and for the rest the sum of the weights (Erdős and Selfridge, 1973), stop Maker.

    Breaker takes a cell of each pair: members with both are hit, and Maker may have the pair's cells of all others. Of
    those left a member of s cells weighs 2**-s. With Breaker to move a sum below 1 is enough; with Maker to move the
    sum and the heaviest cell together.
    """
    paired = sum(pairs)
    left = [m & ~paired for m in family if not any(pair & m == pair for pair in pairs)]
    whole = 1 << max((m.bit_count() for m in left), default=0)
    weight: dict[int, int] = {}
    total = 0
    for member in left:
        own = whole >> member.bit_count()
        total += own
        for cell in _cells(member):
            weight[cell] = weight.get(cell, 0) + own
    return total + (max(weight.values(), default=0) if maker_moves else 0) < whole


def _undominated(family: Family) -> list[int]:
    """Return the cells for Maker such that on no other cell are all members through them; of equals the first."""
    common: dict[int, int] = {}
    for member in family:
        for cell in _cells(member):
            common[cell] = common.get(cell, member) & member
    return [
        cell
        for cell in sorted(common)
        if not any(other != cell and (other < cell or not common[other] >> cell & 1) for other in _cells(common[cell]))
    ]
