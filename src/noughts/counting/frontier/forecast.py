"""Which order of the cells has the fewest states: they are found side by side, as far as they may be worth it.

That a frontier has too many states is told by random walks through it before they are found. Of n walkers who stand on
s states, however they spread, two meet in n (n - 1) / 2 s pairs at least, on average: if few meet there are many
states. This is the birthday paradox read backwards: walkers are a few times the root of what they show.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from noughts.counting.bounds import cost_of
from noughts.counting.frontier.graph import Exploration
from noughts.counting.frontier.sweep import Route
from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.states import wander
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent

RECKONING = "finding the states of a frontier, to reckon what they take"
"""What progress says of a dry run, with the part of the cells that it has visited."""

_WORTH_WALKS = 200_000
"""States found from which on walks are worth their time."""

_WALKERS = (1 << 13, 1 << 15, 1 << 17)
"""One after the other as long as they seldom meet: the last show a hundred million states, in a second or so."""

_PLENTY = 400
"""Pairs that meet at the widest place from which on more walkers would show no more states."""

_NARROW = 16
"""Walks end where this part of the most states is left."""


def smallest(
    runs: Sequence[Exploration], limits: Limits, progress: Progress = silent
) -> tuple[Exploration | None, Cost]:
    """Return the exploration with the fewest states when it is done, or None where all exceed the limits; and the cost.

    The one with the fewest states so far goes on by a cell, so that no other ever has many more than the smallest. One
    that exceeds the limits goes on with its edges on disk, if there is a folder for them, and is out if it still does.
    The same runs and limits always give the same.
    """
    racing, walked, peak = list(runs), set[Exploration](), 0
    while True:
        run = min(racing, key=lambda each: each.visited)
        others = sum(other.kept for other in racing if other is not run)
        over = None
        if run.visited > _WORTH_WALKS and run not in walked:
            walked.add(run)
            over = least_by_walks(run, limits)
        if over is None:
            over = run.advance(max(peak, others), limits)
            progress(len(run.states) - 1, run.route.pattern.size, RECKONING)
            peak = max(peak, others + run.peak)
            if run.is_done:
                return run, run.cost(peak)
            folder = limits.folder if run.keeps and run.file is None else None
            if over is not None and folder is not None and not over.moved().exceeds(limits):
                run.move_to_disk(folder)
                continue
        if over is not None:
            racing.remove(run)
            if not racing:
                return None, over


def least_by_walks(run: Exploration, limits: Limits) -> Cost | None:
    """Return what an exploration finds to cost at least, nearly surely, where that exceeds the limits; else None.

    Cost: a second at most.
    """
    for walkers in _WALKERS:
        sizes, met = walked_sizes(run.route.pattern, run.route.order, walkers)
        cost = cost_of([(size, 0, 0) for size in sizes], run.price)
        if cost.exceeds(limits):
            return cost
        if met > _PLENTY:
            break
    return None


@lru_cache(16)
def walked_sizes(pattern: Pattern, order: tuple[int, ...], walkers: int) -> tuple[list[int], int]:
    """Return numbers of states that there are after each number of cells, nearly surely, and the fewest pairs that met.

    Walkers visit the cells in an order, each with random marks. The numbers are below the truth but for chance: in one
    case out of a few hundred if all states were met alike, and far more seldom as they are not. States of won positions
    come on top. The last cells, of little interest, are left out. The same arguments always give the same.
    """
    route, dice = Route(pattern, order), np.random.default_rng(1)
    pairs = fewest = walkers * (walkers - 1) // 2
    states = np.zeros((walkers, 2 * route.words), dtype=np.uint64)
    scratch = np.empty((1, states.shape[1]), dtype=np.uint64)
    shown = [1]
    for step in range(pattern.size):
        visit, marks = route.visit(step), dice.integers(0, 3, walkers, dtype=np.int8)
        with np.errstate(over="ignore"):
            wander(states, visit.masks, *visit.strict, pattern.is_symmetric, marks, scratch)
            met = _met(states)
        fewest = min(fewest, met)
        shown.append(max(1, int(pairs / (met + 3 * sqrt(met) + 6))))
        if shown[-1] * _NARROW < max(shown):
            break
    return shown, fewest


def _met(states: NDArray[np.uint64]) -> int:
    """Return how many pairs are equal. Should others look alike they count, too: that errs on the safe side."""
    mixed = np.zeros(len(states), dtype=np.uint64)
    for word in states.T:
        mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    many = np.unique(mixed, return_counts=True)[1].astype(np.int64)
    return int((many * (many - 1) // 2).sum())
