"""What can be said of a frontier's graph beforehand: sums of weights in floating point, and how far marks differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel

__all__ = ["NOWHERE", "branch_most", "branch_reals", "push_most", "push_reals"]

NOWHERE = -(1 << 14)
"""Stands for the difference of marks in a state that nothing leads to."""

Reals = NDArray[np.float64]
Differences = NDArray[np.int16]


@kernel
def push_reals(targets: Reals, sources: Reals, edges: NDArray[np.int32], weights: Reals) -> None:
    """Add the sums of the sources to those of the targets along all edges that `explore` in `states` has written.

    `sources` and `targets` are [state, lane], the targets zero at first. In lane j a mark weighs `weights[j]`, whoever
    made it, so that exchanging the colours changes nothing.
    """
    for s in range(edges.shape[0]):
        for move in range(3):
            edge = edges[s, move]
            if edge < 0:
                continue
            target = edge >> 1
            for j in range(weights.shape[0]):
                targets[target, j] += sources[s, j] * (weights[j] if move else 1.0)


@kernel
def push_most(targets: Differences, sources: Differences, edges: NDArray[np.int32], weight: int) -> None:
    """Write the most by which the marks of either player exceed the other's, along all edges.

    `targets[state, player]` are `NOWHERE` at first. A mark counts `weight`.
    """
    for s in range(edges.shape[0]):
        for move in range(3):
            edge = edges[s, move]
            if edge < 0:
                continue
            more = weight if move == 1 else -weight if move == 2 else 0
            first, second = sources[s, 0] + more, sources[s, 1] - more
            if edge & 1:
                first, second = second, first
            targets[edge >> 1, 0] = max(targets[edge >> 1, 0], first)
            targets[edge >> 1, 1] = max(targets[edge >> 1, 1], second)


@kernel
def branch_reals(targets: Reals, sources: Reals, branches: NDArray[np.int32], weights: Reals) -> None:
    """Add the sums of the sources, with one more mark, along branches as `push_branches` in `points` takes them.

    All factors count as if they were positive: what is added up is a bound.
    """
    for b in range(branches.shape[0]):
        source, target, factor = branches[b, 0] >> 1, branches[b, 1], abs(branches[b, 2])
        for j in range(weights.shape[0]):
            targets[target, j] += sources[source, j] * weights[j] * factor


@kernel
def branch_most(targets: Differences, sources: Differences, branches: NDArray[np.int32], weight: int) -> None:
    """Write the most by which the marks of either player exceed the other's, along branches, each a mark of the first.

    A mark counts `weight`.
    """
    for b in range(branches.shape[0]):
        source, target, turned = branches[b, 0] >> 1, branches[b, 1], branches[b, 0] & 1
        targets[target, 0] = max(targets[target, 0], sources[source, turned] + weight)
        targets[target, 1] = max(targets[target, 1], sources[source, 1 - turned] - weight)
