"""What counting at points costs, reckoned while the states are being found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from noughts.counting.frontier.bound import least_states
from noughts.counting.frontier.growth import Growth
from noughts.counting.frontier.walks import least_by_walks
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.points.grid import Grid
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.lanes import LANES
from noughts.machine.budget import Limits

__all__ = ["Tariff", "hopeless_at_points", "hopeless_by_walks", "values_bytes"]

_EDGE_BYTES = 12
_STATE_SECONDS = 6e-7
_VISIT_SECONDS = 1.5e-7
"""Measured on one core: to find the successors of a state, and to take a batch of points through it."""

_PLACES = 32
"""At so many steps at most the states are bounded, those half-way first."""


class Tariff:
    """What a graph costs whose cells are visited in this order, with a batch for the survey and those of its grid.

    `most` batches at a time may be under way.
    """

    def __init__(self, pattern: Pattern, grid: Grid, order: Sequence[int], most: int) -> None:
        self.batches = grid.batches
        self.pattern, self.order = pattern, tuple(order)
        self.most = most
        self.growth = Growth(pattern, order)

    def together(
        self, sizes: Sequence[int], peak: int, limits: Limits, branches: int = 0, on_disk: bool = False
    ) -> int:
        """Return how many batches at a time fit the limits; at least one."""
        costs = ((n, self.cost(sizes, peak, n, branches, on_disk)) for n in range(self.most, 0, -1))
        return next((n for n, cost in costs if not cost.exceeds(limits)), 1)

    def cost(
        self, sizes: Sequence[int], peak: int, together: int = 1, branches: int = 0, on_disk: bool = False
    ) -> Cost:
        """Return what layers of these sizes cost, where `peak` bytes are taken while they are found.

        A branch to won positions is as much as a state to keep, and a third of one to take points through.
        """
        edges, states = _EDGE_BYTES * (sum(sizes) + branches), sum(sizes) + branches // 3
        kept = 0 if on_disk else edges
        top = max(peak - kept, together * values_bytes(sizes))
        seconds = states * (_STATE_SECONDS + (1 + self.batches) * _VISIT_SECONDS)
        return Cost(kept, top, seconds, max(sizes), edges - kept)

    def forecast(self, sizes: Sequence[int], peak: int, branches: int = 0, on_disk: bool = False) -> Cost:
        """Return the same, with what the widest layer is expected to be, while there are cells to visit."""
        known = self.cost(sizes, peak, 1, branches, on_disk)
        growth = self.growth.further(sizes)
        return replace(known, top=int(known.top * growth), seconds=known.seconds * growth)


def values_bytes(sizes: Sequence[int]) -> int:
    """Return the bytes that the values of one batch take, two layers of these at a time."""
    return 4 * LANES * (max(sizes[::2], default=0) + max(sizes[1::2], default=0))


def hopeless_at_points(tariff: Tariff, limits: Limits) -> Cost | None:
    """Return what a graph in its order costs at least, where that exceeds the limits; else None.

    Cost: milliseconds, in proportion to lines times lines under way.
    """
    pattern, order = tariff.pattern, tariff.order
    size = len(order)
    steps = {size * number // _PLACES for number in range(1, _PLACES)}
    for step in sorted(steps, key=lambda step: (abs(2 * step - size), step)):
        cost = tariff.cost([least_states(pattern, order[:step])], 0)
        if cost.exceeds(limits):
            return cost
    return None


def hopeless_by_walks(tariff: Tariff, limits: Limits) -> Cost | None:
    """Return what a graph in its order costs at least, nearly surely, where that exceeds the limits; else None."""
    return least_by_walks(tariff.pattern, tariff.order, limits, lambda sizes: tariff.cost(sizes, 0))
