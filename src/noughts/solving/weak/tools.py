"""What the search of the weak game asks about families, by their keys: compiled up to 64 cells, else in plain Python.

A key is the least image of a family under some symmetries, with twins struck, so that families that a symmetry
exchanges have one key. Any permutations of the cells will do: they need not keep the lines of the board, as a family is
all that is left of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Protocol

from noughts.domain.bits import Cell, Mask, cells_of, mask_of
from noughts.domain.symmetry import Group, Permutation, inverse
from noughts.solving.weak.family import Family, after_breaker, after_maker, maker_moves, struck, unit_of
from noughts.solving.weak.sharing import shared_pairs

__all__ = ["GROUP_LIMIT", "Answer", "Child", "Key", "PlainTools", "Reply", "Tools", "Turning"]

Key = bytes | Family
Child = tuple[Key, int, Mask]
"""The key of what a move leads to, the number of the symmetry that makes it, and where Breaker would need two cells at
once those cells: then the key says nothing."""

Reply = tuple[Cell, Key, int, int, Mask]
"""A move of Maker; the key of what it leads to, with the symmetry; the least weight that pairs make there with Breaker
to move; and where Breaker would need two cells at once those cells: then the rest says nothing."""

Answer = tuple[Key, int, Mask, int]
"""The key of what a move of Breaker leads to, with the symmetry; a member of one cell, which Maker takes next, and
where there is none, 0, the least weight that pairs make there with Maker to move."""

GROUP_LIMIT = 200


class Tools(Protocol):
    """Families by their keys. Weights are in units of 2**-unit."""

    unit: int
    group: Group

    def key(self, family: Iterable[Mask]) -> tuple[Key, int]:
        """Return the key of a family, and the number of the symmetry that makes it."""

    def family(self, key: Key) -> Sequence[Mask]:
        """Return the members of the family of a key."""

    def child(self, key: Key, cell: Cell, *, by_maker: bool) -> Child:
        """Return what a move leads to."""

    def replies(self, key: Key) -> Iterable[Reply]:
        """Return what Maker's moves lead to, in the order of `moves`, up to the first that wins at once.

        Assumes that no member has one cell, which Maker would take.
        """

    def answer(self, key: Key, cell: Cell) -> Answer:
        """Return what a move of Breaker leads to."""

    def moves(self, key: Key) -> list[Cell]:
        """Return the cells that are worth taking, the heaviest first: see `maker_moves`."""

    def pairs(self, key: Key, *, maker_moves: bool) -> tuple[int, list[Mask]]:
        """Return the least weight that pairs make, and the pairs: see `shared_pairs`."""

    def least_weight(self, key: Key, *, maker_moves: bool) -> int:
        """Return the least weight that pairs make."""


class PlainTools:
    """The tools in plain Python, for any number of cells."""

    def __init__(self, group: Group, lines: Sequence[Mask]) -> None:
        self.unit = unit_of(lines)
        self.group = group if group.order <= GROUP_LIMIT else Group.trivial(group.degree)

    @cached_property
    def _images(self) -> tuple[Callable[[Mask], Mask], ...]:
        return self.group.images

    def key(self, family: Iterable[Mask]) -> tuple[Key, int]:
        """Return the key of a family, and the number of the symmetry that makes it."""
        members = struck(family)
        by_size: dict[int, Mask] = {}
        for member in members:
            by_size[member.bit_count()] = by_size.get(member.bit_count(), 0) | member
        sets = [cells for _, cells in sorted(by_size.items())]
        seen = [[image(cells) for cells in sets] for image in self._images]
        least = min(seen)
        found = [
            (tuple(sorted(map(self._images[number], members))), number)
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
        if single & (single - 1):
            return (), 0, single
        return (*self.key(left), 0)

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


class Turning:
    """Takes cells back through the symmetries of a group: what was said of a key is true of the family behind it."""

    def __init__(self, group: Group) -> None:
        self._back: list[Permutation] = [inverse(element) for element in group.elements]

    def cell(self, cell: Cell, element: int) -> Cell:
        """Return the cell that a symmetry takes to this one."""
        return self._back[element][cell]

    def cells(self, cells: Mask, element: int) -> Mask:
        """Return the cells that a symmetry takes to these."""
        return mask_of(self._back[element][cell] for cell in cells_of(cells)) if element else cells
