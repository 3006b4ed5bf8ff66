"""The values of the engine `transfer`: the ways to reach each state, by marks of either player, cell by cell.

They are kept as one array for each number p of the first player's marks, a row for each state with a column for each
number q of the other's. An edge adds a part of a row to a part of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.counting.transfer.graph import Graph
from noughts.kernels.frontier.transfer import push, push_modulo

__all__ = [
    "PRIME",
    "Band",
    "StateCounts",
    "advance",
    "band_of",
    "first_counts",
    "largest_counts",
    "moduli_of",
    "number_behind",
]

Rows = list[NDArray[Any]]

PRIME = (1 << 63) - 25
"""The largest prime below 2^63: a sum of two remainders fits a word."""

_WORTH_THREADS = 1 << 16
"""Numbers of a layer from which on threads share the work."""

_TOGETHER = 2
"""Rows that are made side by side, whatever the number of threads."""

_DROPPED = np.zeros((0, 0), dtype=np.uint32)


@dataclass(frozen=True)
class Band:
    """For each p the numbers q, from the first up to the last but one, that can still end with |p - q| <= 1."""

    spans: tuple[tuple[int, int], ...]

    @property
    def entries(self) -> int:
        """How many pairs (p, q) these are."""
        return sum(end - begin for begin, end in self.spans)


def band_of(weights: Sequence[int], step: int, to_ply: int) -> Band:
    """Return the pairs that matter after `step` cells, of up to `to_ply` marks in all."""
    most, slack = min(sum(weights[:step]), to_ply), sum(weights[step:]) + 1
    spans = []
    for p in range(most + 1):
        begin = max(0, p - slack)
        spans.append((begin, max(begin, min(most - p, p + slack) + 1)))
    return Band(tuple(spans))


@lru_cache(maxsize=256)
def largest_counts(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Return the most ways to fill the first 0, 1, 2, ... of the cells with given numbers of marks of either player.

    No count of a state exceeds it, nor a sum of counts of several states.
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


def moduli_of(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Return 2^64, and a prime where that alone does not do; up to 80 cells counts stay below their product."""
    return (1 << 64,) if largest_counts(weights)[-1] < 1 << 64 else (1 << 64, PRIME)


def number_behind(remainders: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the least number with these remainders (the Chinese remainder theorem)."""
    whole = prod(moduli)
    terms = (
        remainder * (whole // modulus) * pow(whole // modulus, -1, modulus)
        for remainder, modulus in zip(remainders, moduli, strict=True)
    )
    return sum(terms) % whole


@dataclass(frozen=True)
class StateCounts:
    """The values after `step` cells modulo one number; `rows[p][state, q - begin]`, `begin` as the band says.

    In words of 32 bits as long as all counts fit.
    """

    step: int
    rows: Rows


def first_counts() -> StateCounts:
    """Return the values before the first cell: one state, reached in one way."""
    return StateCounts(0, [np.ones((1, 1), dtype=np.uint32)])


def advance(
    graph: Graph, counts: StateCounts, to_ply: int, modulus: int, threads: ThreadPoolExecutor | None
) -> StateCounts:
    """Return the values after the next cell. Those of `counts` are gone afterwards: their memory is needed.

    The numbers of marks only grow, so rows are made from the largest p down, two side by side, and an old row is
    dropped when none below needs it. Each is made by one thread, so their number does not change the sums.
    """
    step, weight = counts.step + 1, graph.weights[counts.step]
    before, after = (band_of(graph.weights, number, to_ply) for number in (counts.step, step))
    most, states, edges = largest_counts(graph.weights)[step], graph.states[step], graph.edges[counts.step]
    dtype = np.uint32 if most < 1 << 32 else np.uint64
    reducing = modulus if modulus <= most and modulus < 1 << 64 else None

    def made(p: int) -> NDArray[Any]:
        begin, end = after.spans[p]
        target = np.zeros((states, end - begin), dtype=dtype)
        for choice, (placed_p, placed_q) in enumerate(((0, 0), (weight, 0), (0, weight))):
            if not 0 <= p - placed_p < len(before.spans):
                continue
            out, out_end = before.spans[p - placed_p]
            low, high = max(begin, out + placed_q), min(end, out_end + placed_q)
            if low < high:
                moved = (edges[choice], low - placed_q - out, low - begin, high - low)
                if reducing is None:
                    push(target, counts.rows[p - placed_p], *moved)
                else:
                    push_modulo(target, counts.rows[p - placed_p], *moved, np.uint64(reducing))
        return target

    rows: Rows = [_DROPPED] * len(after.spans)
    together = _TOGETHER if threads is not None and states * after.entries >= _WORTH_THREADS else 1
    for top in range(len(rows), 0, -together):
        several = range(max(0, top - together), top)
        made_now = map(made, several) if together == 1 or threads is None else threads.map(made, several)
        rows[several[0] : top] = made_now
        counts.rows[several[0] :] = [_DROPPED] * (len(counts.rows) - several[0])
    return StateCounts(step, rows)
