"""Which orders of the cells may keep the frontier small."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from noughts.counting.patterns.pattern import Pattern
from noughts.domain.bits import Mask, cells_of

__all__ = ["orders_of"]

_ONE_ORDER = 31
"""Flat squares of so many cells are visited in reading order: it is the best known, and dry runs take seconds."""

_SMALL = 12
"""Up to so many cells any order will do."""


def _candidates(pattern: Pattern, lines: list[Mask], sides: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield orders worth trying: along each axis of a grid with these sides, and greedily by open lines."""
    size = pattern.size
    least = [next(cells_of(cells)) for cells in pattern.cells]
    yield tuple(range(size))
    if sides:
        columns, rows, _ = sides
        places = [(at % columns, at // columns % rows, at // (columns * rows)) for at in least]
        for axes in permutations(range(3)):
            keys = [tuple(place[axis] for axis in axes) for place in places]
            yield tuple(sorted(range(size), key=keys.__getitem__))
    if not sides or sides[2] > 1:
        yield from (_greedy(size, lines, start) for start in (0, size // 2))


def _greedy(size: int, lines: list[Mask], start: int) -> tuple[int, ...]:
    """Return an order in which each cell leaves as few lines open as can be, beginning with `start`."""
    through = [[line for line in lines if line >> cell & 1] for cell in range(size)]
    order, visited = [start], 1 << start
    while len(order) < size:

        def opened(cell: int, seen: int = visited) -> int:
            after = seen | 1 << cell
            return sum((not line & seen) - (not line & ~after) for line in through[cell] if line & (line - 1))

        best = min((cell for cell in range(size) if not visited >> cell & 1), key=lambda cell: (opened(cell), cell))
        order.append(best)
        visited |= 1 << best
    return tuple(order)


def _unlike(pattern: Pattern, orders: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the orders, of those that a symmetry of the pattern carries into each other only the first."""
    kept: list[tuple[int, ...]] = []
    for order in orders:
        if not any(_keeps(pattern, dict(zip(other, order, strict=True))) for other in kept):
            kept.append(order)
    return kept


def _keeps(pattern: Pattern, image: dict[int, int]) -> bool:
    """Tell whether a permutation of the cells carries the weights and each player's lines into themselves."""
    weights = pattern.weights
    if any(weights[cell] != weights[to] for cell, to in image.items()):
        return False

    def moved(cells: Mask) -> Mask:
        return sum(1 << image[cell] for cell in cells_of(cells))

    return all(
        {(moved(line.trigger), moved(line.core)) for line in lines} == {(line.trigger, line.core) for line in lines}
        for lines in {pattern.first, pattern.second}
    )


def orders_of(pattern: Pattern, sides: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the orders of the cells that are worth trying, those that a symmetry exchanges once.

    `sides` are the columns, rows and layers of a board that is a grid, otherwise empty.
    """
    lines = [line.trigger for line in pattern.first]
    if lines and pattern.size > _SMALL and (pattern.size < _ONE_ORDER or len(set(sides[:2])) != 1 or sides[2] > 1):
        return _unlike(pattern, list(dict.fromkeys(_candidates(pattern, lines, sides))))
    return [tuple(range(pattern.size))]
