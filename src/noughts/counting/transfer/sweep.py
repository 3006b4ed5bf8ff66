"""Sweeps of the engine `transfer`: which marks can still matter after each cell, and the ways to reach each state.

The numbers of ways form one array for each number p of the first player's marks. It has a row for each state and a
column for each number q of the other player's marks. An edge adds a part of one row to a part of another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import ByMarks, Found, Report
from noughts.counting.transfer.marks import band_of, largest_counts, moduli_of
from noughts.kernels.frontier.hashing import reenter
from noughts.kernels.frontier.transfer import expand, push, push_modulo
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Workers
from noughts.rules.marks import Mask, cells_of

Masks = NDArray[np.uint64]
Indices = NDArray[np.int32]
Rows = list[NDArray[Any]]
Lines = tuple[Masks, Masks, Masks, Masks, Masks, Masks]
"""The lines at a cell, for `expand`: those that end there, then those under way."""

_NO_LINE = np.uint64(0xFFFFFFFFFFFFFFFF)
_CHUNK = 1 << 16

_WORTH_WORKERS = 1 << 16
"""Workers share the work from this many numbers on."""

_TOGETHER = 2
"""Rows that are made at the same time, for any number of workers."""

_DROPPED = np.zeros((0, 0), dtype=np.uint32)


@dataclass(frozen=True)
class Graph:
    """All states, cell by cell: `edges[step][choice, state]` is the state after the next cell, -1 if not allowed.

    The choices are blank, the first player and the other player. `won` says for each state after the last cell whether
    the first player has a line.
    """

    weights: tuple[int, ...]
    edges: tuple[Indices, ...]
    won: tuple[bool, ...]

    @property
    def states(self) -> tuple[int, ...]:
        """The number of states after each number of cells, 0 included."""
        return (*(edges.shape[1] for edges in self.edges), len(self.won))


def build(
    pattern: Pattern, order: Sequence[int], won: bool, visit: Callable[[int, int], bool] = lambda step, states: True
) -> Graph | None:
    """Return the graph of a pattern in this order of its cells; without `won` it has only positions without a line.

    `visit(step, states)` receives the number of states found so far after `step` cells. If it returns False the search
    stops and returns None. Cost: about 1e-7 seconds for each state and line under way.
    """
    steps = _steps(pattern, order, won)
    states = np.array([[0, 0, _NO_LINE]], dtype=np.uint64)
    edges: list[Indices] = []
    for number, lines in enumerate(steps):
        layer = _SweepLayer(len(states))
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
    """Return the lines that end at the cell with this number, and the visited parts of lines under way after it."""
    visited = (1 << number + 1) - 1
    ends = [line for line in lines if line[0].bit_length() == number + 1]
    parts = {(trigger & visited, core) for trigger, core in lines if trigger & visited and trigger & ~visited}
    return ends, sorted(parts)


def _columns(lines: _Lines) -> tuple[Masks, Masks]:
    return np.array([a for a, _ in lines], dtype=np.uint64), np.array([b for _, b in lines], dtype=np.uint64)


def laid_out(graph: Graph) -> tuple[Indices, ...]:
    """Return the edges as `[state, choice]`: twice the target state, or -1 if not allowed.

    After the last cell, state 0 merges all states without a line, and state 1 those with a line of the first player.
    """
    found = []
    for step, edges in enumerate(graph.edges, 1):
        targets = edges.T
        if step == len(graph.edges):
            targets = np.where(targets < 0, -1, np.array(graph.won, dtype=np.int32)[targets])
        found.append(np.where(targets < 0, np.int32(-1), np.int32(2) * targets).astype(np.int32, order="C"))
    return tuple(found)


class _SweepLayer:
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
        """Visit the cell from the states `begin..end`; `lines` are the lines at the cell."""
        needed = self.count + 3 * (end - begin)
        if needed > len(self.found):
            known = self.found
            self._allocate(needed + needed // 2)
            reenter(self.table, known, self.count, self.found)
        self.count = expand(states, begin, end, cell, *lines, self.table, self.found, self.count, self.edges, self._key)


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
    """The values after `step` cells modulo one number: `rows[p][state, q - begin]`, where `begin` is that of the band.

    The words have 32 bits as long as all counts fit.
    """

    step: int
    rows: Rows


@dataclass(frozen=True)
class _Step:
    """The input for the rows after a cell: the rows before it by p, and the edges; `modulus` is 0 where not needed."""

    rows: dict[int, NDArray[Any]]
    before: list[tuple[int, int]]
    after: list[tuple[int, int]]
    edges: NDArray[np.int32]
    states: int
    weight: int
    is_wide: bool
    modulus: int


def _made(shared: _Step, p: int) -> NDArray[Any]:
    begin, end = shared.after[p]
    target = np.zeros((shared.states, end - begin), dtype=np.uint64 if shared.is_wide else np.uint32)
    for choice, (placed_p, placed_q) in enumerate(((0, 0), (shared.weight, 0), (0, shared.weight))):
        if not 0 <= p - placed_p < len(shared.before):
            continue
        out, out_end = shared.before[p - placed_p]
        low, high = max(begin, out + placed_q), min(end, out_end + placed_q)
        if low < high:
            moved = (shared.edges[choice], low - placed_q - out, low - begin, high - low)
            if shared.modulus:
                push_modulo(target, shared.rows[p - placed_p], *moved, np.uint64(shared.modulus))
            else:
                push(target, shared.rows[p - placed_p], *moved)
    return target


def advance(graph: Graph, counts: StateCounts, to_ply: int, modulus: int, workers: Workers) -> StateCounts:
    """Return the values after the next cell. The rows of `counts` are dropped on the way to free their memory.

    The numbers of marks only grow, so rows are made from the largest p down, two at a time. An old row is dropped when
    no smaller p needs it. One worker makes each row, so the number of workers does not change the sums.
    """
    step, weight = counts.step + 1, graph.weights[counts.step]
    before, after = (band_of(graph.weights, number, to_ply) for number in (counts.step, step))
    most, states, edges = largest_counts(graph.weights)[step], graph.states[step], graph.edges[counts.step]
    reducing = modulus if modulus <= most and modulus < 1 << 64 else 0
    rows: Rows = [_DROPPED] * len(after)
    together = (
        _TOGETHER if workers.count > 1 and states * sum(end - begin for begin, end in after) >= _WORTH_WORKERS else 1
    )
    for top in range(len(rows), 0, -together):
        several = range(max(0, top - together), top)
        needed = {
            p: counts.rows[p] for p in {q - w for q in several for w in (0, weight)} & set(range(len(counts.rows)))
        }
        shared = _Step(needed, before, after, edges, states, weight, most >= 1 << 32, reducing)
        rows[several[0] : top] = workers.map(_made, shared, several)
        counts.rows[several[0] :] = [_DROPPED] * (len(counts.rows) - several[0])
    return StateCounts(step, rows)


def swept(graph: Graph, to_ply: int, workers: Workers, store: Checkpoints, key: str, report: Report) -> Found:
    """Return the positions of up to `to_ply` marks. The values are saved under the key after every cell.

    `report` receives the number of cells visited over all moduli.
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
    store: Checkpoints,
    key: str,
    report: Report,
) -> Found:
    key = f"transfer {key} {to_ply} {modulus}"
    if (known := store.result(key)) is not None:
        return Found.of_record(known)
    counts = StateCounts(0, [np.ones((1, 1), dtype=np.uint32)])  # one state, in one way
    if (arrays := store.arrays(key, ("step", "0"))) is not None:
        counts = StateCounts(int(arrays["step"]), [arrays[str(p)] for p in range(len(arrays) - 1)])
    with np.errstate(over="ignore"):  # 2^64 is a modulus
        while counts.step < len(graph.edges):
            report(counts.step, graph.states[counts.step])
            counts = advance(graph, counts, to_ply, modulus, workers)
            rows = {str(p): row for p, row in enumerate(counts.rows)}
            store.keep_arrays(key, {"step": np.array(counts.step), **rows})
    found = _last(graph, counts, to_ply, modulus)
    store.keep_result(key, found.record())
    return found


def _last(graph: Graph, counts: StateCounts, to_ply: int, modulus: int) -> Found:
    tables: tuple[ByMarks, ByMarks] = {}, {}
    for p, (begin, end) in enumerate(band_of(graph.weights, counts.step, to_ply)):
        for q in range(begin, end):
            column = [int(n) for n in counts.rows[p][:, q - begin]]
            for won in (False, True):
                parts = [n for n, has_line in zip(column, graph.won, strict=True) if has_line is won]
                tables[won][p, q] = sum(parts) % modulus
    return Found(*tables)
