"""One sweep of a frontier over a pattern: states and values, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.route import Clears, Route, Visit
from noughts.counting.patterns.residues import filling_bound, recombine
from noughts.counting.sweeps import Found
from noughts.kernels.frontier.states import branch, expand, group_edges
from noughts.kernels.frontier.values import pull, pull_branches
from noughts.machine.workers import Workers, cuts

__all__ = ["Front", "Ledger", "Successors", "advance", "finish", "first_front", "layout_of", "moduli_at", "successors"]

Words = NDArray[np.uint64]
Values = NDArray[Any]

_expand: Callable[..., tuple[int, int]] = expand
_branch: Callable[..., tuple[int, int]] = branch

_WIDE_UP_TO = 27
"""Up to so many cells values are in words of 64 bits throughout: memory is no matter, fewer kernels are compiled."""

_SLICES = 8
"""Pieces per worker into which the states of a large front are cut."""

_WORTH_WORKERS = 1 << 18
"""Additions from which on workers share a front."""


@dataclass(frozen=True)
class Ledger:
    """The entries of a value after some step: all (t, p) that can still end with p - q in -1..1.

    t are the marks placed, p of them X. Entry `layout[0, t] + p - low` is that of (t, p), for p from
    low = `layout[1, t]` to high = `layout[2, t]` = t - low; no p where low > high. `entries` are all of them.
    """

    layout: NDArray[np.int32]
    entries: int


def layout_of(visited: int, remaining: int, to_ply: int) -> Ledger:
    """Return the ledger when cells weighing `visited` were visited and cells weighing `remaining` are left."""
    slack = remaining + 1
    rows = min(visited, to_ply) + 1
    layout = np.empty((3, rows), dtype=np.int32)
    entries = 0
    for t in range(rows):
        low = max(0, -((slack - t) // 2))
        layout[:, t] = entries, low, t - low
        entries += max(0, t - 2 * low + 1)
    return Ledger(layout, entries)


def _runs(before: Ledger, after: Ledger, weight: int) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return how entries move, for each code of an edge: see `noughts.kernels.frontier.values`."""
    rows = before.layout.shape[1]
    runs = np.zeros((6, rows, 3), dtype=np.uint64)
    many = np.zeros(6, dtype=np.int32)
    for code in range(6):
        placed, placed_x = weight if code > 1 else 0, weight if code in (2, 3) else 0
        for t in range(min(rows, after.layout.shape[1] - placed)):
            source, low, high = (int(n) for n in before.layout[:, t])
            target, target_low, target_high = (int(n) for n in after.layout[:, t + placed])
            first, last = max(low, target_low - placed_x), min(high, target_high - placed_x)
            if first <= last:
                out = source + (t - first if code & 1 else first) - low
                runs[code, many[code]] = out, target + first + placed_x - target_low, last - first + 1
                many[code] += 1
    return runs, many


@dataclass(frozen=True)
class Front:
    """All states after `step` cells and their values, [state, modulus, entry].

    `states` are those in which nobody has a line and, where wins are counted, no shared set was chosen yet; `won` those
    after one was chosen. `moduli` belong to the axis in the middle.
    """

    step: int
    states: Words
    values: Values
    won: Words
    won_values: Values
    moduli: tuple[int, ...]

    @property
    def memory(self) -> int:
        """The size in bytes."""
        return self.states.nbytes + self.values.nbytes + self.won.nbytes + self.won_values.nbytes


def first_front(route: Route) -> Front:
    """Return the front before the first cell: one state with no open line, reached in one way."""
    return Front(
        0,
        np.zeros((1, 2 * route.words), dtype=np.uint64),
        np.ones((1, 1, layout_of(0, route.pattern.total, 0).entries), dtype=np.uint32),
        np.zeros((0, 2 * route.words), dtype=np.uint64),
        np.zeros((0, 1, 1), dtype=np.uint64),
        (1 << 32,),
    )


@dataclass(frozen=True)
class _Edges:
    starts: NDArray[np.int64]
    order: NDArray[np.int32]
    sources: NDArray[np.int32]
    codes: NDArray[np.int8]
    factors: NDArray[np.int32] | None


class _Recorder:
    """Collects edges of one kind; grows to what one call may write."""

    def __init__(self, room: int, with_factors: bool, record: bool) -> None:
        size = room if record else 0
        self.sources = np.empty(size, dtype=np.int32)
        self.targets = np.empty(size, dtype=np.int32)
        self.codes = np.empty(size, dtype=np.int8)
        self.factors = np.empty(size if with_factors else 0, dtype=np.int32)
        self.with_factors = with_factors

    def grouped(self, edges: int, states: int) -> _Edges:
        starts = np.empty(states + 1, dtype=np.int64)
        order = np.empty(edges, dtype=np.int32)
        group_edges(self.targets, edges, starts, order)
        return _Edges(starts, order, self.sources, self.codes, self.factors if self.with_factors else None)


@dataclass(frozen=True)
class Successors:
    """The states after a step, and the edges to them where they were asked for."""

    states: Words
    won: Words
    edges: _Edges | None
    won_edges: _Edges | None
    branch_edges: _Edges | None


def _clears(pair: tuple[Clears, Clears]) -> tuple[Any, ...]:
    return pair[0].slots, pair[0].masks, pair[1].slots, pair[1].masks


def _table(room: int) -> NDArray[np.int32]:
    return np.full(1 << (2 * room - 1).bit_length(), -1, dtype=np.int32)


def successors(visit: Visit, states: Words, won: Words, swap: bool, has_won: bool, record: bool) -> Successors:
    """Visit one cell from all states; with `record` remember which state leads where."""
    with np.errstate(over="ignore"):  # hashing wraps around on purpose, which uncompiled kernels would warn of
        open_states, open_edges = _open_successors(visit, states, swap, record)
        if not has_won:
            return Successors(open_states, won, open_edges, None, None)
        won_states, won_edges, branch_edges = _won_successors(visit, states, won, swap, record)
    return Successors(open_states, won_states, open_edges, won_edges, branch_edges)


def _open_successors(visit: Visit, states: Words, swap: bool, record: bool) -> tuple[Words, _Edges | None]:
    count, width = states.shape
    edges = _Recorder(6 * count, False, record)
    room = min(3 * count, 2 * count + 4096) + 1
    while True:
        found = np.empty((room, width), dtype=np.uint64)
        recorder: tuple[Any, ...] = (
            edges.sources,
            edges.targets,
            edges.codes,
            record,
            np.empty((1, width), dtype=np.uint64),
        )
        size, used = _expand(
            states, count, visit.masks, *_clears(visit.strict), swap, _table(room), found, 0, *recorder
        )
        if size >= 0:
            break
        room = min(2 * room, 3 * count + 1)
    return found[:size].copy(), edges.grouped(used, size) if record else None


def _won_successors(
    visit: Visit, states: Words, won: Words, swap: bool, record: bool
) -> tuple[Words, _Edges | None, _Edges | None]:
    choices = len(visit.factors)
    edges = _Recorder(3 * len(won), False, record)
    extra = _Recorder(2 * choices * len(states), True, record)
    most = 3 * len(won) + 2 * choices * len(states) + 1
    room = min(most, 2 * len(won) + len(states) + 4096)
    used_extra = 0
    while True:
        found = np.empty((room, states.shape[1]), dtype=np.uint64)
        table = _table(room)
        scratch = np.empty((3, states.shape[1]), dtype=np.uint64)
        recorder: tuple[Any, ...] = (edges.sources, edges.targets, edges.codes, record, scratch)
        size, used = _expand(won, len(won), visit.masks, *_clears(visit.loose), False, table, found, 0, *recorder)
        if size >= 0 and choices:
            size, used_extra = _branch(
                states, len(states), visit.masks, visit.freed, visit.factors, *_clears(visit.loose), swap, table, found,
                size, extra.sources, extra.targets, extra.codes, extra.factors, record, scratch,
            )  # fmt: skip
        if size >= 0:
            break
        room = min(2 * room, most)
    if not record:
        return found[:size].copy(), None, None
    return found[:size].copy(), edges.grouped(used, size), extra.grouped(used_extra, size)


def _spread(values: Values, moduli: tuple[int, ...], signed: bool) -> Values:
    """Turn exact values in one word into remainders for several moduli."""
    exact = values[:, 0, :].astype(np.int64 if signed else np.uint64)
    wide = np.empty((values.shape[0], len(moduli), values.shape[2]), dtype=np.uint64)
    wide[:, 0] = exact.astype(np.uint64)
    for k, modulus in enumerate(moduli[1:], start=1):
        wide[:, k] = exact % exact.dtype.type(modulus)
    return wide


def moduli_at(route: Route, step: int) -> tuple[int, ...]:
    """Return the moduli with which the values after `step` cells are exact, or those of the end if one is too few."""
    bound = filling_bound(route.weights[:step])
    signed = 2 * bound * sum(abs(w) for w in (route.shared or {}).values()) if route.has_won else 0
    if bound < 1 << 32 and signed < 1 << 64 and sum(route.weights) > _WIDE_UP_TO:
        return (1 << 32,)
    if bound < 1 << 64 and signed < 1 << 64:
        return (1 << 64,)
    return route.moduli


def advance(route: Route, front: Front, to_ply: int, workers: Workers) -> Front:
    """Visit the next cell and return the front after it."""
    visit = route.visit(front.step)
    swap = route.pattern.is_symmetric
    reached = successors(visit, front.states, front.won, swap, route.has_won, True)
    weights = route.weights
    before = layout_of(sum(weights[: front.step]), sum(weights[front.step :]), to_ply)
    after = layout_of(sum(weights[: front.step + 1]), sum(weights[front.step + 1 :]), to_ply)
    moduli = moduli_at(route, front.step + 1)
    values, won_values = front.values, front.won_values
    if len(moduli) > len(front.moduli):
        values, won_values = _spread(values, moduli, False), _spread(won_values, moduli, True)
    dtype = np.uint32 if moduli == (1 << 32,) else np.uint64
    if values.dtype != dtype:  # both kernels take one word size only
        values = values.astype(dtype)
    targets = np.empty((len(reached.states), len(moduli), after.entries), dtype=dtype)
    won_targets = np.empty((len(reached.won), len(moduli), after.entries), dtype=np.uint64)
    kernel_moduli = np.array([0 if m in (1 << 32, 1 << 64) else m for m in moduli], dtype=np.uint64)
    runs = (*_runs(before, after, visit.weight), kernel_moduli)
    _fill(targets, [(values, reached.edges)], runs, workers)
    _fill(won_targets, [(won_values, reached.won_edges), (values, reached.branch_edges)], runs, workers)
    return Front(front.step + 1, reached.states, targets, reached.won, won_targets, moduli)


_Runs = tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint64]]
"""How entries move, and the moduli; see `noughts.kernels.frontier.values`."""

_Sources = list[tuple[Values, _Edges | None]]
"""Values before a visit, with the edges that lead on from them."""


def _fill(targets: Values, sources: _Sources, runs: _Runs, workers: Workers) -> None:
    """Fill `targets` by slices; each is written by one worker, so their number does not change the sums."""
    known = [(values, edges) for values, edges in sources if edges is not None]
    additions = sum(len(edges.order) for _, edges in known) * targets.shape[2]
    parts = cuts(len(targets), workers.count * _SLICES if workers.count > 1 and additions >= _WORTH_WORKERS else 1)
    for _ in workers.fill(_filled, (known, runs), parts, parts, targets):
        pass


def _filled(shared: tuple[list[tuple[Values, _Edges]], _Runs], cut: tuple[int, int], part: Values) -> None:
    """Add up the values of the states of a slice."""
    (sources, runs), (begin, end) = shared, cut
    part.fill(0)
    for values, edges in sources:
        given = (part, values, edges.starts[begin : end + 1], edges.order, edges.sources, edges.codes)
        if edges.factors is None:
            pull(*given, *runs, 0, end - begin)
        else:
            pull_branches(*given, edges.factors, *runs, 0, end - begin)


def finish(route: Route, front: Front, to_ply: int) -> Found:
    """Return the counts of the last front by (marks of the first, of the second player): nobody has won, first has."""
    ledger = layout_of(route.pattern.total, 0, to_ply)
    found = Found({}, {})
    for values, table in ((front.values, found.open), (front.won_values, found.won)):
        for t in range(ledger.layout.shape[1]):
            offset, low, high = (int(n) for n in ledger.layout[:, t])
            for p in range(low, high + 1):
                column = [int(n) for n in values[0, :, offset + p - low]] if len(values) else [0] * len(front.moduli)
                table[p, t - p] = recombine(column, front.moduli)
    return found
