"""Counting at points: batches of points in a graph, one or several at a time; each finished batch is saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.graph import Edges, StateGraph, pieces_of
from noughts.counting.frontier.grid import Grid, Point, Survey, values_bytes
from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Found, Report
from noughts.kernels.frontier import LANES, PAIRS
from noughts.kernels.frontier.values import (
    NOWHERE,
    branch_most,
    branch_reals,
    push,
    push_branches,
    push_most,
    push_reals,
)
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Workers, cuts, workers_for

_SAMPLE = 1 << 10
"""Rows of edges in a sample that shows where the targets of all edges lie."""

_WORTH_SENDING = 10**7
"""Other processes help from this many visits of states by batches on: a second or two of work."""

_SCALES = tuple(float(Fraction(2, 1) ** (half // 2) * (Fraction(3, 2) if half % 2 else 1)) for half in range(-5, 11))
"""The weights of a mark: for every number of marks one of them gives a bound near the best."""

Lanes = NDArray[np.uint32]
Values = list[tuple[int, ...]]
"""For each point, the value there and at its twin, for each of the last states of a graph."""


def counted_at_points(
    pattern: Pattern,
    graph: StateGraph,
    grid: Grid,
    together: int,
    workers: Workers,
    store: Checkpoints,
    key: str,
    report: Report,
) -> Found:
    """Return the balanced open positions of a pattern and, where the graph has them, the won positions.

    Finished batches are saved under the key. For the other parameters see `values_at`.
    """
    values = values_at(graph, grid.points(), together, workers, store, key, report)
    counts = grid.counts([each[:2] for each in values])
    won = grid.of_won().counts([each[2:] for each in values]) if graph.ends > 1 else ()
    pairs = [((t + 1) // 2, t // 2) for t in range(pattern.total + 1)]
    return Found(dict(zip(pairs, counts, strict=True)), dict(zip(pairs, won, strict=False)))


def survey_of(graph: StateGraph) -> Survey:
    """Return the survey of a graph: bounds on the counts, which make fewer points sufficient.

    If each mark weighs s > 0, all positions together weigh F(s) = sum of A(p, q) s^(p + q). So no A(p, q) exceeds
    F(s) / s^(p + q). The sums have only positive terms. In floating point each step errs by at most one part in 2^53
    for each edge; with 64 cells and a thousand million states this is less than one part in a thousand. Cost: about
    one batch of points, in time and in memory.
    """
    sizes = graph.sizes
    reals = [np.empty((max(sizes[parity::2], default=0), len(_SCALES))) for parity in (0, 1)]
    mosts = [np.empty((max(sizes[parity::2], default=0), 2), dtype=np.int16) for parity in (0, 1)]
    reals[0][0], mosts[0][0] = 0.5 if graph.is_merged else 1, 0  # the state that is its own twin counts half
    with np.errstate(over="ignore"):
        for step, edges in enumerate(graph.edges):
            here, there = step % 2, 1 - step % 2
            reals[there][: sizes[step + 1]] = 0
            mosts[there][: sizes[step + 1]] = NOWHERE
            scaled = np.array(_SCALES) ** graph.weights[step]
            begin = 0
            for piece in pieces_of(edges):
                end = begin + len(piece)
                push_reals(reals[there], reals[here][begin:end], piece, scaled)
                push_most(mosts[there], mosts[here][begin:end], piece, graph.weights[step])
                begin = end
            for piece in pieces_of(graph.branches[step]) if graph.branches else ():
                branch_reals(reals[there], reals[here], piece, scaled)
                branch_most(mosts[there], mosts[here], piece, graph.weights[step])
            if graph.is_merged:
                mosts[there][0] = mosts[there][0].max()
    last = len(graph.edges) % 2
    if graph.is_merged:
        reals[last][0] *= 2
    whole = reals[last][: graph.ends].sum(axis=0)
    sums = zip(_SCALES, (float(weight) for weight in whole), strict=True)
    return Survey(tuple(pair for pair in sums if isfinite(pair[1])), int(mosts[last][: graph.ends].max()))


class Halt:
    """A signal for running batches to stop."""

    called = False


def values_at(
    graph: StateGraph,
    points: Sequence[Point],
    together: int,
    workers: Workers,
    store: Checkpoints,
    key: str,
    report: Report,
) -> Values:
    """Return the values at all points and at their twins (y, x), in order.

    Parameters
    ----------
    graph, points
        The graph, and one point of each pair of twins.
    together
        The most batches at a time. Workers in other processes receive all batches at once. In this process idle threads
        help with a batch.
    workers, report
        Who works, and who receives the number of batches done.
    store, key
        Where each finished batch is saved, and under which key.

    An interruption ends the running batches of this process at their next cell.
    """
    batches = [points[i : i + PAIRS] for i in range(0, len(points), PAIRS)]
    keys = [f"points {key} {[tuple(point) for point in batch]}" for batch in batches]
    known = {number: record for number, key in enumerate(keys) if (record := store.result(key)) is not None}
    found = {number: [tuple(map(int, values)) for values in record] for number, record in known.items()}
    missing = [number for number in range(len(batches)) if number not in found]
    widest = max(graph.sizes)
    if len(missing) * sum(graph.sizes) < _WORTH_SENDING:
        workers = workers.here
    together = workers.together(together, graph.nbytes, values_bytes(widest))
    halt, hands = Halt(), workers.count // together if workers is workers.here else 1
    try:
        for begin in range(0, len(missing), together):
            report(len(found), widest)
            several = missing[begin : begin + together]
            swept = workers.map(sweep_batch, (graph, halt, max(1, hands)), [batches[number] for number in several])
            for number, values in zip(several, swept, strict=True):
                store.keep_result(keys[number], values)
                found[number] = values
                report(len(found), widest)
    finally:
        halt.called = True
    return [values for number in range(len(batches)) for values in found[number]]


def sweep_batch(shared: tuple[StateGraph, Halt, int], batch: Sequence[Point]) -> Values:
    """Return the values at up to `PAIRS` points and at their twins, an empty list after a halt.

    A work item: all batches share the graph, the halt signal and the number of threads.
    """
    graph, halt, threads = shared
    hands = workers_for(threads)
    padded = [*batch, *[batch[-1]] * (PAIRS - len(batch))]
    prime = np.array([point.prime for point in padded] * 2, dtype=np.uint32)
    sizes = graph.sizes
    room = [_room(max(sizes[parity::2], default=0)) for parity in (0, 1)]
    scales = {weight: _weights(padded, weight) for weight in set(graph.weights)}
    room[0][0] = _halved(np.ones_like(prime), prime) if graph.is_merged else 1
    with np.errstate(over="ignore"):
        for step, edges in enumerate(graph.edges):
            sources, targets = room[step % 2], room[1 - step % 2]
            for _ in hands.map(_emptied, targets, cuts(sizes[step + 1], threads)):
                pass
            given, begin = (*scales[graph.weights[step]], prime), 0
            for piece in pieces_of(edges):
                if halt.called:
                    return []
                _shared_out(
                    hands, push, piece, _some(piece) >> 1, (targets, sources[begin : begin + len(piece)], *given)
                )
                begin += len(piece)
            for piece in pieces_of(graph.branches[step]) if graph.branches else ():
                _shared_out(hands, push_branches, piece, _some(piece)[:, 1], (targets, sources, *given))
            if graph.is_merged:
                targets[0] = _halved(_with_twin(targets[0], prime), prime)
    last = room[len(graph.edges) % 2][: graph.ends]
    if graph.is_merged:
        last[0] = _with_twin(last[0], prime)
    return [tuple(int(end[lane]) for end in last for lane in (j, PAIRS + j)) for j in range(len(batch))]


def _emptied(values: Lanes, stretch: tuple[int, int]) -> None:
    values[slice(*stretch)] = 0


_Given = tuple[Lanes, Lanes, Lanes, Lanes, Lanes]
"""Targets, sources, weights, quotients and primes."""
_Followed = tuple[Callable[..., None], Edges, _Given]


def _some(edges: Edges) -> Edges:
    return edges[:: 1 + len(edges) // _SAMPLE]


def _shared_out(hands: Workers, follow: Callable[..., None], edges: Edges, leading: Edges, given: _Given) -> None:
    """Follow edges with several threads: each serves a range of targets, with equal shares of the sampled targets."""
    rising = np.sort(leading[leading >= 0], axis=None)
    inner = [int(rising[len(rising) * i // hands.count]) for i in range(1, hands.count) if len(rising)]
    ends = [0, *inner, len(given[0])]
    for _ in hands.map(_follow, (follow, edges, given), pairwise(ends)):
        pass


def _follow(shared: _Followed, stretch: tuple[int, int]) -> None:
    follow, edges, (targets, sources, weights, quotients, prime) = shared
    room = np.empty((2, LANES), dtype=np.uint32)
    follow(targets, sources, edges, weights, quotients, prime, room, *stretch)


def _room(states: int) -> Lanes:
    """Return empty memory for values; each state starts at a cache line, which saves a tenth of the time."""
    plain = np.empty((states + 1) * LANES, dtype=np.uint32)
    begin = -plain.ctypes.data % (4 * LANES) // 4
    return plain[begin : begin + states * LANES].reshape(states, LANES)


def _weights(points: Sequence[Point], weight: int) -> tuple[Lanes, Lanes]:
    """Return the weight of a mark on a pattern cell of `weight` board cells, with its precomputed quotients."""
    lanes = [(point.prime, pow(point.x, weight, point.prime), pow(point.y, weight, point.prime)) for point in points]
    straight, exchanged = ([lane[i] for lane in lanes] for i in (1, 2))
    weights = [straight + exchanged, exchanged + straight]
    quotients = [[(w << 32) // lanes[j % PAIRS][0] for j, w in enumerate(row)] for row in weights]
    return np.array(weights, dtype=np.uint32), np.array(quotients, dtype=np.uint32)


def _with_twin(value: Lanes, prime: Lanes) -> Lanes:
    """Return the value of the state that is its own twin, from the sum over its incoming edges.

    The state counts half, so its outgoing edges, which lead to twins, need no change.
    """
    wide = value.astype(np.uint64) + np.roll(value, PAIRS, axis=-1).astype(np.uint64)
    return (wide % prime.astype(np.uint64)).astype(np.uint32)


def _halved(value: Lanes, prime: Lanes) -> Lanes:
    wide = value.astype(np.uint64)
    odd = wide & np.uint64(1)
    return ((wide + odd * prime.astype(np.uint64)) // np.uint64(2)).astype(np.uint32)
