"""The choice of the order of cells with the fewest states: several orders are explored until one looks best.

Random walks show that a frontier has too many states before all are found. Walkers meet some states once and some
twice. These two numbers give a lower bound on the number of states that no walker meets (A. Chao, Nonparametric
estimation of the number of classes in a population, 1984).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt

import numpy as np

from noughts.counting.bounds import layer_cost
from noughts.counting.frontier.graph import Exploration
from noughts.counting.frontier.sweep import Route
from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.states import wander
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent
from noughts.rules.marks import Mask

_WALKS_FROM = 50_000
"""Walks start when this many states were found."""

_WALKERS = (1 << 13, 1 << 15, 1 << 17)
"""Numbers of walkers, used in turn while a limit seems near: four times as many walkers show twice the states."""

_ALIVE = 0.47
"""The chance that a cell keeps a line alive for one player, fitted to the graphs of boards of up to 8x8."""

_NEAR = 0.3
"""More walkers are used from this part of a limit on."""

_FEW_MET = 100
"""If this factor times the states found is at least the square of the walkers, more walkers would show more states."""


def smallest(
    runs: Sequence[Exploration], limits: Limits, progress: Progress = silent
) -> tuple[Exploration | None, Cost]:
    """Return the finished exploration with the fewest states, or None where all exceed the limits; and the cost.

    In each turn the exploration with the fewest states so far advances by a cell. When these states are many, walks
    choose the only one that continues. An exploration beyond the limits moves its edges to disk if there is a folder,
    and is dropped if it still exceeds them. The result depends only on the runs and limits.
    """
    racing, peak, over, walked = list(runs), 0, None, False
    while True:
        run = min(racing, key=lambda each: each.visited)
        if run.visited > _WALKS_FROM and not walked:
            walked, costs = True, {each: least_by_walks(each, limits) for each in racing}
            run = min(racing, key=lambda each: costs[each].seconds)
            racing, over = [run], costs[run] if costs[run].exceeds(limits) else None
        if over is None:
            others = sum(other.held for other in racing if other is not run)
            over = (expected(run, limits) if walked else None) or run.advance(max(peak, others), limits)
            progress(
                len(run.states) - 1,
                run.route.pattern.size,
                "estimating the states of a frontier",
            )
            peak = max(peak, others + run.peak)
            if run.is_done:
                return run, run.cost(peak)
        if over is not None:
            folder = limits.folder if run.keeps and run.file is None else None
            if folder is not None and not over.moved().exceeds(limits):
                run.move_to_disk(folder)
            else:
                racing.remove(run)
                if not racing:
                    return None, over
            over = None


def expected(run: Exploration, limits: Limits) -> Cost | None:
    """Return a forecast of the cost of the layer half-way if it exceeds the limits, else None.

    The logarithm of the number of states grows like the entropy of the open lines; the forecast is half of that growth.
    """
    step, half = len(run.states) - 1, len(run.route.order) // 2
    states = run.states[-1][0]
    if step >= half:
        return None
    now, later = (_information(run.route.pattern, run.route.order[:at]) for at in (step, half))
    more = later / now - 1 if now else 0.0
    cost = layer_cost(run.price, half, int(states * max(1.0, 0.5 * exp(log(states) * min(more, 1.0)))))
    return cost if cost.exceeds(limits) else None


def _information(pattern: Pattern, visited: Sequence[int]) -> float:
    """Return the entropy of the lines under way, if every cell kept a line alive with the same chance.

    Of several lines with the same cells to come, only the one with the fewest visited cells counts.
    """
    seen = sum(1 << cell for cell in visited)
    marked: dict[Mask, int] = {}
    for line in pattern.first:
        rest, taken = line.trigger & ~seen, (line.trigger & seen).bit_count()
        if rest and taken:
            marked[rest] = min(marked.get(rest, taken), taken)
    chances = (_ALIVE**taken for taken in marked.values())
    return sum(-2 * chance * log(chance) - (1 - 2 * chance) * log(1 - 2 * chance) for chance in chances)


def least_by_walks(run: Exploration, limits: Limits) -> Cost:
    """Return a lower bound, nearly certain, on the cost of an exploration. Cost: at most a second."""
    cost = Cost()
    for walkers in _WALKERS:
        cost, states, found = Cost(), [(1, 0, 0)], walk(run.route, walkers)
        for shown in found:
            states.append((shown, 0, 0))
            cost = cost.plus(run.price(states, len(states) - 1))
        many_met = max(found) * _FEW_MET < walkers**2
        is_far = max(cost.memory / limits.memory, cost.seconds / limits.seconds) < _NEAR
        if cost.exceeds(limits) or (is_far and many_met):
            break
    return cost


def walk(route: Route, walkers: int) -> list[int]:
    """Return for each cell a lower bound, nearly certain, on the number of states after it.

    Walkers visit the cells in order, each with random marks. The bounds leave a margin of three standard deviations for
    the states met twice; one in a few hundred may exceed the truth. States of won positions are not included. The
    result depends only on the arguments.
    """
    dice, found = np.random.default_rng(1), []
    states = np.zeros((walkers, 2 * route.words), dtype=np.uint64)
    scratch = np.empty((1, states.shape[1]), dtype=np.uint64)
    for step in range(route.pattern.size):
        visit, marks = route.visit(step), dice.integers(0, 3, walkers, dtype=np.int8)
        with np.errstate(over="ignore"):
            wander(states, visit.masks, *visit.strict, route.pattern.is_symmetric, marks, scratch)
            mixed = np.zeros(walkers, dtype=np.uint64)  # a collision here only lowers the bound
            for word in states.T:
                mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
                mixed ^= mixed >> np.uint64(29)
        met = np.unique(mixed, return_counts=True)[1]
        once, twice = (int(np.count_nonzero(met == times)) for times in (1, 2))
        found.append(len(met) + int(once * once / (2 * (twice + 3 * sqrt(twice) + 6))))
    return found
