"""The size of tables by both players' marks, and bounds on the numbers in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

PRIME = (1 << 63) - 25
"""The largest prime below 2^63: a sum of two remainders fits a word."""


def band_of(weights: Sequence[int], step: int, to_ply: int) -> list[tuple[int, int]]:
    """Return for each p the range of numbers q that can still end with |p - q| <= 1: its begin, and its end, exclusive.

    This holds after `step` cells, for positions of up to `to_ply` marks.
    """
    most, slack = min(sum(weights[:step]), to_ply), sum(weights[step:]) + 1
    begins = [max(0, p - slack) for p in range(most + 1)]
    return [(begin, max(begin, min(most - p, p + slack) + 1)) for p, begin in enumerate(begins)]


def moduli_of(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Return 2^64, and a prime where 2^64 alone is too small; counts of up to 80 cells stay below their product."""
    return (1 << 64,) if largest_counts(weights)[-1] < 1 << 64 else (1 << 64, PRIME)


@lru_cache(16)
def largest_counts(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Return for 0, 1, 2, ... cells the most ways to fill them with any given numbers of either player's marks.

    No state's count exceeds this number, nor does a sum of counts of several states.
    """
    ways = {(0, 0): 1}
    most = [1]
    for weight in weights:
        grown = dict(ways)
        for (p, q), number in ways.items():
            for pair in ((p + weight, q), (p, q + weight)):
                grown[pair] = grown.get(pair, 0) + number
        ways = grown
        most.append(max(ways.values()))
    return tuple(most)
