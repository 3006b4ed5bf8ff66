"""The values of a frontier: tables of counts by marks, values at points, and what a survey tells beforehand.

A table is one row of numbers for each of a few moduli. An edge of the frontier adds one table to another, moved by the
marks that were placed. Runs say how the entries move: `runs[code, r]` is (first entry in the source, first entry in the
target, length), and `many[code]` the number of runs. An odd code reads the source backwards. A
modulus of 0 stands for the natural one of the machine word, 2^32 or 2^64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.arrays import F64x1, F64x2, I8x1, I16x2, I32x1, I32x2, I64x1, U32x1, U32x2, U32x3, U64x1, U64x3
from noughts.kernels.frontier import LANES, PAIRS
from noughts.kernels.jit import helper, inner_kernel, kernel

Ints = NDArray[np.int32]
Values = NDArray[Any]

ZERO = np.uint64(0)


@helper
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


@helper
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
    targets: U32x3 | U64x3,
    sources: U32x3 | U64x3,
    starts: I64x1,
    order: I32x1,
    edge_sources: I32x1,
    edge_codes: I8x1,
    runs: U64x3,
    many: I32x1,
    moduli: U64x1,
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
    targets: U64x3,
    sources: U32x3 | U64x3,
    starts: I64x1,
    order: I32x1,
    edge_sources: I32x1,
    edge_codes: I8x1,
    edge_factors: I32x1,
    runs: U64x3,
    many: I32x1,
    moduli: U64x1,
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


# The values of a frontier at points: for each state one remainder for each of a few pairs of points.
#
# A position weighs the product of the weights of its marks, x for each X and y for each O. The value of a state is
# the sum over all ways to reach it, modulo a prime below 2^31. Lane j, one of the first `PAIRS`, is the value at (x,
# y), lane `PAIRS + j` that at (y, x), which is the value at (x, y) of the state with the colours exchanged.

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
    targets: U32x2,
    sources: U32x2,
    edges: I32x2,
    weights: U32x2,
    quotients: U32x2,
    prime: U32x1,
    rows: U32x2,
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
    targets: U32x2,
    sources: U32x2,
    branches: I32x2,
    weights: U32x2,
    quotients: U32x2,
    prime: U32x1,
    rows: U32x2,
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


# What can be said of a frontier's graph beforehand: sums of weights in floating point, and how far marks differ.

NOWHERE = -(1 << 14)
"""Stands for the difference of marks in a state that nothing leads to."""

Reals = NDArray[np.float64]
Differences = NDArray[np.int16]


@kernel
def push_reals(targets: F64x2, sources: F64x2, edges: I32x2, weights: F64x1) -> None:
    """Add the sums of the sources to those of the targets along all edges that `explore` in `states` has written.

    `sources` and `targets` are [state, lane], the targets zero at first. In lane j a mark of either
    player weighs `weights[j]`, so that exchanging the colours changes nothing.
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
def push_most(targets: I16x2, sources: I16x2, edges: I32x2, weight: int) -> None:
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
def branch_reals(targets: F64x2, sources: F64x2, branches: I32x2, weights: F64x1) -> None:
    """Add the sums of the sources, with one more mark, along branches as `push_branches` takes them.

    All factors count as if they were positive: what is added up is a bound.
    """
    for b in range(branches.shape[0]):
        source, target, factor = branches[b, 0] >> 1, branches[b, 1], abs(branches[b, 2])
        for j in range(weights.shape[0]):
            targets[target, j] += sources[source, j] * weights[j] * factor


@kernel
def branch_most(targets: I16x2, sources: I16x2, branches: I32x2, weight: int) -> None:
    """Write the most by which the marks of either player exceed the other's, along branches, each a mark of the first.

    A mark counts `weight`.
    """
    for b in range(branches.shape[0]):
        source, target, turned = branches[b, 0] >> 1, branches[b, 1], branches[b, 0] & 1
        targets[target, 0] = max(targets[target, 0], sources[source, turned] + weight)
        targets[target, 1] = max(targets[target, 1], sources[source, 1 - turned] - weight)
