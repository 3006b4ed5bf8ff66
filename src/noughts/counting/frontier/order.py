"""Which order of the cells keeps the frontier small: a few are tried by dry runs, and the cheapest is taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from noughts.counting.frontier.forecast import DryRun, Forecast
from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern
from noughts.domain.bits import Mask, cells_of
from noughts.machine.budget import Limits

__all__ = ["best_route"]

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


def best_route(pattern: Pattern, to_ply: int, sides: tuple[int, ...], limits: Limits) -> tuple[Route, Forecast]:
    """Return the route for the open positions with the cheapest order found, and its forecast.

    The same pattern and limits always give the same route. `sides` are the columns, rows and layers of a board that is
    a grid, otherwise empty. Orders race: the one that has met the fewest states goes on by a step, and the first at the
    end is taken. Those that exceed the limits are out.
    """
    lines = [line.trigger for line in pattern.first]
    orders = [tuple(range(pattern.size))]
    if lines and pattern.size > _SMALL and (pattern.size < _ONE_ORDER or len(set(sides[:2])) != 1 or sides[2] > 1):
        orders = _unlike(pattern, list(dict.fromkeys(_candidates(pattern, lines, sides))))
    runs = [DryRun(Route(pattern, order), to_ply, sides) for order in orders]
    while True:
        first = min(runs, key=lambda run: run.visited)
        if first.is_done or (first.exceeds(limits) and len(runs) == 1):
            return first.route, first.forecast()
        if first.exceeds(limits):
            runs.remove(first)
        else:
            first.advance()
