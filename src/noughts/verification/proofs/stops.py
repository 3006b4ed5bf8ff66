"""Judges the sections `stop`: Breaker keeps Maker from every line, whatever Maker plays.

A state is a family: of each line without a mark of Breaker the cells that Maker does not own, with Breaker to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from noughts.verification.proofs.ground import ProofBoard
from noughts.verification.proofs.script import Script, SectionCount, judged
from noughts.verification.proofs.tables import Mover, Permutation, mover

__all__ = ["Family", "after_breaker", "after_maker", "family_of", "judge_stop", "pairs_of", "stopped"]

Family = frozenset[int]


def judge_stop(
    script: Script, ground: ProofBoard, maker: int, breaker: int, maker_moves: bool, group: list[Permutation]
) -> SectionCount:
    """Judge a section to its end; return what it settles. Raises ProofFault where it does not hold."""
    start = family_of(line & ~maker for line in ground.lines if not line & breaker)
    judge = _StopJudge(script, ground.full & ~maker & ~breaker, [mover(each) for each in group])
    judged(judge.answered((start, maker_moves)), judge.answered)
    return SectionCount(judge.families, judge.replies)


def family_of(members: Iterable[int]) -> Family:
    """Return the smallest members, without those that hold two cells which are on exactly the same members."""
    kept: list[int] = []
    for member in sorted(set(members), key=int.bit_count):
        if not any(small & member == small for small in kept):
            kept.append(member)
    return _struck(kept)


def after_breaker(family: Family, cell: int) -> Family:
    """Return a family when Breaker has taken a cell."""
    return _struck([member for member in family if not member >> cell & 1])


def after_maker(family: Family, cell: int) -> Family | None:
    """Return a family when Maker has taken a cell; None where Breaker would have to take two cells at once."""
    shrunk = [member & ~(1 << cell) for member in family if member >> cell & 1]
    after = [member for member in family if not member >> cell & 1]
    for small in shrunk:
        after = [member for member in after if small & member != small]
    after += shrunk
    if 0 in shrunk or sum(member.bit_count() == 1 for member in after) > 1:
        return None
    return _struck(after)


def _struck(members: list[int]) -> Family:
    """Return the members without those that hold twins: two cells on exactly the same members."""
    while True:
        on: dict[int, int] = {}
        bit = 1
        for member in members:
            for cell in _cells(member):
                on[cell] = on.get(cell, 0) | bit
            bit <<= 1
        if len(set(on.values())) == len(on):
            return frozenset(members)
        seen: set[int] = set()
        hit = 0
        for where in on.values():
            if where in seen:
                hit |= where
            seen.add(where)
        members = [member for number, member in enumerate(members) if not hit >> number & 1]


def _cells(cells: int) -> Iterable[int]:
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


class _StopJudge:
    def __init__(self, script: Script, blank: int, movers: list[Mover]) -> None:
        self.script, self.blank, self.movers = script, blank, movers
        self.above: dict[object, set[Family]] = {}
        self.families = self.replies = 0

    def answered(self, state: tuple[Family, bool]) -> Iterator[tuple[Family, bool]]:
        """Read the line of a family, Breaker to move unless he passes; yield what Maker's moves leave open."""
        family, passes = state
        head, _, tail = self.script.next_line("stop").partition(":")
        self.families += 1
        cell = None if head.strip() == "-" else self.script.cell(head)
        if cell is not None and passes:
            self.script.fault("Maker is to move at the beginning, and the line gives Breaker a cell")
        if cell is not None and not self.blank >> cell & 1:
            self.script.fault(f"Breaker takes cell {cell}, which is no blank cell of the beginning")
        pairs = pairs_of(self.script, tail, cell)
        self.above.setdefault(_look(family), set()).add(family)
        after = family if cell is None else after_breaker(family, cell)
        if stopped(after, pairs, maker_moves=True):
            return iter(())
        return self._open(self._children(after), pairs)

    def _children(self, family: Family) -> list[tuple[int, Family]]:
        """Return Maker's moves that are not dominated, each with the family after it."""
        found = []
        for cell in _undominated(family):
            child = after_maker(family, cell)
            if child is None:
                self.script.fault(f"Maker completes a line after taking cell {cell}")
            if child:
                found.append((cell, child))
        self.replies += len(found)
        return found

    def _open(self, children: list[tuple[int, Family]], pairs: list[int]) -> Iterator[tuple[Family, bool]]:
        """Yield the families that no line above and not the pairs settle."""
        for cell, child in children:
            left = [pair for pair in pairs if not pair >> cell & 1]
            if not stopped(child, left, maker_moves=False) and not self._is_above(child):
                yield child, False

    def _is_above(self, family: Family) -> bool:
        alike = self.above.get(_look(family))
        return alike is not None and any(frozenset(map(move, family)) in alike for move in self.movers)


def _look(family: Family) -> object:
    """Return what permutations leave as it is: the sizes of the members, and of each cell the sizes of its members."""
    sizes: dict[int, int] = {}
    for member in family:
        size = 1 << 10 * min(member.bit_count(), 40)
        for cell in _cells(member):
            sizes[cell] = sizes.get(cell, 0) + size
    return len(family), tuple(sorted(sizes.values()))


def pairs_of(script: Script, text: str, taken: int | None) -> list[int]:
    """Return the pairs after a colon as sets of cells: disjoint, and without the cell that Breaker takes."""
    cells = script.cells(text)
    if len(cells) % 2 or len({*cells, taken}) <= len(cells):
        script.fault("the cells after the colon are not pairs of different cells, each other than the one before it")
    return [1 << a | 1 << b for a, b in zip(cells[::2], cells[1::2], strict=True)]


def stopped(family: Family, pairs: list[int], *, maker_moves: bool) -> bool:
    """Tell whether pairs, and for the rest the sum of the weights (Erdős and Selfridge, 1973), stop Maker.

    Breaker takes a cell of each pair: members with both are hit, and Maker may have the pair's cells of all others. Of
    those left a member of s cells weighs 2**-s. With Breaker to move a sum below 1 is enough; with Maker to move the
    sum and the heaviest cell together.
    """
    paired = sum(pairs)
    partner = {cell: pair for pair in pairs for cell in _cells(pair)}
    left = []
    for member in family:
        shared = member & paired
        if not any(partner[cell] & shared == partner[cell] for cell in _cells(shared)):
            left.append(member & ~paired)
    whole = 1 << max((member.bit_count() for member in left), default=0)
    total = sum(whole >> member.bit_count() for member in left)
    if total >= whole or not maker_moves:
        return total < whole
    weight: dict[int, int] = {}
    for member in left:
        own = whole >> member.bit_count()
        for cell in _cells(member):
            weight[cell] = weight.get(cell, 0) + own
    return total + max(weight.values(), default=0) < whole


def _undominated(family: Family) -> list[int]:
    """Return the cells, rising, whose members no other cell shares: as twins are struck, no two share all mutually."""
    common: dict[int, int] = {}
    for member in family:
        for cell in _cells(member):
            common[cell] = common.get(cell, member) & member
    return [cell for cell in sorted(common) if common[cell] == 1 << cell]
