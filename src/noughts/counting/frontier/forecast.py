"""How many states a frontier has at least, told by random walks through it before they are found.

Of n walkers who stand on s states, however they spread, two meet in n (n - 1) / 2 s pairs at least, on average: so if
few meet there are many states. This is the birthday paradox read backwards: walkers are a few times the root of what
they show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, prod, sqrt

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.order import Growth, cost_at, growth_unfolding
from noughts.counting.frontier.sweep import Route, layout_of, moduli_at, successors
from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.states import wander
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent

_WALKERS = (1 << 13, 1 << 15, 1 << 17)
"""One after the other as long as they seldom meet: the last show a hundred million states, in a second or so."""

_PLENTY = 400
"""Pairs that meet at the widest place from which on more walkers would show no more states."""

_NARROW = 16
"""Walks end where this part of the most states is left."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class RandomWalk:
    """Walkers who visit the cells of a pattern in an order, each with random marks; as far as anybody has asked.

    The same pattern, order and number of walkers always show the same.
    """

    def __init__(self, pattern: Pattern, order: tuple[int, ...], walkers: int) -> None:
        self.shown = [1]
        self.fewest_met = walkers * (walkers - 1) // 2
        self._pairs = self.fewest_met
        self._route = Route(pattern, order)
        self._dice = np.random.default_rng(1)
        self._states = np.zeros((walkers, 2 * self._route.words), dtype=np.uint64)

    def sizes(self) -> Iterator[list[int]]:
        """Yield for ever more cells numbers of states that there are after each, from none on, nearly surely.

        They are below the truth but for chance: in one case out of a few hundred if all states were met alike, and far
        more seldom as they are not. States of won positions come on top. The last cells, of little interest, are left
        out.
        """
        for cells in range(len(self._route.order) + 1):
            if cells == len(self.shown):
                self._advance(cells - 1)
            yield self.shown[: cells + 1]
            if self.shown[cells] * _NARROW < max(self.shown[: cells + 1]):
                return

    def _advance(self, step: int) -> None:
        visit, pattern = self._route.visit(step), self._route.pattern
        x, o = visit.strict
        marks = self._dice.integers(0, 3, len(self._states), dtype=np.int8)
        scratch = np.empty((1, self._states.shape[1]), dtype=np.uint64)
        with np.errstate(over="ignore"):
            wander(
                self._states, visit.masks, x.slots, x.masks, o.slots, o.masks, pattern.is_symmetric, marks, scratch
            )  # fmt: skip
            met = _met(self._states)
        self.fewest_met = min(self.fewest_met, met)
        self.shown.append(max(1, int(self._pairs / (met + 3 * sqrt(met) + 6))))


@lru_cache(4)
def walk_of(pattern: Pattern, order: tuple[int, ...], walkers: int) -> RandomWalk:
    """Return the walk, which goes on from where it was left by another engine that asked."""
    return RandomWalk(pattern, order, walkers)


def least_by_walks(
    pattern: Pattern, order: tuple[int, ...], limits: Limits, cost_of: Callable[[Sequence[int]], Cost]
) -> Cost | None:
    """Return what a frontier costs at least, nearly surely, where that exceeds the limits; else None.

    `cost_of` tells what states after each number of cells so far cost. Cost: a second at most.
    """
    for walkers in _WALKERS:
        walk = walk_of(pattern, order, walkers)
        for sizes in walk.sizes():
            cost = cost_of(sizes)
            if cost.exceeds(limits):
                return cost
        if walk.fewest_met > _PLENTY:
            break
    return None


def _met(states: NDArray[np.uint64]) -> int:
    """Return how many pairs are equal. Should others look alike they count, too: that errs on the safe side."""
    mixed = np.zeros(len(states), dtype=np.uint64)
    for word in states.T:
        mixed = (mixed ^ word) * _MULTIPLIER
        mixed ^= mixed >> _SHIFT
    many = np.unique(mixed, return_counts=True)[1].astype(np.int64)
    return int((many * (many - 1) // 2).sum())


# What a sweep of a frontier will cost, by a dry run: the states alone are found, without their values.

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


# Which order of the cells keeps the frontier smallest: they are tried by dry runs, and the cheapest is taken.


def best_route(
    pattern: Pattern,
    orders: Sequence[tuple[int, ...]],
    to_ply: int,
    sides: tuple[int, ...],
    limits: Limits,
    progress: Progress = silent,
) -> tuple[Route, Forecast]:
    """Return the route for the open positions with the cheapest of some orders, and its forecast.

    The same pattern and limits always give the same route. `sides` are the columns, rows and layers of a board that is
    a grid, otherwise empty. Orders race: the one that has met the fewest states goes on by a step, and the first at the
    end is taken. Those that exceed the limits are out, and all are where the race itself takes too long.
    """
    runs = [DryRun(Route(pattern, order), to_ply, sides) for order in orders]
    while True:
        first = min(runs, key=lambda run: run.visited)
        if first.is_done or (first.exceeds(limits) and len(runs) == 1):
            return first.route, first.forecast()
        raced = sum(run.seconds for run in runs)
        if raced + first.next_seconds > limits.seconds:
            forecast = first.forecast()
            return first.route, replace(forecast, seconds=max(forecast.seconds, raced + first.next_seconds))
        if first.exceeds(limits):
            runs.remove(first)
        else:
            first.advance()
            progress(first.step, pattern.size, RECKONING)
