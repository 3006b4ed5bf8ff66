"""What counting at points costs, reckoned while the states are being found."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from noughts.counting.frontier.bound import least_states
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.points.grid import Grid
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.lanes import LANES, PAIRS
from noughts.machine.budget import Limits

__all__ = ["Tariff", "hopeless_at_points"]

_EDGE_BYTES = 12
_STATE_SECONDS = 6e-7
_VISIT_SECONDS = 1.5e-7
"""Measured on one core: to find the successors of a state, and to take a batch of points through it."""

_LARGE = 150_000
"""States from which on it is guessed what they will grow to."""

_PLACES = 32
"""At so many steps at most the states are bounded, those half-way first."""


class Tariff:
    """What a graph costs whose rows of cells are so long, with a batch for the survey and those that its grid takes.

    `most` batches at a time may be under way.
    """

    def __init__(self, pattern: Pattern, grid: Grid, row: int, most: int) -> None:
        self.batches = -(-grid.pairs // PAIRS)
        self.size = pattern.size
        self.row = row
        self.most = most

    def together(self, sizes: Sequence[int], peak: int, limits: Limits) -> int:
        """Return how many batches at a time fit the limits; at least one."""
        return max(1, next((n for n in range(self.most, 0, -1) if not self.cost(sizes, peak, n).exceeds(limits)), 1))

    def cost(self, sizes: Sequence[int], peak: int, together: int = 1) -> Cost:
        """Return what layers of these sizes cost, where `peak` bytes are taken while they are found."""
        kept, states = _EDGE_BYTES * sum(sizes), sum(sizes)
        top = max(peak - kept, together * _values_bytes(sizes))
        return Cost(kept, top, states * (_STATE_SECONDS + (1 + self.batches) * _VISIT_SECONDS), max(sizes))

    def forecast(self, sizes: Sequence[int], peak: int) -> Cost:
        """Return the same, with what the widest layer is expected to be, while there are cells to visit."""
        known = self.cost(sizes, peak)
        growth = self._growth(sizes)
        return Cost(known.kept, int(known.top * growth), known.seconds * growth, known.widest)

    def _growth(self, sizes: Sequence[int]) -> float:
        """Return by how much a layer will grow still, at a guess; 1 unless it is large and far from half-way.

        The states are taken to grow by a quarter of the square root of what they grew by along the last row, for
        another row at most.
        """
        step = len(sizes) - 1
        left = min(self.size // 2 - step, self.row)
        if sizes[-1] < _LARGE or left < 2:
            return 1.0
        known = min(self.row, step // 2)
        along = sizes[-1] / sizes[-1 - known]
        return max(1.0, 0.25 * sqrt(along ** (left / known)))


def _values_bytes(sizes: Sequence[int]) -> int:
    """Return the bytes that the values of one batch take, two layers of these at a time."""
    return 4 * LANES * (max(sizes[::2], default=0) + max(sizes[1::2], default=0))


def hopeless_at_points(pattern: Pattern, order: Sequence[int], tariff: Tariff, limits: Limits) -> Cost | None:
    """Return what a graph in this order costs at least, where that exceeds the limits; else None.

    Cost: milliseconds, in proportion to lines times lines under way.
    """
    size = len(order)
    steps = {size * number // _PLACES for number in range(1, _PLACES)}
    for step in sorted(steps, key=lambda step: (abs(2 * step - size), step)):
        cost = tariff.cost([least_states(pattern, order[:step])], 0)
        if cost.exceeds(limits):
            return cost
    return None
