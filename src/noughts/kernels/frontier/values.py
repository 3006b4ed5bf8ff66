"""The values of a frontier: for each state the number of ways to reach it, by marks of X and of O.

A value is one row of numbers for each of a few moduli, and an edge of the frontier adds one value to another, moved by
the marks that were placed. How the entries move is given as runs: `runs[code, r]` is (first entry in the source, first
entry in the target, length) and `many[code]` the number of runs. Of a code that is odd the source is read backwards.
A modulus of 0 stands for the natural one of the machine word, 2^32 or 2^64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel

__all__ = ["pull", "pull_branches"]

Ints = NDArray[np.int32]
Values = NDArray[Any]

ZERO = np.uint64(0)


@kernel
def _add_runs(target: Values, source: Values, runs: NDArray[np.uint64], many: int, backwards: bool) -> None:
    """Add one value to another, modulo that of the word. Unsigned indices spare the test for negative ones."""
    for r in range(many):
        out, into, length = runs[r, 0], runs[r, 1], runs[r, 2]
        if backwards:
            for n in range(length):
                target[into + n] += source[out - n]
        else:
            for n in range(length):
                target[into + n] += source[out + n]


@kernel
def _add_runs_modulo(
    target: Values,
    source: Values,
    runs: NDArray[np.uint64],
    many: int,
    backwards: bool,
    factor: int,
    modulus: np.uint64,
) -> None:
    """Add `factor` times one value to another. Numbers are below the modulus, which is below 2^63, or 0 for 2^64."""
    scale = np.uint64(np.int64(factor))
    for r in range(many):
        out, into, length = runs[r, 0], runs[r, 1], runs[r, 2]
        for n in range(length):
            term = source[out - n] if backwards else source[out + n]
            if modulus == ZERO:
                target[into + n] += scale * term
            else:
                for _ in range(abs(factor)):
                    total = target[into + n] + (modulus - term if factor < 0 else term)
                    target[into + n] = min(total, total - modulus)


@kernel
def pull(
    targets: Values,
    sources: Values,
    starts: NDArray[np.int64],
    order: Ints,
    edge_sources: Ints,
    edge_codes: NDArray[np.int8],
    runs: NDArray[np.uint64],
    many: Ints,
    moduli: NDArray[np.uint64],
    begin: int,
    end: int,
) -> None:
    """Add up the values of the states `begin..end` from those of their sources, over edges grouped by target.

    `targets` and `sources` are [state, modulus, entry], both uint32 or both uint64. The edges into state j are
    `order[starts[j]:starts[j + 1]]`. Each target is written by one call only, so calls may run side by side.
    """
    for j in range(begin, end):
        for place in range(starts[j], starts[j + 1]):
            e = order[place]
            source, code = edge_sources[e], edge_codes[e]
            for k in range(moduli.shape[0]):
                if moduli[k] == ZERO:
                    _add_runs(targets[j, k], sources[source, k], runs[code], many[code], code & 1 == 1)
                else:
                    _add_runs_modulo(
                        targets[j, k], sources[source, k], runs[code], many[code], code & 1 == 1, 1, moduli[k]
                    )


@kernel
def pull_branches(
    targets: Values,
    sources: Values,
    starts: NDArray[np.int64],
    order: Ints,
    edge_sources: Ints,
    edge_codes: NDArray[np.int8],
    edge_factors: Ints,
    runs: NDArray[np.uint64],
    many: Ints,
    moduli: NDArray[np.uint64],
    begin: int,
    end: int,
) -> None:
    """As `pull`, each edge counting `edge_factors` times, which may be negative; `targets` are uint64."""
    for j in range(begin, end):
        for place in range(starts[j], starts[j + 1]):
            e = order[place]
            code = edge_codes[e]
            for k in range(moduli.shape[0]):
                _add_runs_modulo(
                    targets[j, k],
                    sources[edge_sources[e], k],
                    runs[code],
                    many[code],
                    code & 1 == 1,
                    edge_factors[e],
                    moduli[k],
                )
