"""The graph of the engine `transfer`: which marks can still matter after each cell, and where each choice leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import permutations
from math import prod, sqrt
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import ByMarks, Checkpoints, Cost, Found, Report
from noughts.kernels.frontier.transfer import expand, push, push_modulo, reenter
from noughts.machine.budget import Limits
from noughts.machine.workers import Workers
from noughts.rules.marks import Mask, cells_of

Masks = NDArray[np.uint64]
Indices = NDArray[np.int32]
Lines = tuple[Masks, Masks, Masks, Masks, Masks, Masks]
"""What `expand` is told of the lines at a cell: those that end there, then those under way."""

_NO_LINE = np.uint64(0xFFFFFFFFFFFFFFFF)
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Graph:
    """All states, cell by cell: `edges[step][choice, state]` is the state after the next cell, -1 where refused.

    The choices are blank, the first player and the other. `won` tells of each state after the last cell whether the
    first player has a line.
    """

    weights: tuple[int, ...]
    edges: tuple[Indices, ...]
    won: tuple[bool, ...]

    @property
    def states(self) -> tuple[int, ...]:
        """The number of states after each number of cells, 0 included."""
        return (*(edges.shape[1] for edges in self.edges), len(self.won))

    @cached_property
    def largest(self) -> tuple[int, ...]:
        """What no count of a state, nor of several, exceeds after each number of cells."""
        return largest_counts(self.weights)


def largest_counts(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Return the most ways to fill the first 0, 1, 2, ... of the cells with given numbers of marks of either player.

    No count of a state exceeds it, nor a sum of counts of several states.
    """
    ways = {(0, 0): 1}
    most = [1]
    for weight in weights:
        grown = dict(ways)
        for (p, q), number in ways.items():
            for pair in ((p + weight, q), (p, q + weight)):
                grown[pair] = grown.get(pair, 0) + number
        ways = grown
        most.append(max(ways.values()))
    return tuple(most)


def order_of(pattern: Pattern, shape: tuple[int, int, int] | None) -> tuple[int, ...]:
    """Return the order of visits: along the axes of a grid, one after the other, otherwise as the cells come.

    Of the orders of the axes the one with the fewest cells on lines under way, at the worst and then in all: each may
    make three times the states. Cost: proportional to cells times lines.
    """
    if shape is None:
        return tuple(range(pattern.size))
    rows, columns, _ = shape

    def along(axes: tuple[int, ...]) -> tuple[int, ...]:
        def place(cell: int) -> tuple[int, ...]:
            at = cell // columns % rows, cell % columns, cell // (rows * columns)
            return tuple(at[axis] for axis in axes)

        least = [min(place(cell) for cell in cells_of(cells)) for cells in pattern.cells]
        return tuple(sorted(range(pattern.size), key=least.__getitem__))

    return min((along(axes) for axes in permutations(range(3))), key=lambda order: _marks_that_matter(pattern, order))


def _marks_that_matter(pattern: Pattern, order: Sequence[int]) -> tuple[int, int]:
    """Return how many visited cells are on lines under way, at most and summed over all steps."""
    visited, counts = 0, [0]
    for cell in order:
        visited |= 1 << cell
        near = reduce(or_, (line.trigger for line in pattern.first if line.trigger & ~visited), 0)
        counts.append((near & visited).bit_count())
    return max(counts), sum(counts)


def build(
    pattern: Pattern, order: Sequence[int], won: bool, visit: Callable[[int, int], bool] = lambda step, states: True
) -> Graph | None:
    """Return the graph of a pattern whose cells are visited in this order; without `won` nobody completes a line.

    `visit(step, states)` hears how many states after `step` cells were found so far, and may give up by returning
    False: then None is returned. About 1e-7 seconds for a state and a line under way.
    """
    steps = _steps(pattern, order, won)
    states = np.array([[0, 0, _NO_LINE]], dtype=np.uint64)
    edges: list[Indices] = []
    for number, lines in enumerate(steps):
        layer = _Layer(len(states))
        with np.errstate(over="ignore"):  # hashing wraps around on purpose
            for begin in range(0, len(states), _CHUNK):
                layer.visit(states, begin, min(begin + _CHUNK, len(states)), np.uint64(1 << number), lines)
                if not visit(number + 1, layer.count):
                    return None
        states = layer.found[: layer.count]
        edges.append(layer.edges)
    weights = pattern.weights
    return Graph(tuple(weights[cell] for cell in order), tuple(edges), tuple(bool(s[2] != _NO_LINE) for s in states))


def _steps(pattern: Pattern, order: Sequence[int], won: bool) -> list[Lines]:
    """Return the lines at each visit."""
    place = {cell: number for number, cell in enumerate(order)}

    def moved(cells: Mask) -> Mask:
        return sum(1 << place[cell] for cell in cells_of(cells))

    first = [(moved(line.trigger), moved(line.core) if won else 0) for line in pattern.first]
    second = [(moved(line.trigger), 0) for line in pattern.second]
    steps: list[Lines] = []
    for number in range(len(order)):
        x_ends, x_parts = _at(first, number)
        o_ends, o_parts = _at(second, number)
        steps.append((*_columns(x_ends), _columns(o_ends)[0], *_columns(x_parts), _columns(o_parts)[0]))
    return steps


_Lines = list[tuple[Mask, Mask]]


def _at(lines: _Lines, number: int) -> tuple[_Lines, _Lines]:
    """Return the lines that end at the cell of this number, and the visited parts of those under way after it."""
    visited = (1 << number + 1) - 1
    ends = [line for line in lines if line[0].bit_length() == number + 1]
    parts = {(trigger & visited, core) for trigger, core in lines if trigger & visited and trigger & ~visited}
    return ends, sorted(parts)


def _columns(lines: _Lines) -> tuple[Masks, Masks]:
    return np.array([a for a, _ in lines], dtype=np.uint64), np.array([b for _, b in lines], dtype=np.uint64)


def laid_out(graph: Graph) -> tuple[Indices, ...]:
    """Return the edges as `[state, choice]`, twice the state each leads to, or -1 where refused.

    After the last cell state 0 stands for all without a line, and 1 for those in which the first player has one.
    """
    found = []
    for step, edges in enumerate(graph.edges, 1):
        targets = edges.T
        if step == len(graph.edges):
            targets = np.where(targets < 0, -1, np.array(graph.won, dtype=np.int32)[targets])
        found.append(np.where(targets < 0, np.int32(-1), np.int32(2) * targets).astype(np.int32, order="C"))
    return tuple(found)


class _Layer:
    """The states found after one more cell, in a hash table that grows, and the edges to them."""

    def __init__(self, sources: int) -> None:
        self.edges = np.empty((3, sources), dtype=np.int32)
        self.count = 0
        self._key = np.empty(3, dtype=np.uint64)
        self._allocate(3 * min(sources, _CHUNK) + sources)

    def _allocate(self, room: int) -> None:
        self.found = np.empty((room, 3), dtype=np.uint64)
        self.table = np.full(1 << (2 * room - 1).bit_length(), -1, dtype=np.int32)

    def visit(self, states: Masks, begin: int, end: int, cell: np.uint64, lines: Lines) -> None:
        """Visit the cell from the states `begin..end`."""
        needed = self.count + 3 * (end - begin)
        if needed > len(self.found):
            known = self.found
            self._allocate(needed + needed // 2)
            reenter(self.table, known, self.count, self.found)
        self.count = expand(states, begin, end, cell, *lines, self.table, self.found, self.count, self.edges, self._key)


# The values of the engine `transfer`: the ways to reach each state, by marks of either player, cell by cell.
#
# They are kept as one array for each number p of the first player's marks, a row for each state with a column for each
# number q of the other's. An edge adds a part of a row to a part of another.

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


# What a sweep of the engine `transfer` costs, reckoned while its states are being found.

EDGE_BYTES = 12
"""What the graph keeps of a state: where three choices lead."""

STATE_BYTES = 140
"""A state that is looked for: three words, the hash table, and both again while they grow."""

_STATE_SECONDS = 8e-7
_NUMBER_SECONDS = 1.2e-9
"""Measured: to find the three successors of a state, and to add one number, on two cores."""

_LARGE = 400_000
"""States from which on it is guessed what they will grow to."""


class Reckoner:
    """Adds up what a sweep costs step by step, and tells when that exceeds the limits.

    The graph is kept until all graphs have been found, the values of a step only until the next.
    """

    def __init__(self, weights: tuple[int, ...], to_ply: int, row: int, limits: Limits) -> None:
        self.weights = weights
        self.to_ply = to_ply
        self.row = row
        self.limits = limits
        self.largest = largest_counts(weights)
        self.counts = [1]
        self.moduli = len(moduli_of(weights))
        self.known = Cost(0)

    def visit(self, step: int, states: int) -> bool:
        """Hear that `states` were found after `step` cells so far; return whether to go on."""
        if step == len(self.counts):
            self.known = self.cost()
            self.counts.append(states)
        self.counts[step] = states
        return not self.forecast().exceeds(self.limits)

    def forecast(self) -> Cost:
        """Return what is known and what the widest layer is expected to add."""
        return self.cost(self._growth())

    def cost(self, growth: float = 1.0) -> Cost:
        """Return what is known: all, once the last cell was visited. The last layer counts `growth` times."""
        if len(self.counts) == 1:
            return self.known
        states, sources = self.counts[-1], self.counts[-2]
        entries, size = self._value(len(self.counts) - 1)
        top = max(states * STATE_BYTES, states * size * 5 // 4)
        seconds = sources * (_STATE_SECONDS + 3 * entries * self.moduli * _NUMBER_SECONDS)
        return self.known.plus(Cost(sources * EDGE_BYTES, int(top * growth), seconds * growth, states))

    def _value(self, step: int) -> tuple[int, int]:
        """Return the numbers that are kept of one state after so many cells, and their size in bytes."""
        entries = band_of(self.weights, step, self.to_ply).entries
        return entries, entries * (4 if self.largest[step] < 1 << 32 else 8)

    def _growth(self) -> float:
        """Return by how much a layer will grow still, at a guess; 1 unless it is large and far from half-way.

        The states are taken to grow by half the square root of what they grew by along the last row, for another row at
        most. How many numbers there will be of each is known.
        """
        step = len(self.counts) - 1
        left = min(len(self.weights) // 2 - step, self.row)
        if self.counts[step] < _LARGE or left < 2 or step <= self.row:
            return 1.0
        along = self.counts[step - 1] / self.counts[step - 1 - self.row]
        states = max(1.0, 0.5 * sqrt(along ** (left / self.row)))
        return states * self._value(step + left)[1] / self._value(step)[1]


# A whole sweep of the engine `transfer` over its graph, once for each modulus, with checkpoints.


def swept(graph: Graph, to_ply: int, workers: Workers, store: Checkpoints | None, key: str, report: Report) -> Found:
    """Return the positions of up to `to_ply` marks. With `store` the values are kept under the key after every cell.

    `report` is called with the cells visited over all moduli.
    """
    moduli = moduli_of(graph.weights)
    parts = []
    for number, modulus in enumerate(moduli):

        def later(cells: int, states: int, before: int = number * len(graph.edges)) -> None:
            report(before + cells, states)

        parts.append(_remainders(graph, to_ply, modulus, workers, store, key, later))

    def joined(tables: list[ByMarks]) -> ByMarks:
        return {pair: number_behind([table[pair] for table in tables], moduli) for pair in tables[0]}

    return Found(joined([part.open for part in parts]), joined([part.won for part in parts]))


def _remainders(
    graph: Graph,
    to_ply: int,
    modulus: int,
    workers: Workers,
    store: Checkpoints | None,
    key: str,
    report: Report,
) -> Found:
    key = f"transfer {key} {to_ply} {modulus}"
    known = store.result(key) if store is not None else None
    if known is not None:
        return Found(_read(known["open"]), _read(known["won"]))
    counts = _stored(store, key) or first_counts()
    with np.errstate(over="ignore"):  # 2^64 is a modulus
        while counts.step < len(graph.edges):
            report(counts.step, graph.states[counts.step])
            counts = advance(graph, counts, to_ply, modulus, workers)
            if store is not None:
                rows = {str(p): row for p, row in enumerate(counts.rows)}
                store.keep_arrays(key, {"step": np.array(counts.step), **rows})
    found = _last(graph, counts, to_ply, modulus)
    if store is not None:
        store.keep_result(key, {"open": _written(found.open), "won": _written(found.won)})
    return found


def _last(graph: Graph, counts: StateCounts, to_ply: int, modulus: int) -> Found:
    """Return the values of the states after the last cell."""
    tables: tuple[ByMarks, ByMarks] = {}, {}
    for p, (begin, end) in enumerate(band_of(graph.weights, counts.step, to_ply).spans):
        for q in range(begin, end):
            column = [int(n) for n in counts.rows[p][:, q - begin]]
            for won in (False, True):
                parts = [n for n, has_line in zip(column, graph.won, strict=True) if has_line is won]
                tables[won][p, q] = sum(parts) % modulus
    return Found(*tables)


def _stored(store: Checkpoints | None, key: str) -> StateCounts | None:
    arrays = store.arrays(key, ("step", "0")) if store is not None else None
    if arrays is None:
        return None
    return StateCounts(int(arrays["step"]), [arrays[str(p)] for p in range(len(arrays) - 1)])


def _written(table: ByMarks) -> dict[str, str]:
    return {f"{p} {q}": str(n) for (p, q), n in table.items()}


def _read(table: dict[str, str]) -> ByMarks:
    return {(int(p), int(q)): int(n) for (p, q), n in ((pair.split(), n) for pair, n in table.items())}
