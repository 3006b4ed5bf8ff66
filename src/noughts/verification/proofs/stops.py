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
    if not start:
        return 0
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
        head, colon, tail = line.partition(":")
        cell = None if head.strip() == "-" else self.script.cell(head)
        if cell is not None and passes:
            self.script.fault("Maker is to move at the beginning, and the line gives Breaker a cell")
        if cell is not None and not self.blank >> cell & 1:
            self.script.fault(f"Breaker takes cell {cell}, which is no blank cell of the beginning")
        after = family if cell is None else family_of(m for m in family if not m >> cell & 1)
        if colon:
            self._pairs(after, self.script.cells(tail))
        else:
            self._children(after)
        for move in self.movers:
            self.settled.add(frozenset(map(move, family)))

    def _pairs(self, family: Family, cells: list[int]) -> None:
        """See that pairs, and for the rest the sum of weights, stop Maker, who is to move."""
        if len(cells) % 2 or len(set(cells)) < len(cells):
            self.script.fault("the cells of a leaf are not pairs of different cells")
        pairs = [1 << a | 1 << b for a, b in zip(cells[::2], cells[1::2], strict=True)]
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
        if total + max(weight.values(), default=0) >= whole:
            self.script.fault("the pairs and weights of a leaf do not stop Maker")

    def _children(self, family: Family) -> None:
        """Settle what each of Maker's moves leads to, dominated ones left out."""
        for cell in _undominated(family):
            child = family_of(m & ~(1 << cell) for m in family)
            if 0 in child:
                self.script.fault(f"Maker completes a line at cell {cell}")
            if child and child not in self.settled:
                self.settle(child)


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
