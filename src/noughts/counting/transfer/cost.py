"""What a sweep of the engine `transfer` costs, reckoned while its states are being found."""

from __future__ import annotations

from math import sqrt

from noughts.counting.sweeps import Cost
from noughts.counting.transfer.graph import largest_counts
from noughts.counting.transfer.values import band_of, moduli_of
from noughts.machine.budget import Limits

__all__ = ["EDGE_BYTES", "STATE_BYTES", "Reckoner"]

EDGE_BYTES = 12
"""What the graph keeps of a state: where three choices lead."""

STATE_BYTES = 140
"""A state that is looked for: three words, the hash table, and both again while they grow."""

_STATE_SECONDS = 8e-7
_NUMBER_SECONDS = 1.2e-9
"""Measured: to find the three successors of a state, and to add one number, on two cores."""

_LARGE = 400_000
"""States from which on it is guessed what they will grow to."""


class Reckoner:
    """Adds up what a sweep costs step by step, and tells when that exceeds the limits.

    The graph is kept until all graphs have been found, the values of a step only until the next.
    """

    def __init__(self, weights: tuple[int, ...], to_ply: int, row: int, limits: Limits) -> None:
        self.weights = weights
        self.to_ply = to_ply
        self.row = row
        self.limits = limits
        self.largest = largest_counts(weights)
        self.counts = [1]
        self.moduli = len(moduli_of(weights))
        self.known = Cost(0)

    def visit(self, step: int, states: int) -> bool:
        """Hear that `states` were found after `step` cells so far; return whether to go on."""
        if step == len(self.counts):
            self.known = self.cost()
            self.counts.append(states)
        self.counts[step] = states
        return not self.forecast().exceeds(self.limits)

    def forecast(self) -> Cost:
        """Return what is known and what the widest layer is expected to add."""
        return self.cost(self._growth())

    def cost(self, growth: float = 1.0) -> Cost:
        """Return what is known: all, once the last cell was visited. The last layer counts `growth` times."""
        if len(self.counts) == 1:
            return self.known
        states, sources = self.counts[-1], self.counts[-2]
        entries, size = self._value(len(self.counts) - 1)
        top = max(states * STATE_BYTES, states * size * 5 // 4)
        seconds = sources * (_STATE_SECONDS + 3 * entries * self.moduli * _NUMBER_SECONDS)
        return self.known.plus(Cost(sources * EDGE_BYTES, int(top * growth), seconds * growth, states))

    def _value(self, step: int) -> tuple[int, int]:
        """Return the numbers that are kept of one state after so many cells, and their size in bytes."""
        entries = band_of(self.weights, step, self.to_ply).entries
        return entries, entries * (4 if self.largest[step] < 1 << 32 else 8)

    def _growth(self) -> float:
        """Return by how much a layer will grow still, at a guess; 1 unless it is large and far from half-way.

        The states are taken to grow by half the square root of what they grew by along the last row, for another row at
        most. How many numbers there will be of each is known.
        """
        step = len(self.counts) - 1
        left = min(len(self.weights) // 2 - step, self.row)
        if self.counts[step] < _LARGE or left < 2 or step <= self.row:
            return 1.0
        along = self.counts[step - 1] / self.counts[step - 1 - self.row]
        states = max(1.0, 0.5 * sqrt(along ** (left / self.row)))
        return states * self._value(step + left)[1] / self._value(step)[1]
