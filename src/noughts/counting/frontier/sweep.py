"""Sweeps of the engine `frontier` over a pattern: states and tables of values, cell by cell.

A route gives the order of the cells, and the effect of each visit on the open lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.order import moduli_along, surplus_of
from noughts.counting.patterns import Pattern, PatternLine, recombine
from noughts.counting.sweeps import Found, Report
from noughts.kernels.frontier.states import branch, expand, group_edges
from noughts.kernels.frontier.values import pull, pull_branches
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Workers, cuts
from noughts.rules.marks import Mask, cells_of

Words = NDArray[np.uint64]
Values = NDArray[Any]
Clears = tuple[NDArray[np.int32], Words, NDArray[np.int32], Words]
"""For each player: bits of lines, and for each line the lines that may be dropped while it is alive."""

_WORD = 64
_SLICES = 8
"""Pieces per worker for the states of a large front."""

_WORTH_WORKERS = 1 << 18
"""Workers share a front from this many additions on."""


@dataclass(frozen=True)
class Visit:
    """The effect of visiting one cell; see `noughts.kernels.frontier.states` for the arrays.

    `strict` are the players' clears before the first complete line, `loose` those after it. `freed` and `factors` give,
    for each shared set within a line that ends here, the lines that it frees and its weight.
    """

    weight: int
    masks: Words
    strict: Clears
    loose: Clears
    freed: Words
    factors: NDArray[np.int32]


class _Bits:
    """The bits for the lines of one player: the bit of each line, and the steps of its first and last cell."""

    def __init__(self, lines: Sequence[PatternLine], place: Sequence[int]) -> None:
        spans = [sorted(place[cell] for cell in cells_of(line.trigger)) for line in lines]
        self.lines = lines
        self.first, self.last = [span[0] for span in spans], [span[-1] for span in spans]
        self.slot = [-1] * len(lines)
        self.top = 0
        free: list[int] = []
        for step in range(len(place)):
            for i in self.at(self.first, step):
                if not free:
                    free.append(self.top)
                    self.top += 1
                self.slot[i] = free.pop()
            free += [self.slot[i] for i in self.at(self.last, step)]
            free.sort(reverse=True)

    def at(self, steps: Sequence[int], step: int) -> list[int]:
        """Return the numbers of the lines whose entry in `steps` is `step`."""
        return [i for i, each in enumerate(steps) if each == step]

    def mask(self, chosen: Sequence[int], words: int) -> Words:
        bits = np.zeros(words, dtype=np.uint64)
        for i in chosen:
            bits[self.slot[i] // _WORD] |= np.uint64(1 << self.slot[i] % _WORD)
        return bits

    def clears(self, step: int, future: Mask, words: int, watch_cores: bool) -> tuple[NDArray[np.int32], Words]:
        """Return for each line the lines that are redundant while it is alive.

        A line is redundant if it needs all the future cells of the living line. While wins may still come
        (`watch_cores`), every shared set that frees the living line must also free the redundant one.
        """
        alive = [i for i in range(len(self.lines)) if self.first[i] <= step < self.last[i]]
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
        return np.array(slots, dtype=np.int32), np.array(masks, dtype=np.uint64).reshape(len(masks), words)


class Route:
    """The steps of a sweep over a pattern in a given order of its cells.

    `shared` are the weighted sets of `shared_sets`, for the first player's wins; without them only positions without a
    line are counted. `moduli` are the moduli with which values are exact after each number of cells.
    """

    def __init__(self, pattern: Pattern, order: Sequence[int], shared: dict[Mask, int] | None = None) -> None:
        self.pattern, self.order, self.shared = pattern, tuple(order), shared
        self.has_won = shared is not None
        self.weights = tuple(pattern.weights[cell] for cell in order)
        self.moduli = moduli_along(self.weights, surplus_of(shared))
        self._visits: dict[int, Visit] = {}
        place = [0] * pattern.size
        for step, cell in enumerate(order):
            place[cell] = step
        self._bits = (_Bits(pattern.first, place), _Bits(pattern.second, place))
        self.words = max(1, *(-(-bits.top // _WORD) for bits in self._bits))

    def visit(self, step: int) -> Visit:
        """Return the effect of visiting the cell number `step` of the order."""
        if step not in self._visits:
            self._visits[step] = self._made(step)
        return self._visits[step]

    def _made(self, step: int) -> Visit:
        cell = self.order[step]
        masks = np.zeros((6, self.words), dtype=np.uint64)
        for half, bits in enumerate(self._bits):
            through = [i for i, line in enumerate(bits.lines) if line.trigger >> cell & 1]
            for row, chosen in enumerate((through, bits.at(bits.first, step), bits.at(bits.last, step))):
                masks[3 * half + row] = bits.mask(chosen, self.words)
        x_bits = self._bits[0]
        here = [i for i in range(len(x_bits.lines)) if x_bits.first[i] <= step <= x_bits.last[i]]
        closing = [x_bits.lines[i].core for i in x_bits.at(x_bits.last, step)]
        chosen_sets = [(t, w) for t, w in (self.shared or {}).items() if any(t & core == t for core in closing)]
        freed = [x_bits.mask([i for i in here if x_bits.lines[i].core & t == t], self.words) for t, _ in chosen_sets]
        strict, loose = self._clears(step)
        return Visit(
            self.weights[step],
            masks,
            strict,
            loose,
            np.array(freed, dtype=np.uint64).reshape(len(freed), self.words),
            np.array([w for _, w in chosen_sets], dtype=np.int32),
        )

    def _clears(self, step: int) -> tuple[Clears, Clears]:
        """Return the strict and the loose clears; equal ones are computed once."""
        future = sum(1 << later for later in self.order[step + 1 :])
        (x_bits, o_bits), same = self._bits, self.pattern.is_symmetric
        x = x_bits.clears(step, future, self.words, False)
        o = x if same else o_bits.clears(step, future, self.words, False)
        if not self.has_won:
            return (*x, *o), (*x, *o)
        strict = x_bits.clears(step, future, self.words, True)
        return (*strict, *(strict if same else o)), (*x, *o)


Layout = NDArray[np.int32]
"""The entries of a value after some step: all (t, p) that can still end with p - q in -1..1.

Here t is the number of marks, p of X and q of O.
The entry of (t, p) has the number `layout[0, t] + p - low`, for p from low = `layout[1, t]` to
high = `layout[2, t]` = t - low; there is none where low > high.
"""


def layout_of(weights: Sequence[int], step: int, to_ply: int) -> Layout:
    """Return the layout after `step` of the cells with these weights, for up to `to_ply` marks."""
    slack = sum(weights[step:]) + 1
    rows = min(sum(weights[:step]), to_ply) + 1
    layout = np.empty((3, rows), dtype=np.int32)
    entries = 0
    for t in range(rows):
        low = max(0, -((slack - t) // 2))
        layout[:, t] = entries, low, t - low
        entries += max(0, t - 2 * low + 1)
    return layout


def _entries(layout: Layout) -> int:
    offset, low, high = (int(n) for n in layout[:, -1])
    return offset + max(0, high - low + 1)


_Runs = tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint64]]
"""The moves of entries for each code of an edge, and the moduli; see `noughts.kernels.frontier.values`."""


def _runs(before: Layout, after: Layout, weight: int, moduli: Sequence[int]) -> _Runs:
    rows = before.shape[1]
    runs = np.zeros((6, rows, 3), dtype=np.uint64)
    many = np.zeros(6, dtype=np.int32)
    for code in range(6):
        placed, placed_x = weight if code > 1 else 0, weight if code in (2, 3) else 0
        for t in range(min(rows, after.shape[1] - placed)):
            source, low, high = (int(n) for n in before[:, t])
            target, target_low, target_high = (int(n) for n in after[:, t + placed])
            first, last = max(low, target_low - placed_x), min(high, target_high - placed_x)
            if first <= last:
                out = source + (t - first if code & 1 else first) - low
                runs[code, many[code]] = out, target + first + placed_x - target_low, last - first + 1
                many[code] += 1
    return runs, many, np.array([0 if m in (1 << 32, 1 << 64) else m for m in moduli], dtype=np.uint64)


@dataclass(frozen=True)
class Front:
    """All states after `step` cells and their values, [state, modulus, entry].

    `states` are those without a line; where wins are counted, no shared set is chosen there yet. `won` are the states
    after a shared set was chosen.
    """

    step: int
    states: Words
    values: Values
    won: Words
    won_values: Values


def _word(moduli: tuple[int, ...]) -> type[np.uint32] | type[np.uint64]:
    return np.uint32 if moduli == (1 << 32,) else np.uint64


class _Edges:
    """Edges to the states after a step, grouped by their targets after a call of `group`."""

    def __init__(self, room: int, *, with_factors: bool = False) -> None:
        self.sources = np.empty(room, dtype=np.int32)
        self.targets = np.empty(room, dtype=np.int32)
        self.codes = np.empty(room, dtype=np.int8)
        self.factors = np.empty(room if with_factors else 0, dtype=np.int32)
        self.with_factors = with_factors

    def group(self, edges: int, states: int) -> None:
        """Sort the first `edges` edges by their target states."""
        self.starts = np.empty(states + 1, dtype=np.int64)
        self.order = np.empty(edges, dtype=np.int32)
        group_edges(self.targets, edges, self.starts, self.order)
        del self.targets


def _table(room: int) -> NDArray[np.int32]:
    return np.full(1 << (2 * room - 1).bit_length(), -1, dtype=np.int32)


def _grown(room: int, most: int, width: int, write: Callable[[NDArray[np.int32], Words], int]) -> Words:
    """Return the states that `write` finds; its arrays are enlarged until they suffice."""
    while True:
        found = np.empty((room, width), dtype=np.uint64)
        size = write(_table(room), found)
        if size >= 0:
            return found[:size].copy()
        room = min(2 * room, most)


def open_successors(visit: Visit, states: Words, swap: bool) -> tuple[Words, _Edges]:
    """Visit one cell from all states without a line; return the states after it, and the edges to them."""
    (count, width), used = states.shape, 0
    edges, scratch = _Edges(6 * count), np.empty((1, width), dtype=np.uint64)

    def write(table: NDArray[np.int32], found: Words) -> int:
        nonlocal used
        size, used = expand(
            states, count, visit.masks, *visit.strict, swap, table, found, 0,
            edges.sources, edges.targets, edges.codes, scratch,
        )  # fmt: skip
        return int(size)

    reached = _grown(min(3 * count, 2 * count + 4096) + 1, 3 * count + 1, width, write)
    edges.group(used, len(reached))
    return reached, edges


def won_successors(visit: Visit, states: Words, won: Words, swap: bool) -> tuple[Words, _Edges, _Edges]:
    """Return the states with a line of the first player, the edges from such states, and those from states without."""
    choices, width, used = len(visit.factors), states.shape[1], (0, 0)
    edges, extra = _Edges(3 * len(won)), _Edges(2 * choices * len(states), with_factors=True)
    most, scratch = 3 * len(won) + 2 * choices * len(states) + 1, np.empty((3, width), dtype=np.uint64)

    def write(table: NDArray[np.int32], found: Words) -> int:
        nonlocal used
        more = 0
        size, inner = expand(
            won, len(won), visit.masks, *visit.loose, False, table, found, 0,
            edges.sources, edges.targets, edges.codes, scratch,
        )  # fmt: skip
        if size >= 0 and choices:
            size, more = branch(
                states, len(states), visit.masks, visit.freed, visit.factors, *visit.loose, swap, table, found, size,
                extra.sources, extra.targets, extra.codes, extra.factors, scratch,
            )  # fmt: skip
        used = inner, more
        return int(size)

    reached = _grown(min(most, 2 * len(won) + len(states) + 4096), most, width, write)
    edges.group(used[0], len(reached))
    extra.group(used[1], len(reached))
    return reached, edges, extra


def _spread(values: Values, moduli: tuple[int, ...], signed: bool) -> Values:
    """Return exact values of one word as remainders for several moduli."""
    exact = values[:, 0, :].astype(np.int64 if signed else np.uint64)
    wide = np.empty((values.shape[0], len(moduli), values.shape[2]), dtype=np.uint64)
    wide[:, 0] = exact.astype(np.uint64)
    for k, modulus in enumerate(moduli[1:], start=1):
        wide[:, k] = exact % exact.dtype.type(modulus)
    return wide


def advance(route: Route, front: Front, to_ply: int, workers: Workers) -> Front:
    """Visit the next cell and return the front after it."""
    step, visit, swap = front.step + 1, route.visit(front.step), route.pattern.is_symmetric
    before, after = (layout_of(route.weights, at, to_ply) for at in (front.step, step))
    moduli, was = route.moduli[step], route.moduli[front.step]
    values, won_values = front.values, front.won_values
    if len(moduli) > len(was):
        values, won_values = _spread(values, moduli, False), _spread(won_values, moduli, True)
    values = values.astype(_word(moduli), copy=False)  # both kernels take one word size only
    runs = _runs(before, after, visit.weight, moduli)
    shape = len(moduli), _entries(after)
    with np.errstate(over="ignore"):  # hashing wraps around on purpose, which uncompiled kernels would warn of
        states, edges = open_successors(visit, front.states, swap)
        won, inner, branches = front.won, edges, edges
        if route.has_won:
            won, inner, branches = won_successors(visit, front.states, front.won, swap)
        targets = np.empty((len(states), *shape), dtype=values.dtype)
        won_targets = np.empty((len(won), *shape), dtype=np.uint64)
        _fill(targets, [(values, edges)], runs, workers)
        if route.has_won:
            _fill(won_targets, [(won_values, inner), (values, branches)], runs, workers)
    return Front(step, states, targets, won, won_targets)


_Sources = list[tuple[Values, _Edges]]
"""Values before a visit, with the edges from their states."""


def _fill(targets: Values, sources: _Sources, runs: _Runs, workers: Workers) -> None:
    """Fill `targets` in slices; one worker writes each slice, so the number of workers does not change the sums."""
    additions = sum(len(edges.order) for _, edges in sources) * targets.shape[2]
    parts = cuts(len(targets), workers.count * _SLICES if workers.count > 1 and additions >= _WORTH_WORKERS else 1)
    for _ in workers.fill(_filled, (sources, runs), parts, parts, targets):
        pass


def _filled(shared: tuple[_Sources, _Runs], cut: tuple[int, int], part: Values) -> None:
    (sources, runs), (begin, end) = shared, cut
    part.fill(0)
    for values, edges in sources:
        given = (part, values, edges.starts[begin : end + 1], edges.order, edges.sources, edges.codes)
        if edges.with_factors:
            pull_branches(*given, edges.factors, *runs, 0, end - begin)
        else:
            pull(*given, *runs, 0, end - begin)


def finish(route: Route, front: Front, to_ply: int) -> Found:
    """Return the counts of the last front by both players' marks: open positions, and the first player's wins."""
    layout, moduli = layout_of(route.weights, front.step, to_ply), route.moduli[front.step]
    found = Found({}, {})
    for values, table in ((front.values, found.open), (front.won_values, found.won)):
        for t in range(layout.shape[1]):
            offset, low, high = (int(n) for n in layout[:, t])
            for p in range(low, high + 1):
                column = [int(n) for n in values[0, :, offset + p - low]] if len(values) else [0] * len(moduli)
                table[p, t - p] = recombine(column, moduli)
    return found


_ARRAYS = ("step", "states", "values", "won", "won_values")


def swept(route: Route, to_ply: int, workers: Workers, store: Checkpoints, report: Report) -> Found:
    """Return the positions of a pattern of up to `to_ply` marks: open positions, and the first player's wins.

    The front is saved in the store after every cell, and a run resumes from there.
    """
    key = f"{route.pattern} {route.order} {route.has_won} {to_ply}"
    if (known := store.result(key)) is not None:
        return Found.of_record(known)
    none, no_values = np.zeros((0, 2 * route.words), dtype=np.uint64), np.zeros((0, 1, 1), dtype=np.uint64)
    first = np.zeros((1, 2 * route.words), dtype=np.uint64)  # one state without a line under way, reached in one way
    front = Front(0, first, np.ones((1, 1, 1), dtype=_word(route.moduli[0])), none, no_values)
    if (arrays := store.arrays(key, _ARRAYS)) is not None:
        front = Front(int(arrays["step"]), *(arrays[name] for name in _ARRAYS[1:]))
    while front.step < route.pattern.size:
        report(front.step, len(front.states) + len(front.won))
        front = advance(route, front, to_ply, workers)
        store.keep_arrays(key, {name: np.asarray(getattr(front, name)) for name in _ARRAYS})
    found = finish(route, front, to_ply)
    store.keep_result(key, found.record())
    return found
