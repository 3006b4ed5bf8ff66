"""How many states a frontier has at least, told by random walks through it before they are found.

Of n walkers who stand on s states, however they spread, two meet in n (n - 1) / 2 s pairs at least, on average: so if
few meet there are many states. This is the birthday paradox read backwards: walkers are a few times the root of what
they show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.wander import wander
from noughts.machine.budget import Limits

__all__ = ["RandomWalk", "least_by_walks", "walk_of"]

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
