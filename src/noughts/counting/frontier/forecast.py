"""Which order of the cells has the fewest states: they are found side by side, as far as they may be worth it.

That a frontier has too many states is told by random walks through it before they are found. Of n walkers who stand on
s states, however they spread, two meet in n (n - 1) / 2 s pairs at least, on average: if few meet there are many
states. This is the birthday paradox read backwards: walkers are a few times the root of what they show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from noughts.counting.bounds import layer_cost
from noughts.counting.frontier.graph import Exploration
from noughts.counting.frontier.sweep import Route
from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.states import wander
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent
from noughts.rules.marks import Mask

RECKONING = "finding the states of a frontier, to reckon what they take"
"""What progress says of a dry run, with the part of the cells that it has visited."""

_WORTH_WALKS = 200_000
"""States found from which on walks are worth their time."""

_LARGE = 150_000
"""States of a layer from which on there is a guess of what they will grow to."""

_ALIVE = 0.47
"""Chance that a cell keeps a line alive for one player: fitted to what the graphs of boards of up to 8x8 grow to."""

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
            over = expected(run, limits)
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


def expected(run: Exploration, limits: Limits) -> Cost | None:
    """Return what the layer half-way will cost at a guess, where that exceeds the limits; else None.

    The logarithm of the states follows what the open lines can say; half of what that foretells. No guess is made of
    few states.
    """
    step, half = len(run.states) - 1, len(run.route.order) // 2
    states = run.states[-1][0]
    if states < _LARGE or step >= half:
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


def least_by_walks(run: Exploration, limits: Limits) -> Cost | None:
    """Return what an exploration finds to cost at least, nearly surely, where that exceeds the limits; else None.

    Cost: a second at most.
    """
    for walkers in _WALKERS:
        cost, fewest, states = Cost(), _PLENTY + 1, [(1, 0, 0)]
        for size, met in walk(run.route, walkers):
            states.append((size, 0, 0))
            cost, fewest = cost.plus(run.price(states, len(states) - 1)), min(fewest, met)
            if cost.exceeds(limits):
                return cost
        if fewest > _PLENTY:
            break
    return None


def walk(route: Route, walkers: int) -> Iterator[tuple[int, int]]:
    """Yield for each cell a number of states that there are after it, nearly surely, and the pairs of walkers that met.

    Walkers visit the cells in order, each with random marks. The numbers are below the truth but for chance: in one
    case out of a few hundred if all states were met alike, and far more seldom as they are not. States of won positions
    come on top. The last cells, of little interest, are left out. The same arguments always give the same.
    """
    dice, most = np.random.default_rng(1), 1
    states = np.zeros((walkers, 2 * route.words), dtype=np.uint64)
    scratch = np.empty((1, states.shape[1]), dtype=np.uint64)
    for step in range(route.pattern.size):
        visit, marks = route.visit(step), dice.integers(0, 3, walkers, dtype=np.int8)
        with np.errstate(over="ignore"):
            wander(states, visit.masks, *visit.strict, route.pattern.is_symmetric, marks, scratch)
            met = _met(states)
        shown = max(1, int(walkers * (walkers - 1) // 2 / (met + 3 * sqrt(met) + 6)))
        yield shown, met
        most = max(most, shown)
        if shown * _NARROW < most:
            return


def _met(states: NDArray[np.uint64]) -> int:
    """Return how many pairs are equal. Should others look alike they count, too: that errs on the safe side."""
    mixed = np.zeros(len(states), dtype=np.uint64)
    for word in states.T:
        mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    many = np.unique(mixed, return_counts=True)[1].astype(np.int64)
    return int((many * (many - 1) // 2).sum())
