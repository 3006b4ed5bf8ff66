"""Which order of the cells has the fewest states: they are found side by side until one order promises most.

That a frontier has too many states is told by random walks through it before they are found. Of the states that walkers
reach some are met once and some twice; how many are met by none follows from both at least (A. Chao, Nonparametric
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

_WORTH_WALKS = 50_000
"""States found from which on walks are worth their time."""

_WALKERS = (1 << 13, 1 << 15, 1 << 17)
"""One after the other while they show that a limit is near: four times as many walkers show twice the states."""

_ALIVE = 0.47
"""Chance that a cell keeps a line alive for one player: fitted to what the graphs of boards of up to 8x8 grow to."""

_NEAR = 0.3
"""The part of a limit from which on more walkers are worth their time."""

_FEW_MET = 100
"""Where so many states are shown for the square of the walkers, few states were met twice: more walkers show more."""


def smallest(
    runs: Sequence[Exploration], limits: Limits, progress: Progress = silent
) -> tuple[Exploration | None, Cost]:
    """Return the exploration with the fewest states when it is done, or None where all exceed the limits; and the cost.

    The one with the fewest states so far goes on by a cell; where these are many, walks tell which one goes on alone.
    One that exceeds the limits goes on with its edges on disk, if there is a folder for them, and is out if it still
    does. The same runs and limits always give the same.
    """
    racing, peak, over, walked = list(runs), 0, None, False
    while True:
        run = min(racing, key=lambda each: each.visited)
        if run.visited > _WORTH_WALKS and not walked:
            walked, costs = True, {each: least_by_walks(each, limits) for each in racing}
            run = min(racing, key=lambda each: costs[each].seconds)
            racing, over = [run], costs[run] if costs[run].exceeds(limits) else None
        if over is None:
            others = sum(other.kept for other in racing if other is not run)
            over = (expected(run, limits) if walked else None) or run.advance(max(peak, others), limits)
            progress(
                len(run.states) - 1,
                run.route.pattern.size,
                "finding the states of a frontier, to reckon what they take",
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
    """Return what the layer half-way will cost at a guess, where that exceeds the limits; else None.

    The logarithm of the states follows what the open lines can say; half of what that foretells.
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
    """Return the entropy of the lines under way, if each cell kept a line alive with the same chance.

    Of lines that lack the same cells the most alive speaks for all.
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
    """Return what an exploration finds to cost at least, nearly surely. Cost: a second at most."""
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
    """Return for each cell a number of states that there are after it, nearly surely.

    Walkers visit the cells in order, each with random marks. The numbers are below the truth but for chance, in one
    case out of a few hundred: three deviations are kept from the states that are met twice. States of won positions
    come on top. The same arguments always give the same.
    """
    dice, found = np.random.default_rng(1), []
    states = np.zeros((walkers, 2 * route.words), dtype=np.uint64)
    scratch = np.empty((1, states.shape[1]), dtype=np.uint64)
    for step in range(route.pattern.size):
        visit, marks = route.visit(step), dice.integers(0, 3, walkers, dtype=np.int8)
        with np.errstate(over="ignore"):
            wander(states, visit.masks, *visit.strict, route.pattern.is_symmetric, marks, scratch)
            mixed = np.zeros(walkers, dtype=np.uint64)  # should states look alike here, there seem to be fewer
            for word in states.T:
                mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
                mixed ^= mixed >> np.uint64(29)
        met = np.unique(mixed, return_counts=True)[1]
        once, twice = (int(np.count_nonzero(met == times)) for times in (1, 2))
        found.append(len(met) + int(once * once / (2 * (twice + 3 * sqrt(twice) + 6))))
    return found
