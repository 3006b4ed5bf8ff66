"""Families: what is left of the lines of Maker, in plain Python.

In the weak game *Maker* wants a whole line and *Breaker* wants a cell of every line; Breaker's own lines do not count.
A position matters only by its *family*: for each line without a mark of Breaker, the set of its cells that Maker does
not own. A member that contains another one is left out, as Breaker hits it with the smaller one.

*Twins* are two cells that lie on the same members. Breaker answers one by the other, and neither is of use elsewhere,
so the members with twins are struck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations
from operator import or_

from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.symmetry import Group, Permutation, inverse

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
    minimal: list[Mask] = []
    shorter: list[Mask] = []
    size = 0
    for member in sorted(set(sets), key=lambda member: (member.bit_count(), member)):
        if member.bit_count() > size:
            size, shorter = member.bit_count(), list(minimal)
        if not any(small & member == small for small in shorter):
            minimal.append(member)
    return minimal


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


def cell_weights(members: Iterable[Mask], unit: int) -> dict[Cell, int]:
    """Return for each cell the weight of the members that it lies on."""
    weights: dict[Cell, int] = {}
    for member in members:
        for cell in cells_of(member):
            weights[cell] = weights.get(cell, 0) + weight(member, unit)
    return weights


def maker_moves(family: Iterable[Mask], unit: int) -> list[Cell]:
    """Return the cells that are worth taking, for either player, the heaviest first and then in reading order.

    A cell is not where another lies on all of its members: who takes the other does at least as well. The twins of the
    family must have been struck, so that no two cells are each as good as the other.
    """
    members = list(family)
    common, weights = shared(members), cell_weights(members, unit)
    best = [cell for cell, others in common.items() if others == 1 << cell]
    return sorted(best, key=lambda cell: (-weights[cell], cell))


def settled_by_pairs(family: Iterable[Mask], pairs: Iterable[Mask], unit: int) -> int:
    """Return the weight of the members that no pair lies on, the cells of pairs taken out of them as if Maker had them.

    Below 2**unit Breaker, to move, keeps every member from being filled. He answers a move on a pair by its other cell,
    and elsewhere takes the heaviest cell each time (Erdos and Selfridge 1973).
    """
    return sum(weight(member, unit) for member in unpaired(family, list(pairs)))


def unpaired(family: Iterable[Mask], pairs: Sequence[Mask]) -> list[Mask]:
    """Return the members that no pair lies on, without the cells of all pairs."""
    taken = reduce(or_, pairs, 0)
    return [member & ~taken for member in family if not any(member & pair == pair for pair in pairs)]


def shared_pairs(family: Iterable[Mask], unit: int, *, maker_moves: bool) -> tuple[int, list[Mask]]:
    """Return the least weight that pairs of cells make of a family, and the disjoint pairs, chosen one by one.

    Members with both cells of a pair go, as Breaker gets one of them; those with one of them lose it, as if Maker got
    it, and weigh double. Each pair is the one that lessens the weight most. With Maker to move the heaviest cell counts
    as well. Where the result is below 2**unit, Breaker keeps every member from being filled.
    """
    members = list(family)
    chosen: list[Mask] = []
    least, best = -1, 0
    while True:
        weights, together = cell_weights(members, unit), _together(members, unit)
        here = sum(weight(member, unit) for member in members) + (
            max(weights.values(), default=0) if maker_moves else 0
        )
        if least < 0 or here < least:
            least, best = here, len(chosen)
        if least < 1 << unit:
            return least, chosen[:best]
        change, pair = 0, 0
        for (a, b), both in sorted(together.items()):
            if weights[a] + weights[b] - 3 * both < change:
                change, pair = weights[a] + weights[b] - 3 * both, 1 << a | 1 << b
        if not pair:
            return least, chosen[:best]
        chosen.append(pair)
        members = [member & ~pair for member in members if member & pair != pair]


def _together(members: list[Mask], unit: int) -> dict[tuple[Cell, Cell], int]:
    """Return the weight of every two cells together, the larger number first."""
    together: dict[tuple[Cell, Cell], int] = {}
    for member in members:
        for b, a in combinations(cells_of(member), 2):
            together[a, b] = together.get((a, b), 0) + weight(member, unit)
    return together


Key = bytes | Family
Child = tuple[Key, int, Mask]
"""The key after a move, the number of the symmetry that makes it, and a fork: cells that Breaker would need at once.

With a fork the key has no meaning."""

Reply = tuple[Cell, Key, int, int, Mask]
"""A move of Maker, the key after it, its symmetry, the least weight that pairs make with Breaker to move, and a fork.

With a fork, the cells that Breaker would need at once, the other parts have no meaning."""

Answer = tuple[Key, int, Mask, int]
"""The key after a move of Breaker, its symmetry, a member of one cell (0: none), and the least weight of pairs.

Maker takes the single cell next. Without one, the weight is the least that pairs make with Maker to move."""

GROUP_LIMIT = 200


class Tools:
    """What the search asks about families of parts of some lines, by their keys: in plain Python, for many cells.

    A key is the least image of a family under some symmetries, with twins struck, so that families that a symmetry
    exchanges have one key. Any permutations of the cells will do: they need not keep the lines of the board, as a
    family is all that is left of the game. Weights are in units of 2**-unit.
    """

    def __init__(self, group: Group, lines: Sequence[Mask]) -> None:
        self.unit = unit_of(lines)
        self.group = group if group.order <= GROUP_LIMIT else Group.trivial(group.degree)

    @cached_property
    def back(self) -> list[Permutation]:
        """The inverse of each symmetry."""
        return [inverse(element) for element in self.group.elements]

    def cells_before(self, cells: Mask, element: int) -> Mask:
        """Return the cells that a symmetry takes to these: what was said of a key is true of the family behind it."""
        return mask_of(self.back[element][cell] for cell in cells_of(cells)) if element else cells

    def key(self, family: Iterable[Mask]) -> tuple[Key, int]:
        """Return the key of a family, and the number of the symmetry that makes it."""
        members = struck(family)
        by_size: dict[int, Mask] = {}
        for member in members:
            by_size[member.bit_count()] = by_size.get(member.bit_count(), 0) | member
        sets = [cells for _, cells in sorted(by_size.items())]
        seen = [[image(cells) for cells in sets] for image in self.group.images]
        least = min(seen)
        found = [
            (tuple(sorted(map(self.group.images[number], members))), number)
            for number, images in enumerate(seen)
            if images == least
        ]
        return min(found)

    def family(self, key: Key) -> Sequence[Mask]:
        """Return the members of the family of a key."""
        assert isinstance(key, tuple)
        return key

    def child(self, key: Key, cell: Cell, *, by_maker: bool) -> Child:
        """Return what a move leads to."""
        family = self.family(key)
        if not by_maker:
            return (*self.key(after_breaker(family, cell)), 0)
        left = after_maker(family, cell)
        single = mask_of(member.bit_length() - 1 for member in left if not member & (member - 1))
        return ((), 0, single) if single & (single - 1) else (*self.key(left), 0)

    def replies(self, key: Key) -> Iterator[Reply]:
        """Yield what Maker's moves lead to, in the order of `moves`, up to the first that wins at once."""
        for cell in self.moves(key):
            after, element, fork = self.child(key, cell, by_maker=True)
            yield cell, after, element, 0 if fork else self.least_weight(after, maker_moves=False), fork
            if fork:
                return

    def answer(self, key: Key, cell: Cell) -> Answer:
        """Return what a move of Breaker leads to."""
        after, element, _ = self.child(key, cell, by_maker=False)
        for member in self.family(after):
            if not member & (member - 1):
                return after, element, member, 0
        return after, element, 0, self.least_weight(after, maker_moves=True)

    def moves(self, key: Key) -> list[Cell]:
        """Return the cells that are worth taking, the heaviest first: see `maker_moves`."""
        return maker_moves(self.family(key), self.unit)

    def pairs(self, key: Key, *, maker_moves: bool) -> tuple[int, list[Mask]]:
        """Return the least weight that pairs make, and the pairs: see `shared_pairs`."""
        return shared_pairs(self.family(key), self.unit, maker_moves=maker_moves)

    def least_weight(self, key: Key, *, maker_moves: bool) -> int:
        """Return the least weight that pairs make."""
        return self.pairs(key, maker_moves=maker_moves)[0]
