"""The values of the engine `transfer`: the ways to reach each state, by marks of either player, cell by cell.

They are kept as one array for each number p of the first player's marks, a row for each state with a column for each
number q of the other's. An edge adds a part of a row to a part of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.counting.transfer.graph import Graph, largest_counts
from noughts.kernels.frontier.transfer import push, push_modulo
from noughts.machine.workers import Workers

__all__ = [
    "PRIME",
    "Band",
    "StateCounts",
    "advance",
    "band_of",
    "first_counts",
    "moduli_of",
    "number_behind",
]

Rows = list[NDArray[Any]]

PRIME = (1 << 63) - 25
"""The largest prime below 2^63: a sum of two remainders fits a word."""

_WORTH_WORKERS = 1 << 16
"""Numbers of a counts from which on workers share the work."""

_TOGETHER = 2
"""Rows that are made side by side, whatever the number of workers."""

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


@dataclass(frozen=True)
class _Step:
    """What the rows after a cell are made from: the rows before by p, and the edges; `modulus` 0 where none is due."""

    rows: dict[int, NDArray[Any]]
    before: Band
    after: Band
    edges: NDArray[np.int32]
    states: int
    weight: int
    is_wide: bool
    modulus: int


def _made(shared: _Step, p: int) -> NDArray[Any]:
    """Return the row for p marks of the first player."""
    begin, end = shared.after.spans[p]
    target = np.zeros((shared.states, end - begin), dtype=np.uint64 if shared.is_wide else np.uint32)
    for choice, (placed_p, placed_q) in enumerate(((0, 0), (shared.weight, 0), (0, shared.weight))):
        if not 0 <= p - placed_p < len(shared.before.spans):
            continue
        out, out_end = shared.before.spans[p - placed_p]
        low, high = max(begin, out + placed_q), min(end, out_end + placed_q)
        if low < high:
            moved = (shared.edges[choice], low - placed_q - out, low - begin, high - low)
            if shared.modulus:
                push_modulo(target, shared.rows[p - placed_p], *moved, np.uint64(shared.modulus))
            else:
                push(target, shared.rows[p - placed_p], *moved)
    return target


def advance(graph: Graph, counts: StateCounts, to_ply: int, modulus: int, workers: Workers) -> StateCounts:
    """Return the values after the next cell. Those of `counts` are gone afterwards: their memory is needed.

    The numbers of marks only grow, so rows are made from the largest p down, two side by side, and an old row is
    dropped when none below needs it. Each is made by one worker, so their number does not change the sums.
    """
    step, weight = counts.step + 1, graph.weights[counts.step]
    before, after = (band_of(graph.weights, number, to_ply) for number in (counts.step, step))
    most, states, edges = graph.largest[step], graph.states[step], graph.edges[counts.step]
    reducing = modulus if modulus <= most and modulus < 1 << 64 else 0
    rows: Rows = [_DROPPED] * len(after.spans)
    together = _TOGETHER if workers.count > 1 and states * after.entries >= _WORTH_WORKERS else 1
    for top in range(len(rows), 0, -together):
        several = range(max(0, top - together), top)
        needed = {
            p: counts.rows[p] for p in {q - w for q in several for w in (0, weight)} & set(range(len(counts.rows)))
        }
        shared = _Step(needed, before, after, edges, states, weight, most >= 1 << 32, reducing)
        rows[several[0] : top] = workers.map(_made, shared, several)
        counts.rows[several[0] :] = [_DROPPED] * (len(counts.rows) - several[0])
    return StateCounts(step, rows)
