"""The values of a frontier at points: for each state one remainder for each of a few pairs of points.

A position weighs the product of the weights of its marks, x for each X and y for each O. The value of a state is the
sum over all ways to reach it, modulo a prime below 2^31. Lane j, one of the first `PAIRS`, is the value at (x, y), lane
`PAIRS + j` that at (y, x), which is the value at (x, y) of the state with the colours exchanged.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.frontier.lanes import LANES, PAIRS
from noughts.kernels.jit import inner_kernel, kernel

__all__ = ["push", "push_branches"]

Lanes = NDArray[np.uint32]

LOW = np.uint64(32)


@inner_kernel
def _scaled(row: Lanes, value: Lanes, weight: Lanes, quotient: Lanes, prime: Lanes) -> None:
    """Write the value times the weight in each lane (Shoup: `quotient` is floor(weight * 2^32 / prime)).

    The remainder found lies below twice the prime, so in a word; the lesser of it and it minus the prime, which wraps
    around if that is below zero, is right.
    """
    for j in range(LANES):
        near = np.uint32((np.uint64(quotient[j]) * np.uint64(value[j])) >> LOW)
        rest = np.uint32(np.uint32(weight[j] * value[j]) - np.uint32(near * prime[j]))
        row[j] = min(rest, np.uint32(rest - prime[j]))


@inner_kernel
def _added(target: Lanes, row: Lanes, prime: Lanes) -> None:
    for j in range(LANES):
        total = np.uint32(target[j] + row[j])
        target[j] = min(total, np.uint32(total - prime[j]))


@inner_kernel
def _added_exchanged(target: Lanes, row: Lanes, prime: Lanes) -> None:
    for j in range(PAIRS):
        total = np.uint32(target[j] + row[j + PAIRS])
        target[j] = min(total, np.uint32(total - prime[j]))
    for j in range(PAIRS):
        total = np.uint32(target[j + PAIRS] + row[j])
        target[j + PAIRS] = min(total, np.uint32(total - prime[j + PAIRS]))


@kernel
def push(
    targets: Lanes,
    sources: Lanes,
    edges: NDArray[np.int32],
    weights: Lanes,
    quotients: Lanes,
    prime: Lanes,
    rows: Lanes,
    begin: int,
    end: int,
) -> None:
    """Add the values of the sources to those of the targets, along all edges that `explore` in `states` has written.

    `sources` and `targets` are [state, lane], the targets zero at first. `weights` and `quotients` are [player, lane],
    X before O; `rows` has room for two values. Edges are followed to the targets from `begin` to before `end` alone, so
    that several threads can share them.
    """
    for s in range(edges.shape[0]):
        for move in range(3):
            edge = edges[s, move]
            target = edge >> 1
            if target < begin or target >= end:
                continue
            value = sources[s]
            if move:
                _scaled(rows[0], value, weights[move - 1], quotients[move - 1], prime)
                value = rows[0]
            if edge & 1:
                _added_exchanged(targets[target], value, prime)
            else:
                _added(targets[target], value, prime)


@kernel
def push_branches(
    targets: Lanes,
    sources: Lanes,
    branches: NDArray[np.int32],
    weights: Lanes,
    quotients: Lanes,
    prime: Lanes,
    rows: Lanes,
    begin: int,
    end: int,
) -> None:
    """Add the values of the sources, each with one more mark of X, to those of the targets.

    A branch is twice its source, plus 1 if that is to be read with its colours exchanged; its target; and the factor by
    which it counts, which may be negative. The other arrays are those of `push`.
    """
    for b in range(branches.shape[0]):
        source, target, factor = branches[b, 0], branches[b, 1], branches[b, 2]
        if target < begin or target >= end:
            continue
        if source & 1:
            for j in range(PAIRS):
                rows[1, j] = sources[source >> 1, j + PAIRS]
                rows[1, j + PAIRS] = sources[source >> 1, j]
            _scaled(rows[0], rows[1], weights[0], quotients[0], prime)
        else:
            _scaled(rows[0], sources[source >> 1], weights[0], quotients[0], prime)
        if factor < 0:
            for j in range(LANES):
                rows[0, j] = prime[j] - rows[0, j] if rows[0, j] else rows[0, j]
        for _ in range(abs(factor)):
            _added(targets[target], rows[0], prime)
