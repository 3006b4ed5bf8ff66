"""Which order of the cells keeps the frontier small, and what a sweep in that order will cost.

Orders are tried by a dry run: the states alone are found, without their values, which takes a small part of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from math import inf, prod, sqrt

import numpy as np

from noughts.counting.frontier_plan import Plan
from noughts.counting.frontier_sweep import layout_of, moduli_at, successors
from noughts.counting.pattern import Pattern
from noughts.domain.bits import Mask, cells_of

__all__ = ["Forecast", "Limits", "best_plan", "forecast_of"]

_ONE_ORDER = 31
"""Flat squares of so many cells are visited in reading order: it is the best known, and dry runs take seconds."""

_SMALL = 12
"""Up to so many cells any order will do."""

_LARGE = 1_000_000
"""States from which on a dry run may be stopped by what they are expected to grow to."""

_LARGEST = 16_000_000
"""States after which a dry run that has a limit is stopped in any case."""

_EDGE_SECONDS = 1.6e-7
_ENTRY_SECONDS = 1.6e-9
"""Measured: one edge, and one entry of one value on it, on one core."""


@dataclass(frozen=True)
class Limits:
    """Where a dry run may stop: bytes and seconds that the sweep would take."""

    memory: float = inf
    seconds: float = inf


@dataclass(frozen=True)
class Forecast:
    """What a sweep costs: states summed over all layers and at the widest, bytes at the worst step, seconds.

    Where `complete` is false the dry run was cut short and the costs are only what it had found by then.
    """

    states: int
    widest: int
    memory: int
    seconds: float
    complete: bool


def _candidates(pattern: Pattern, lines: list[Mask], sides: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield orders worth trying: along each axis of a grid with these sides, and greedily by open lines."""
    size = pattern.size
    least = [next(cells_of(cells)) for cells in pattern.cells]
    yield tuple(range(size))
    if sides:
        columns, rows, _ = sides
        places = [(at % columns, at // columns % rows, at // (columns * rows)) for at in least]
        for axes in permutations(range(3)):
            yield tuple(sorted(range(size), key=lambda i, on=axes: tuple(places[i][a] for a in on)))  # type: ignore[misc]
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


def best_plan(pattern: Pattern, to_ply: int, sides: tuple[int, ...], limits: Limits) -> tuple[Plan, Forecast]:
    """Return the plan for the open positions with the cheapest order found, and its forecast.

    The same pattern always gives the same plan. `sides` are the columns, rows and layers of a board that is a grid,
    otherwise empty. Orders race: the cheapest so far goes on by a step, so the first at the end is the cheapest of all.
    """
    lines = [line.trigger for line in pattern.first]
    orders = [tuple(range(pattern.size))]
    if lines and pattern.size > _SMALL and (pattern.size < _ONE_ORDER or len(set(sides[:2])) != 1 or sides[2] > 1):
        orders = _unlike(pattern, list(dict.fromkeys(_candidates(pattern, lines, sides))))
    runs = [_DryRun(Plan(pattern, order), to_ply, _row(sides)) for order in orders]
    while True:
        first = min(runs, key=lambda run: run.seconds)
        if first.is_done or first.exceeds(limits):
            return first.plan, first.forecast()
        first.advance()


def forecast_of(plan: Plan, to_ply: int, sides: tuple[int, ...], limits: Limits) -> Forecast:
    """Return what a sweep by this plan costs."""
    run = _DryRun(plan, to_ply, _row(sides))
    while not run.is_done and not run.exceeds(limits):
        run.advance()
    return run.forecast()


def _row(sides: tuple[int, ...]) -> int:
    """Return the cells of a row, or of a layer of a box: the period by which a frontier grows."""
    if not sides:
        return 8
    return max(sides) if sides[2] == 1 else prod(sides) // max(sides)


class _DryRun:
    """A sweep without values."""

    def __init__(self, plan: Plan, to_ply: int, row: int) -> None:
        self.plan = plan
        self.row = row
        self.to_ply = to_ply
        self.step = 0
        self.states = np.zeros((1, 2 * plan.words), dtype=np.uint64)
        self.won = np.zeros((0, 2 * plan.words), dtype=np.uint64)
        self.total, self.widest, self.memory, self.seconds = 1, 1, 0, 0.0
        self._bytes = [8]

    @property
    def is_done(self) -> bool:
        return self.step == self.plan.pattern.size

    def exceeds(self, limits: Limits) -> bool:
        """Tell whether the costs exceed the limits, or surely will, so that going on would be a waste."""
        if self.total > _LARGEST and limits.memory < inf:
            return True
        return self.memory * self._growth() > limits.memory or self.seconds > limits.seconds

    def _growth(self) -> float:
        """Return by how much the values will grow still, at a guess; 1 unless the sweep is large and far from half-way.

        They are taken to grow by the square root of what they grew by along the last row, for another row at most.
        """
        left = min(len(self.plan.order) // 2 - self.step, self.row)
        if self.total < _LARGE or left < 2 or self.step <= self.row:
            return 1.0
        along_row = self._bytes[-1] / self._bytes[-1 - self.row]
        return max(1.0, 0.15 * sqrt(along_row ** (left / self.row)))

    def forecast(self) -> Forecast:
        """Return what is known; where the dry run was stopped, with what it was expected to grow to."""
        growth = 1.0 if self.is_done else self._growth()
        return Forecast(self.total, self.widest, int(self.memory * growth), self.seconds * growth, self.is_done)

    def advance(self) -> None:
        """Find the states after one more cell, and add what counting them costs."""
        plan = self.plan
        weights = [plan.pattern.weights[cell] for cell in plan.order]
        reached = successors(
            plan.step(self.step), self.states, self.won, plan.pattern.is_symmetric, plan.has_won, False
        )
        edges = 3 * (len(self.states) + len(self.won))
        self.states, self.won = reached.states, reached.won
        self.step += 1
        entries = layout_of(sum(weights[: self.step]), sum(weights[self.step :]), self.to_ply).entries
        moduli = moduli_at(plan, self.step)
        word = 4 if moduli == (1 << 32,) else 8
        values = entries * len(moduli) * (word * len(self.states) + 8 * len(self.won))
        count = len(self.states) + len(self.won)
        self.total += count
        self.widest = max(self.widest, count)
        self.memory = max(self.memory, self._bytes[-1] + values + edges * 30 + count * 80)
        self.seconds += edges * (_EDGE_SECONDS + entries * len(moduli) * _ENTRY_SECONDS)
        self._bytes.append(values)
