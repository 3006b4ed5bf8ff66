"""The values of a frontier: for each state the number of ways to reach it, by marks of X and of O.

A value is one row of numbers for each of a few moduli. Its entries stand for pairs (t, p): t marks in all, p of them X.
A layout says which: `offset[t]`, `low[t]` and `high[t]`, so that the pair has entry `offset[t] + p - low[t]` for
`low[t] <= p <= high[t]`; where `low[t] > high[t]` there is none. Every layout is symmetric: `low[t] = t - high[t]`.
A modulus of 0 stands for the natural one of the machine word, 2^32 or 2^64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["pull", "pull_branches"]

Ints = NDArray[np.int32]
Values = NDArray[Any]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _add_row(goal: Values, start: Values, factor: int, modulus: np.uint64) -> None:
    """Add `factor` times one row to another, modulo `modulus` (0: that of the word)."""
    if modulus != np.uint64(0):
        for _ in range(abs(factor)):
            for n in range(goal.shape[0]):
                term = modulus - start[n] if factor < 0 else start[n]
                total = goal[n] + term
                goal[n] = min(total, total - modulus)
    elif factor == 1:
        for n in range(goal.shape[0]):
            goal[n] += start[n]
    else:
        scale = np.uint64(factor)
        for n in range(goal.shape[0]):
            goal[n] += scale * start[n]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _add_value(
    target: Values,
    source: Values,
    code: int,
    factor: int,
    weight: int,
    source_layout: Ints,
    target_layout: Ints,
    moduli: NDArray[np.uint64],
) -> None:
    """Add `factor` times one value, moved by the marks that `code` says, to another. See `pull`."""
    move = code >> 1
    turned = (code & 1) == 1
    more = weight if move > 0 else 0
    more_x = weight if move == 1 else 0
    rows = source_layout.shape[1]
    for t in range(rows):
        if t + more >= target_layout.shape[1]:
            break
        low = max(source_layout[1, t], target_layout[1, t + more] - more_x)
        high = min(source_layout[2, t], target_layout[2, t + more] - more_x)
        if low > high:
            continue
        into = target_layout[0, t + more] + low + more_x - target_layout[1, t + more]
        length = high - low + 1
        if turned:
            out = source_layout[0, t] + (t - low) - source_layout[1, t]
        else:
            out = source_layout[0, t] + low - source_layout[1, t]
        for k in range(moduli.shape[0]):
            goal = target[k, into : into + length]
            if turned:
                _add_row(goal, source[k, out - length + 1 : out + 1][::-1], factor, moduli[k])
            else:
                _add_row(goal, source[k, out : out + length], factor, moduli[k])


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def pull(
    targets: Values,
    sources: Values,
    starts: NDArray[np.int64],
    order: Ints,
    edge_sources: Ints,
    edge_codes: NDArray[np.int8],
    weight: int,
    source_layout: Ints,
    target_layout: Ints,
    moduli: NDArray[np.uint64],
    begin: int,
    end: int,
) -> None:
    """Add up the values of the states `begin..end` from those of their sources, over edges grouped by target.

    `targets` and `sources` are [state, modulus, entry] of uint32 or uint64; a code is twice the mark on the visited
    cell (0 blank, 1 X, 2 O), plus 1 if the source is read with its colours exchanged first; `weight` is the number of
    cells that the mark counts for. Each target is written by one call only, so calls may run side by side.
    """
    for j in range(begin, end):
        for place in range(starts[j], starts[j + 1]):
            e = order[place]
            _add_value(
                targets[j], sources[edge_sources[e]], edge_codes[e], 1, weight, source_layout, target_layout, moduli
            )


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def pull_branches(
    targets: Values,
    sources: Values,
    starts: NDArray[np.int64],
    order: Ints,
    edge_sources: Ints,
    edge_codes: NDArray[np.int8],
    edge_factors: Ints,
    weight: int,
    source_layout: Ints,
    target_layout: Ints,
    moduli: NDArray[np.uint64],
    begin: int,
    end: int,
) -> None:
    """As `pull`, each edge counting `edge_factors` times, which may be negative."""
    for j in range(begin, end):
        for place in range(starts[j], starts[j + 1]):
            e = order[place]
            _add_value(
                targets[j],
                sources[edge_sources[e]],
                edge_codes[e],
                edge_factors[e],
                weight,
                source_layout,
                target_layout,
                moduli,
            )
