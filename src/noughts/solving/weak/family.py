"""Families: what is left of the lines of Maker, in plain Python.

In the weak game *Maker* wants a whole line and *Breaker* wants a cell of every line; Breaker's own lines do not count.
All that matters of a position is its *family*: for each line without a mark of Breaker the set of those of its cells
that Maker does not own. A member that contains another one is left out, as Breaker hits it with the smaller one.

*Twins* are two cells that lie on the same members. Breaker answers one by the other, and neither is of use elsewhere,
so the members with twins are struck.
"""

from __future__ import annotations

from collections.abc import Iterable

from noughts.domain.bits import Cell, Mask, cells_of

__all__ = [
    "UNIT_LIMIT",
    "Family",
    "after_breaker",
    "after_maker",
    "least_sets",
    "maker_moves",
    "settled_by_pairs",
    "shared",
    "struck",
    "unit_of",
    "weight",
]

Family = tuple[Mask, ...]

UNIT_LIMIT = 40
"""Weights are counted in units of 2**-unit; members with more cells than this weigh one unit, which is too much."""


def unit_of(lines: Iterable[Mask]) -> int:
    """Return the unit in which the weights of some lines are counted: the length of the longest, if not too long."""
    return min(max(map(int.bit_count, lines), default=0), UNIT_LIMIT)


def weight(member: Mask, unit: int) -> int:
    """Return 2**-size of a member in units of 2**-unit, rounded up to one."""
    return 1 << max(unit - member.bit_count(), 0)


def least_sets(sets: Iterable[Mask]) -> list[Mask]:
    """Return the sets that contain no other one, each once, sorted by size."""
    kept: list[Mask] = []
    shorter: list[Mask] = []
    size = 0
    for member in sorted(set(sets), key=lambda member: (member.bit_count(), member)):
        if member.bit_count() > size:
            size, shorter = member.bit_count(), list(kept)
        if not any(small & member == small for small in shorter):
            kept.append(member)
    return kept


def shared(family: Iterable[Mask]) -> dict[Cell, Mask]:
    """Return for each cell the cells that all members with it have, itself among them."""
    common: dict[Cell, Mask] = {}
    for member in family:
        for cell in cells_of(member):
            common[cell] = common.get(cell, member) & member
    return common


def struck(family: Iterable[Mask]) -> list[Mask]:
    """Return the family without the members that hold twins, again and again until there are none."""
    left = list(family)
    while True:
        common = shared(left)
        twins = 0
        for cell, others in common.items():
            if any(common[other] >> cell & 1 for other in cells_of(others & ~(1 << cell))):
                twins |= 1 << cell
        if not twins:
            return left
        left = [member for member in left if not member & twins]


def after_maker(family: Iterable[Mask], cell: Cell) -> list[Mask]:
    """Return the family after Maker takes a cell, its twins not struck yet; an empty member is a whole line."""
    return least_sets(member & ~(1 << cell) for member in family)


def after_breaker(family: Iterable[Mask], cell: Cell) -> list[Mask]:
    """Return the family after Breaker takes a cell, its twins not struck yet."""
    return [member for member in family if not member >> cell & 1]


def maker_moves(family: Iterable[Mask], unit: int) -> list[Cell]:
    """Return the cells that are worth taking, for either player, the heaviest first and then in reading order.

    A cell is not where another lies on all of its members: who takes the other does at least as well. The twins of the
    family must have been struck, so that no two cells are each as good as the other.
    """
    members = list(family)
    common = shared(members)
    weights = dict.fromkeys(common, 0)
    for member in members:
        for cell in cells_of(member):
            weights[cell] += weight(member, unit)
    best = [cell for cell, others in common.items() if others == 1 << cell]
    return sorted(best, key=lambda cell: (-weights[cell], cell))


def settled_by_pairs(family: Iterable[Mask], pairs: Iterable[Mask], unit: int) -> int:
    """Return the weight of the members that no pair lies on, the cells of pairs taken out of them as if Maker had them.

    Below 2**unit Breaker, to move, keeps every member from being filled. He answers a move on a pair by its other cell,
    and elsewhere takes the heaviest cell each time (Erdos and Selfridge 1973).
    """
    pairs = list(pairs)
    taken = 0
    for pair in pairs:
        taken |= pair
    return sum(weight(member & ~taken, unit) for member in family if not any(member & pair == pair for pair in pairs))
