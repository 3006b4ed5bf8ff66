"""The edges of a graph, read in order and a piece at a time: in memory, or in a file where there are too many.

A file without a name: nothing is left of it, however its process ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.sweep import Clears, Route, Visit
from noughts.kernels.frontier.states import branch, explore
from noughts.kernels.frontier.transfer import reenter
from noughts.kernels.frontier.values import NOWHERE, branch_most, branch_reals, push_most, push_reals
from noughts.machine.files import failures_told, nameless_file
from noughts.machine.reading import read_into
from noughts.rules.errors import FileError

Edges = NDArray[np.int32]

_PIECE = 1 << 20
"""Rows that are read at a time, of twelve bytes each."""


class EdgeFile:
    """A file without a name in a folder, to which rows of three numbers are added.

    Raises FileError where it cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._file = nameless_file(self.folder)
        finalize(self, self._file.close)
        self._rows = 0

    def keep(self, rows: Edges) -> StoredRows:
        """Write some rows. Raises FileError."""
        with failures_told(self.folder):
            for piece in pieces_of(rows):
                view = piece.reshape(-1).view(np.uint8).data
                while view:
                    view = view[self._file.write(view) :]
        begin, self._rows = self._rows, self._rows + len(rows)
        return StoredRows(self, begin, len(rows))

    def read(self, begin: int, end: int) -> Edges:
        """Return some of the rows; several threads may. Raises FileError."""
        found = np.empty((end - begin, 3), dtype=np.int32)
        try:
            whole = read_into(self._file.fileno(), begin * _ROW, found.reshape(-1).view(np.uint8).data)
        except OSError as error:
            raise FileError(f"cannot read what was written to {str(self.folder)!r}: {error.strerror}") from None
        if not whole:
            raise FileError(f"a file in {str(self.folder)!r} has become shorter while it was read: start again")
        return found


_ROW = 3 * np.dtype(np.int32).itemsize


class StoredRows:
    """Rows in a file. A pickle holds them all, for a process that may be elsewhere."""

    def __init__(self, file: EdgeFile, begin: int, count: int) -> None:
        self._file, self._begin, self._count = file, begin, count

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Their size."""
        return self._count * _ROW

    def read(self, begin: int, end: int) -> Edges:
        """Return the rows from `begin` to before `end`. Raises FileError."""
        return self._file.read(self._begin + begin, self._begin + end)

    def __reduce__(self) -> tuple[object, tuple[Edges]]:
        return np.asarray, (self.read(0, self._count),)


Rows = Edges | StoredRows


def pieces_of(rows: Rows) -> Iterator[Edges]:
    """Yield all rows in order, some at a time. Raises FileError."""
    for begin in range(0, len(rows), _PIECE):
        end = min(begin + _PIECE, len(rows))
        yield rows.read(begin, end) if isinstance(rows, StoredRows) else rows[begin:end]


# The graph of a frontier: where each mark leads from each state. It is the same for every point.

Words = NDArray[np.uint64]

_CHUNK = 1 << 15
_BRANCHES = 1 << 18
"""Branches for which there is room at a time: a state may have many."""
_MOST = (1 << 30) - 1
"""States of a layer: an edge is twice its target, in a signed word of 32 bits."""


@dataclass(frozen=True)
class StateGraph:
    """All states, cell by cell: `edges[step]` has rows as `noughts.kernels.frontier.states.explore` writes them.

    `weights` are those of the cells in the order of their visits. Where `is_merged` a state stands for the one with the
    colours exchanged as well. After the last cell there are `ends` states: nobody has a line, and perhaps the first
    player has. Where the states in which the first player has one follow the others in their layers, `branches[step]`
    lead there, as `noughts.kernels.frontier.values.push_branches` takes them; they stand for themselves alone.
    """

    weights: tuple[int, ...]
    edges: tuple[Rows, ...]
    is_merged: bool
    ends: int = 1
    branches: tuple[Rows, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of states after each number of cells, 0 included."""
        return (*(len(edges) for edges in self.edges), self.ends)

    @property
    def nbytes(self) -> int:
        """The size of all edges and branches."""
        return sum(edges.nbytes for edges in self.edges + self.branches)

    @property
    def branched(self) -> int:
        """The number of all branches."""
        return sum(len(branches) for branches in self.branches)


class Exploration:
    """Finds the states cell by cell, with those of won positions if the route has any, as far as whoever asks wants."""

    def __init__(self, route: Route) -> None:
        self.route = route
        self.edges: list[Rows] = []
        self.branches: list[Rows] = []
        self.file: EdgeFile | None = None
        self.states: Words = np.zeros((1, 2 * route.words), dtype=np.uint64)
        self.won: Words = np.zeros((0, 2 * route.words), dtype=np.uint64)
        self.visited = 1
        self.peak = 0
        """Bytes taken at the worst moment so far."""

    @property
    def is_done(self) -> bool:
        """Whether all cells were visited."""
        return len(self.edges) == len(self.route.order)

    @property
    def sizes(self) -> list[int]:
        """The number of states after each number of cells so far, 0 included."""
        return [*(len(edges) for edges in self.edges), len(self.states) + len(self.won)]

    @property
    def kept(self) -> int:
        """The bytes of all edges and branches so far that are in memory."""
        return 0 if self.file is not None else sum(rows.nbytes for rows in self.edges + self.branches)

    def move_to_disk(self, folder: Path) -> None:
        """Keep all edges and branches in a file from now on. Raises FileError."""
        self.file = EdgeFile(folder)
        for kept in (self.edges, self.branches):
            for step, rows in enumerate(kept):
                kept[step] = self._stored(rows)

    def _stored(self, rows: Rows) -> Rows:
        return self.file.keep(rows) if self.file is not None and isinstance(rows, np.ndarray) else rows

    @property
    def branched(self) -> int:
        """The number of branches so far."""
        return sum(len(branches) for branches in self.branches)

    def graph(self) -> StateGraph:
        """Return the whole graph."""
        merged, ends = self.route.pattern.is_symmetric, 2 if self.route.has_won else 1
        return StateGraph(self.route.weights, tuple(self.edges), merged, ends, tuple(self.branches))

    def advance(self, visit: Callable[[int], bool]) -> bool:
        """Find the states after one more cell, unless `visit(states)`, which hears how many so far, returns False."""
        route, step = self.route, self.route.visit(len(self.edges))
        cut, merged = len(self.states), route.pattern.is_symmetric
        edges = np.empty((cut + len(self.won), 3), dtype=np.int32)
        layer, won = _LayerFound(self.states), _LayerFound(self.won)
        branches: list[Edges] = []

        def found() -> Iterator[int]:
            yield from layer.explored(step, step.strict, merged, edges[:cut])
            if route.has_won:
                yield from won.explored(step, step.loose, False, edges[cut:])
                yield from won.branched(step, self.states, merged, branches)

        with np.errstate(over="ignore"):  # hashing wraps around on purpose, which uncompiled kernels would warn of
            for _ in found():
                if layer.count + won.count > _MOST or not visit(layer.count + won.count):
                    return False
        own = self.states.nbytes + self.won.nbytes + edges.nbytes + 2 * sum(each.nbytes for each in branches)
        self.peak = max(self.peak, self.kept + own + layer.peak + won.peak)
        self.states, self.won = layer.states(), won.states()
        np.add(edges[cut:], 2 * layer.count, out=edges[cut:], where=edges[cut:] >= 0)
        self.edges.append(self._stored(edges))
        if route.has_won:
            joined = np.concatenate([_NO_BRANCHES, *branches])
            joined[:, 1] += layer.count
            self.branches.append(self._stored(joined))
        self.visited += layer.count + won.count
        return True


_NO_BRANCHES = np.empty((0, 3), dtype=np.int32)


class _LayerFound:
    """The states found after one more cell, in a hash table that grows."""

    def __init__(self, sources: Words) -> None:
        self.sources = sources
        self.count = 0
        self.peak = 0
        self._scratch = np.empty((3, sources.shape[1]), dtype=np.uint64)
        self._allocate(len(sources) + len(sources) // 4 + 3 * min(len(sources), _CHUNK) + 1)

    def states(self) -> Words:
        """Return what was found."""
        return self.found[: self.count].copy()

    def _allocate(self, room: int) -> None:
        self.found = np.empty((room, self._scratch.shape[1]), dtype=np.uint64)
        self.table = np.full(1 << (room + room // 4).bit_length(), -1, dtype=np.int32)
        self.peak = max(self.peak, self.table.nbytes + 2 * self.found.nbytes)

    def _make_room(self, more: int) -> None:
        needed = self.count + more
        if needed > len(self.found):
            known = self.found
            self._allocate(needed + needed // 3)
            reenter(self.table, known, self.count, self.found)

    def explored(self, step: Visit, clears: tuple[Clears, Clears], merged: bool, edges: Edges) -> Iterator[int]:
        """Visit the cell from the sources, some at a time; yield how many states are found so far."""
        x, o = clears
        for begin in range(0, len(self.sources), _CHUNK):
            end = min(begin + _CHUNK, len(self.sources))
            self._make_room(3 * (end - begin))
            self.count = explore(
                self.sources, begin, end, step.masks, x.slots, x.masks, o.slots, o.masks, merged,
                self.table, self.found, self.count, edges, self._scratch,
            )  # fmt: skip
            yield self.count

    def branched(self, step: Visit, sources: Words, merged: bool, into: list[Edges]) -> Iterator[int]:
        """Complete the first lines of the first player from other sources; yield the same, and write the branches.

        The source that is its own twin counts half in a merged graph: so its branches count twice.
        """
        choices, (x, o) = len(step.factors), step.loose
        width = max(1, min(_CHUNK, _BRANCHES // max(1, choices)))
        ends = np.empty((3, 2 * choices * min(width, len(sources))), dtype=np.int32)
        codes = np.empty(ends.shape[1], dtype=np.int8)
        for begin in range(0, len(sources) if choices else 0, width):
            some = sources[begin : begin + width]
            self._make_room(2 * choices * len(some))
            self.count, many = branch(
                some, len(some), step.masks, step.freed, step.factors, x.slots, x.masks, o.slots, o.masks, merged,
                self.table, self.found, self.count, ends[0], ends[1], codes, ends[2], True, self._scratch,
            )  # fmt: skip
            found = np.empty((many, 3), dtype=np.int32)
            found[:, 0] = 2 * (ends[0, :many] + begin) + (codes[:many] & 1)
            found[:, 1], found[:, 2] = ends[1, :many], ends[2, :many]
            if merged:
                found[found[:, 0] == 0, 2] *= 2
            into.append(found)
            yield self.count


# A survey of a graph: what bounds the counts, so that fewer points do.
#
# Where a mark of either player weighs s > 0, all positions weigh F(s) = sum of A(p, q) s^(p + q), so that no A(p, q)
# exceeds F(s) / s^(p + q). The sums have positive terms only: in floating point each step is wrong by no more than one
# part in 2^53 for each edge, so 64 cells and a thousand million states by less than one part in a thousand.

_SCALES = tuple(float(Fraction(2, 1) ** (half // 2) * (Fraction(3, 2) if half % 2 else 1)) for half in range(-5, 11))
"""The weights of a mark: each third of a board's cells more or less has one that is near the best."""

_DOUBT = Fraction(1001, 1000)


@dataclass(frozen=True)
class Survey:
    """The weights of all positions for some weights of a mark, and how far the marks of the players differ at most."""

    sums: tuple[tuple[float, float], ...]
    difference: int

    def most_positions(self, marks: int) -> int:
        """Return a number that the positions with so many marks of either player do not exceed."""
        return min(int(Fraction(weight) * _DOUBT / Fraction(scale) ** marks) + 1 for scale, weight in self.sums)


def survey_of(graph: StateGraph) -> Survey:
    """Return the survey of a graph. Cost: about that of one batch of points, in time and in memory."""
    sizes = graph.sizes
    reals = [np.empty((max(sizes[parity::2], default=0), len(_SCALES))) for parity in (0, 1)]
    mosts = [np.empty((max(sizes[parity::2], default=0), 2), dtype=np.int16) for parity in (0, 1)]
    reals[0][0], mosts[0][0] = 0.5 if graph.is_merged else 1, 0  # what is its own twin counts half
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
