"""What a sweep of a frontier will cost, by a dry run: the states alone are found, without their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, prod, sqrt

import numpy as np

from noughts.counting.frontier.bound import cost_at, growth_unfolding
from noughts.counting.frontier.growth import Growth
from noughts.counting.frontier.route import Route
from noughts.counting.frontier.sweep import layout_of, moduli_at, successors
from noughts.counting.frontier.walks import least_by_walks
from noughts.counting.sweeps import Cost
from noughts.machine.budget import Limits
from noughts.machine.progress import Progress, silent

__all__ = ["RECKONING", "DryRun", "Forecast", "forecast_of"]

RECKONING = "finding the states of a frontier, to reckon what they take"
"""What is said of a dry run, with the part of the cells that it has visited."""

_QUICK = 200_000
"""States up to which a dry run goes on whatever it finds: it takes no time, and a whole forecast tells more."""

_LARGE = 1_000_000
"""States from which on a dry run may be stopped by what they are expected to grow to."""

_LARGEST = 16_000_000
"""States after which a dry run that has a limit is stopped in any case."""

_EDGE_SECONDS = 1.6e-7
_ENTRY_SECONDS = 1.6e-9
"""Measured: one edge, and one entry of one value on it, on one core."""


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


def forecast_of(
    route: Route, to_ply: int, sides: tuple[int, ...], limits: Limits, progress: Progress = silent
) -> Forecast:
    """Return what a sweep by this route costs; `sides` as for `best_route`."""
    run = DryRun(route, to_ply, sides)
    while not run.is_done and not run.exceeds(limits):
        run.advance()
        progress(run.step, route.pattern.size, RECKONING)
    return run.forecast()


class _Bill:
    """Adds up the costs of the steps of a sweep from the number of states after each."""

    def __init__(self, route: Route, to_ply: int) -> None:
        self.route, self.to_ply = route, to_ply
        self.weights = route.weights
        self.counts = [(1, 0)]
        self.bytes = [8]
        self.memory, self.seconds = 0, 0.0
        self._moduli = moduli_at(route, 0)
        self._entries = 1

    def add(self, states: int, won: int) -> None:
        """Add a step after which there are so many states of each kind.

        Both layers are in memory at once, the former in two forms where the moduli change.
        """
        step = len(self.counts)
        moduli = moduli_at(self.route, step)
        entries = layout_of(sum(self.weights[:step]), sum(self.weights[step:]), self.to_ply).entries
        values = _size(states, won, entries, moduli)
        copy = _size(*self.counts[-1], self._entries, moduli) if moduli != self._moduli else 0
        edges = 3 * sum(self.counts[-1])
        self.memory = max(self.memory, self.bytes[-1] + copy + values + edges * 30 + (states + won) * 80)
        self.seconds += edges * (_EDGE_SECONDS + entries * len(moduli) * _ENTRY_SECONDS)
        self.counts.append((states, won))
        self.bytes.append(values)
        self._moduli, self._entries = moduli, entries


def _size(states: int, won: int, entries: int, moduli: tuple[int, ...]) -> int:
    """Return the bytes of the values of a layer."""
    word = 4 if moduli == (1 << 32,) else 8
    return entries * len(moduli) * (word * states + 8 * won)


class DryRun:
    """A sweep without values; `sides` are the columns, rows and layers of a board that is a grid, otherwise empty.

    On a long board the number of states comes to repeat itself from row to row; from there on nothing needs to be run.
    """

    def __init__(self, route: Route, to_ply: int, sides: tuple[int, ...]) -> None:
        self.route = route
        self.row = _row(sides)
        self.bill = _Bill(route, to_ply)
        self.step = 0
        self.is_done = not route.order
        self.states = np.zeros((1, 2 * route.words), dtype=np.uint64)
        self.won = np.zeros((0, 2 * route.words), dtype=np.uint64)
        self.visited = 1
        self._walked: Cost | None = None
        self._foretold = Growth(route.pattern, route.order)
        self._periods = sorted({side for side in sides[:2] if side > 1})

    @property
    def seconds(self) -> float:
        """What the steps took until now, reckoned from the states: the same on every machine."""
        return 3 * self.visited * _EDGE_SECONDS

    @property
    def next_seconds(self) -> float:
        """What the next step takes."""
        return 3 * (len(self.states) + len(self.won)) * 3 * _EDGE_SECONDS

    def exceeds(self, limits: Limits) -> bool:
        """Tell whether the costs exceed the limits, or surely will, so that going on would be a waste."""
        if self.visited <= _QUICK:
            return False
        if self.visited > _LARGEST and limits.memory < inf:
            return True
        if self._is_over(limits) or self._half_way().exceeds(limits):
            return True
        if self._walked is None:
            self._walked = self._least_by_walks(limits)
        return self._walked.exceeds(limits)

    def _half_way(self) -> Cost:
        """Return what the values take half-way, if the states grow as their first rows foretell; nothing past that."""
        sizes, half = [sum(pair) for pair in self.bill.counts], len(self.route.order) // 2
        if self.is_done or self.step >= half:
            return Cost(0)
        states = int(sizes[-1] * self._foretold.further(sizes))
        return cost_at(half, states, self.route.weights, self.bill.to_ply)

    def _least_by_walks(self, limits: Limits) -> Cost:
        """Return what walks show that the sweep takes at least: as far as it exceeds the limits, and else nothing."""
        weights, to_ply = self.route.weights, self.bill.to_ply

        def cost_of(sizes: Sequence[int]) -> Cost:
            return cost_at(len(sizes) - 1, sizes[-1], weights, to_ply)

        return least_by_walks(self.route.pattern, self.route.order, limits, cost_of) or Cost(0)

    def _is_over(self, limits: Limits) -> bool:
        return self.bill.memory * self._growth() > limits.memory or self.bill.seconds > limits.seconds

    def _growth(self) -> float:
        """Return by how much the values will grow still, at a guess; 1 unless the sweep is large and far from half-way.

        They are taken to grow by the square root of what they grew by along the last row, for another row at most; and
        by three quarters of the steps at the last pace where nothing has slowed them down yet.
        """
        left = min(len(self.route.order) // 2 - self.step, self.row)
        if self.is_done or left < 2:
            return 1.0
        unfolding = growth_unfolding([sum(pair) for pair in self.bill.counts], left)
        if unfolding > 1.0 or self.visited < _LARGE:
            return unfolding
        known = min(self.row, self.step // 2)
        along = self.bill.bytes[-1] / self.bill.bytes[-1 - known]
        return max(1.0, 0.15 * sqrt(along ** (left / known)))

    def forecast(self) -> Forecast:
        """Return what is known; where the dry run was stopped, with what it was expected to grow to."""
        counts, growth = [sum(pair) for pair in self.bill.counts], self._growth()
        costs = [Cost(0, int(self.bill.memory * growth), self.bill.seconds * growth, max(counts)), self._half_way()]
        if self._walked is not None:
            costs.append(self._walked)
        memory, seconds = max(cost.memory for cost in costs), max(cost.seconds for cost in costs)
        return Forecast(sum(counts), max(cost.widest for cost in costs), memory, seconds, self.is_done)

    def advance(self) -> None:
        """Find the states after one more cell, and add what counting them costs."""
        route = self.route
        reached = successors(
            route.visit(self.step), self.states, self.won, route.pattern.is_symmetric, route.has_won, False
        )
        self.states, self.won = reached.states, reached.won
        self.step += 1
        self.visited += len(self.states) + len(self.won)
        self.bill.add(len(self.states), len(self.won))
        period = self._period()
        if period:
            for _ in range(self.step, route.pattern.size):
                self.bill.add(*self.bill.counts[-period])
        self.is_done = len(self.bill.counts) > route.pattern.size

    def _period(self) -> int:
        """Return after how many cells the numbers of states repeat themselves; 0 if they do not, or not yet."""
        counts = self.bill.counts
        for period in self._periods:
            if self.step >= 2 * period and counts[-period:] == counts[-2 * period : -period]:
                return period
        return 0


def _row(sides: tuple[int, ...]) -> int:
    """Return the cells of a row, or of a layer of a box: the period by which a frontier grows."""
    return prod(sides) // max(sides) if sides else 8
