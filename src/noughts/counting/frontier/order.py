"""Orders of the cells that may keep the frontier small, and the cost of tables of counts along them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from noughts.counting.bounds import States
from noughts.counting.patterns import Pattern, filling_bound, moduli_for
from noughts.counting.sweeps import Cost
from noughts.rules.marks import Mask, cells_of

_ONE_ORDER = 31
"""Flat squares from this size on are visited in reading order: the best known order, as dry runs take seconds."""

_SMALL = 12
"""Up to this many cells every order is good enough."""


_EDGE_SECONDS, _ENTRY_SECONDS = 1.6e-7, 1.6e-9
"""Measured on one core: seconds for an edge, and for one entry of one value on it."""

_WIDE_UP_TO = 27
"""Up to this many cells all values have words of 64 bits: memory suffices, and fewer kernels are compiled."""


def orders_of(pattern: Pattern, shape: tuple[int, int, int] | None) -> list[tuple[int, ...]]:
    """Return the orders of the cells to try, one of each set of symmetric orders.

    `shape` gives the rows, columns and layers of a grid.
    """
    lines = [line.trigger for line in pattern.first]
    is_square = shape is not None and shape[0] == shape[1] and shape[2] == 1
    if not lines or pattern.size <= _SMALL or (is_square and pattern.size >= _ONE_ORDER):
        return [tuple(range(pattern.size))]
    chosen: list[tuple[int, ...]] = []
    for order in dict.fromkeys(_candidates(pattern, lines, shape)):
        if not any(_keeps(pattern, dict(zip(other, order, strict=True))) for other in chosen):
            chosen.append(order)
    return chosen


def _candidates(pattern: Pattern, lines: list[Mask], shape: tuple[int, int, int] | None) -> Iterator[tuple[int, ...]]:
    """Yield orders to try: along each axis of a grid, and greedy orders by open lines."""
    size = pattern.size
    yield tuple(range(size))
    if shape is not None:
        rows, columns, _ = shape
        least = [next(cells_of(cells)) for cells in pattern.cells]
        places = [(at % columns, at // columns % rows, at // (columns * rows)) for at in least]
        for axes in permutations(range(3)):
            keys = [tuple(place[axis] for axis in axes) for place in places]
            yield tuple(sorted(range(size), key=keys.__getitem__))
    if shape is None or shape[2] > 1:
        yield from (_greedy(size, lines, start) for start in (0, size // 2))


def _greedy(size: int, lines: list[Mask], start: int) -> tuple[int, ...]:
    """Return an order from `start` in which each next cell leaves the fewest lines open."""
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


def _keeps(pattern: Pattern, image: dict[int, int]) -> bool:
    """Return whether a permutation of the cells keeps the weights and each player's lines."""
    weights = pattern.weights
    if any(weights[cell] != weights[to] for cell, to in image.items()):
        return False

    def moved(cells: Mask) -> Mask:
        return sum(1 << image[cell] for cell in cells_of(cells))

    return all(
        {(moved(line.trigger), moved(line.core)) for line in lines} == {(line.trigger, line.core) for line in lines}
        for lines in {pattern.first, pattern.second}
    )


class TableCost:
    """The cost of tables of counts by marks in an order of the cells, step by step.

    Both layers of a step are in memory at once; where the moduli change, the former layer is there in two forms.
    """

    def __init__(self, pattern: Pattern, order: Sequence[int], to_ply: int, shared: dict[Mask, int] | None) -> None:
        weights = tuple(pattern.weights[cell] for cell in order)
        visited = [sum(weights[:step]) for step in range(len(weights) + 1)]
        self._entries = [entries_at(seen, visited[-1] - seen, to_ply) for seen in visited]
        self._moduli = moduli_along(weights, surplus_of(shared))

    def __call__(self, states: States, step: int) -> Cost:
        """Return the cost of one step."""
        before, now, moduli = states[step - 1], states[step], self._moduli[step]
        edges = 3 * (before[0] + before[1])
        top = self._bytes(step, now, moduli) + self._bytes(step - 1, before, self._moduli[step - 1])
        if moduli != self._moduli[step - 1]:
            top += self._bytes(step - 1, before, moduli)
        seconds = edges * (_EDGE_SECONDS + self._entries[step] * len(moduli) * _ENTRY_SECONDS)
        return Cost(0, top + 30 * edges + 80 * (now[0] + now[1]), seconds, now[0] + now[1])

    def _bytes(self, step: int, states: tuple[int, int, int], moduli: tuple[int, ...]) -> int:
        word = 4 if moduli == (1 << 32,) else 8
        return self._entries[step] * len(moduli) * (word * states[0] + 8 * states[1])


def entries_at(visited: int, remaining: int, to_ply: int) -> int:
    """Return the number of entries of a value, when the visited and the remaining cells have these weights.

    The entries are all (t, p) that can still end with p - q in -1..1: t marks, p of them X, and q the others.
    """
    last, slack = min(visited, to_ply), remaining + 1
    free, bound = min(last, slack), max(0, last - slack)
    return (free + 1) * (free + 2) // 2 + bound * (slack + 1) - (bound + 1) // 2


def surplus_of(shared: dict[Mask, int] | None) -> int:
    """Return by which factor signed sums over shared sets may exceed the number of all positions."""
    return 2 * sum(map(abs, shared.values())) if shared else 0


@lru_cache(64)
def moduli_along(weights: tuple[int, ...], surplus: int) -> tuple[tuple[int, ...], ...]:
    """Return for each number of visited cells the moduli with which all values are exact: one word if it suffices."""
    found, whole = [], moduli_for(filling_bound(weights))
    for step in range(len(weights) + 1):
        bound = filling_bound(weights[:step])
        if max(1, surplus) * bound >= 1 << 64:
            found.append(whole)
        else:
            found.append((1 << 32,) if bound < 1 << 32 and sum(weights) > _WIDE_UP_TO else (1 << 64,))
    return tuple(found)
