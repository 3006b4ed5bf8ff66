"""What a frontier will grow to, foretold from its first rows by what its open lines can say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp, log

from noughts.counting.patterns.pattern import Pattern
from noughts.domain.bits import Mask

__all__ = ["Growth"]

_LARGE = 150_000
"""States from which on it is guessed what they will grow to."""

_ALIVE = 0.47
"""Chance that a cell keeps a line alive for one player: fitted to what the graphs of boards of up to 8x8 grow to."""


class Growth:
    """The growth of the frontier of a pattern whose cells are visited in this order."""

    def __init__(self, pattern: Pattern, order: Sequence[int]) -> None:
        self._pattern, self._order = pattern, tuple(order)

    def further(self, sizes: Sequence[int]) -> float:
        """Return by how much a layer will grow still, at a guess; 1 unless it is large and not yet half-way.

        `sizes` are the states after each number of cells so far, 0 included. The logarithm of the states is taken to
        follow what the open lines can say; half of what that foretells.
        """
        step, half = len(sizes) - 1, len(self._order) // 2
        if sizes[-1] < _LARGE or step >= half:
            return 1.0
        more = max(self._said[step : half + 1]) / self._said[step] - 1
        return max(1.0, 0.5 * exp(log(sizes[-1]) * min(more, 1.0)))

    @cached_property
    def _said(self) -> list[float]:
        """What the lines under way can say after each number of cells, up to half of them: see `_information`."""
        return [_information(self._pattern, self._order[:step]) for step in range(len(self._order) // 2 + 1)]


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
