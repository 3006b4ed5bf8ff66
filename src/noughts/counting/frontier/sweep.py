"""The route of a frontier sweep: in which order cells are visited, and what each visit does to the open lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.counting.patterns import Pattern, PatternLine, filling_bound, moduli_for, recombine
from noughts.counting.sweeps import Checkpoints, Found, Report
from noughts.kernels.frontier.states import branch, expand, group_edges
from noughts.kernels.frontier.values import pull, pull_branches
from noughts.machine.workers import Workers, cuts
from noughts.rules.marks import Mask, cells_of

Words = NDArray[np.uint64]

_WORD = 64


@dataclass(frozen=True)
class Clears:
    """For the bit `slots[j]` the bits of the lines that need no watching while that one is alive, `masks[j]`."""

    slots: NDArray[np.int32]
    masks: Words


@dataclass(frozen=True)
class Visit:
    """What visiting one cell does; see `noughts.kernels.frontier.states` for the arrays.

    `strict` are the clears of each player while the first completed line is still to come, `loose` those after it.
    `freed` and `factors` are the lines let off and the weight, for each shared set that a line closing here holds.
    """

    cell: int
    weight: int
    masks: Words
    strict: tuple[Clears, Clears]
    loose: tuple[Clears, Clears]
    freed: Words
    factors: NDArray[np.int32]


@dataclass(frozen=True)
class _Bits:
    """Where the lines of one player are kept: the bit of each line, and the steps of its first and last cell."""

    lines: Sequence[PatternLine]
    first: list[int]
    last: list[int]
    slot: list[int]

    @classmethod
    def assign(cls, lines: Sequence[PatternLine], place: Sequence[int]) -> _Bits:
        spans = [sorted(place[cell] for cell in cells_of(line.trigger)) for line in lines]
        first, last = [span[0] for span in spans], [span[-1] for span in spans]
        slot = [-1] * len(lines)
        free: list[int] = []
        top = 0
        begun, ended = _by_step(first, len(place)), _by_step(last, len(place))
        for step in range(len(place)):
            for i in begun[step]:
                if free:
                    slot[i] = free.pop()
                else:
                    slot[i] = top
                    top += 1
            free += [slot[i] for i in ended[step]]
            free.sort(reverse=True)
        return cls(lines, first, last, slot)

    @property
    def top(self) -> int:
        return max(self.slot, default=-1) + 1

    def mask(self, chosen: Sequence[int], words: int) -> Words:
        bits = np.zeros(words, dtype=np.uint64)
        for i in chosen:
            bits[self.slot[i] // _WORD] |= np.uint64(1 << self.slot[i] % _WORD)
        return bits

    def open_after(self, step: int) -> list[int]:
        return [i for i in range(len(self.lines)) if self.first[i] <= step < self.last[i]]

    def clears(self, step: int, future: Mask, words: int, watch_cores: bool) -> Clears:
        """Find the lines that are superfluous while another, with no cell left that they lack, is alive.

        While wins may still come (`watch_cores`) no shared set may let the stricter line off without the other.
        """
        alive = self.open_after(step)
        rest = {i: self.lines[i].trigger & future for i in alive}
        core = {i: self.lines[i].core if watch_cores else 0 for i in alive}

        def implies(i: int, j: int) -> bool:
            return rest[i] & rest[j] == rest[i] and core[i] & self.lines[j].core == core[i]

        slots, masks = [], []
        for i in alive:
            dropped = [j for j in alive if j != i and implies(i, j) and (i < j or not implies(j, i))]
            if dropped:
                slots.append(self.slot[i])
                masks.append(self.mask(dropped, words))
        return Clears(
            np.array(slots, dtype=np.int32),
            np.array(masks, dtype=np.uint64).reshape(len(masks), words),
        )


def _by_step(steps: Sequence[int], many: int) -> list[list[int]]:
    """Return for each step the numbers of the lines that have it."""
    lines: list[list[int]] = [[] for _ in range(many)]
    for i, step in enumerate(steps):
        lines[step].append(i)
    return lines


class Route:
    """The steps of a sweep over a pattern in a given order of its cells.

    `shared` are the weighted sets of `shared_sets`, for the first player's wins; without them only positions in which
    nobody has a line are counted.
    """

    def __init__(self, pattern: Pattern, order: Sequence[int], shared: dict[Mask, int] | None = None) -> None:
        self.pattern = pattern
        self.order = tuple(order)
        self.shared = shared
        self._visits: dict[int, Visit] = {}
        place = [0] * pattern.size
        for step, cell in enumerate(order):
            place[cell] = step
        self._bits = (_Bits.assign(pattern.first, place), _Bits.assign(pattern.second, place))
        self.words = max(1, *(-(-bits.top // _WORD) for bits in self._bits))
        self.weights = tuple(pattern.weights[cell] for cell in order)

    @cached_property
    def moduli(self) -> tuple[int, ...]:
        """The moduli with which all counts are exact."""
        return moduli_for(filling_bound(self.weights))

    @property
    def has_won(self) -> bool:
        """Whether the sweep counts won positions too."""
        return self.shared is not None

    def visit(self, step: int) -> Visit:
        """Return what visiting the cell number `step` of the order does."""
        if step not in self._visits:
            self._visits[step] = self._made(step)
        return self._visits[step]

    def _made(self, step: int) -> Visit:
        cell = self.order[step]
        future = sum(1 << later for later in self.order[step + 1 :])
        masks = np.zeros((6, self.words), dtype=np.uint64)
        for half, bits in enumerate(self._bits):
            indices = range(len(bits.lines))
            masks[3 * half] = bits.mask([i for i in indices if bits.lines[i].trigger >> cell & 1], self.words)
            masks[3 * half + 1] = bits.mask([i for i in indices if bits.first[i] == step], self.words)
            masks[3 * half + 2] = bits.mask([i for i in indices if bits.last[i] == step], self.words)
        x_bits = self._bits[0]
        here = {i for i in range(len(x_bits.lines)) if x_bits.first[i] <= step <= x_bits.last[i]}
        closing = [line.core for i, line in enumerate(x_bits.lines) if x_bits.last[i] == step]
        chosen = [(t, w) for t, w in (self.shared or {}).items() if any(t & core == t for core in closing)]
        freed = [
            x_bits.mask([i for i, line in enumerate(x_bits.lines) if line.core & t == t and i in here], self.words)
            for t, _ in chosen
        ]
        strict, loose = self._clears(step, future)
        return Visit(
            cell,
            self.pattern.weights[cell],
            masks,
            strict,
            loose,
            np.array(freed, dtype=np.uint64).reshape(len(freed), self.words),
            np.array([w for _, w in chosen], dtype=np.int32),
        )

    def _clears(self, step: int, future: Mask) -> tuple[tuple[Clears, Clears], tuple[Clears, Clears]]:
        """Return the strict and the loose clears of each player; those that are the same are found once."""
        x_bits, o_bits = self._bits
        x = x_bits.clears(step, future, self.words, False)
        loose = (x, x if self.pattern.is_symmetric else o_bits.clears(step, future, self.words, False))
        if not self.has_won:
            return loose, loose
        strict = x_bits.clears(step, future, self.words, True)
        return (strict, strict if self.pattern.is_symmetric else loose[1]), loose


# One sweep of a frontier over a pattern: states and values, cell by cell.

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


# A whole sweep of a frontier, from the first cell to the last, with checkpoints.

_RESULTS = ("open", "won", "other")
_MODULI = "moduli"
_ARRAYS = ("step", "states", "values", "won", "won_values", _MODULI)


def swept(route: Route, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
    """Return the positions of a pattern of up to `to_ply` marks: those nobody has won, and the first player's wins.

    With a store the front is kept there after every cell and taken up again from there.
    """
    key = f"{route.pattern} {route.order} {route.has_won} {to_ply}"
    if store is not None:
        known = store.result(key)
        if known is not None:
            return _read(known)
    front = _stored(store, key) or first_front(route)
    with np.errstate(over="ignore"):
        while front.step < route.pattern.size:
            report(front.step, len(front.states) + len(front.won))
            front = advance(route, front, to_ply, workers)
            if store is not None:
                _keep(store, key, front)
    found = finish(route, front, to_ply)
    if store is not None:
        store.keep_result(key, _written(found, min(to_ply, route.pattern.total)))
    return found


def _written(found: Found, last: int) -> dict[str, list[str]]:
    """Return what is kept: by number of marks the open positions, and those won with either number of marks."""
    pairs = [((t + 1) // 2, t // 2) for t in range(last + 1)]
    columns = (
        [found.open[p, q] for p, q in pairs],
        [found.won[p, q] for p, q in pairs],
        [found.won[q, p] for p, q in pairs],
    )
    return {name: [str(n) for n in column] for name, column in zip(_RESULTS, columns, strict=True)}


def _read(known: dict[str, list[str]]) -> Found:
    found = Found({}, {})
    for t, (still_open, won, other) in enumerate(zip(*(map(int, known[name]) for name in _RESULTS), strict=True)):
        p, q = (t + 1) // 2, t // 2
        found.open[p, q], found.won[p, q], found.won[q, p] = still_open, won, other
    return found


def _stored(store: Checkpoints | None, key: str) -> Front | None:
    arrays = store.arrays(key, _ARRAYS) if store is not None else None
    if arrays is None:
        return None
    moduli = tuple(int(m) for m in arrays[_MODULI])
    states, values, won, won_values = (arrays[name] for name in _ARRAYS[1:5])
    return Front(int(arrays["step"]), states, values, won, won_values, moduli)


def _keep(store: Checkpoints, key: str, front: Front) -> None:
    store.keep_arrays(
        key,
        {
            "step": np.array(front.step),
            "states": front.states,
            "values": front.values,
            "won": front.won,
            "won_values": front.won_values,
            _MODULI: np.array([str(m) for m in front.moduli]),
        },
    )
