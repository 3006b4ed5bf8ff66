"""The graph of a frontier: where each mark leads from each state. It is the same for every point.

Its edges are read in order and in pieces, from memory, or from a file where there are too many. The file has no name,
so it disappears with its process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from noughts.counting.bounds import Price, States, cost_of
from noughts.counting.frontier.sweep import Clears, Route, Visit
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier.hashing import reenter
from noughts.kernels.frontier.states import branch, explore
from noughts.machine.budget import Limits
from noughts.machine.files import file_errors, nameless_file
from noughts.machine.reading import read_into
from noughts.rules.errors import FileError

Words = NDArray[np.uint64]
Edges = NDArray[np.int32]

_PIECE = 1 << 20
"""Rows of twelve bytes that are read at a time."""

_CHUNK = 1 << 15
_BRANCHES = 1 << 18
"""Memory holds this many branches at a time; a state may have many."""

MOST_STATES = (1 << 30) - 1
"""The most states in a layer: an edge is twice its target, in a signed word of 32 bits."""

_ROW = 12


class EdgeFile:
    """A file without a name in a folder, for rows of three numbers. Raises FileError where it cannot be created."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._file = nameless_file(self.folder)
        finalize(self, self._file.close)
        self._rows = 0

    def add(self, rows: Edges) -> StoredRows:
        """Append rows. Raises FileError."""
        with file_errors(self.folder):
            for piece in pieces_of(rows):
                view = piece.reshape(-1).view(np.uint8).data
                while view:
                    view = view[self._file.write(view) :]
        begin, self._rows = self._rows, self._rows + len(rows)
        return StoredRows(self, begin, len(rows))

    def read(self, begin: int, end: int) -> Edges:
        """Return some of the rows; thread-safe. Raises FileError."""
        found = np.empty((end - begin, 3), dtype=np.int32)
        try:
            whole = read_into(self._file.fileno(), begin * _ROW, found.reshape(-1).view(np.uint8).data)
        except OSError as error:
            raise FileError(f"cannot read a temporary file in {str(self.folder)!r}: {error.strerror}") from None
        if not whole:
            raise FileError(f"a file in {str(self.folder)!r} has become shorter while it was read: start again")
        return found


class StoredRows:
    """Rows in a file. A pickle holds all rows, as another process may be on another machine."""

    def __init__(self, file: EdgeFile, begin: int, count: int) -> None:
        self._file, self._begin, self._count = file, begin, count
        self.nbytes = count * _ROW

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, rows: slice) -> Edges:
        begin, end, _ = rows.indices(self._count)
        return self._file.read(self._begin + begin, self._begin + end)

    def __reduce__(self) -> tuple[object, tuple[Edges]]:
        return np.asarray, (self[:],)


Rows = Edges | StoredRows


def pieces_of(rows: Rows) -> Iterator[Edges]:
    """Yield all rows in order, in pieces. Raises FileError."""
    yield from (rows[begin : begin + _PIECE] for begin in range(0, len(rows), _PIECE))


@dataclass(frozen=True)
class StateGraph:
    """All states, cell by cell.

    `weights` are the weights of the cells in the order of visits. `edges[step]` has rows as
    `noughts.kernels.frontier.states.explore` writes them. With `is_merged` each state without a line also represents
    its twin with the players exchanged. After the last cell there are `ends` states: one without a line, and, if won
    positions are counted, one with a line of the first player. Then states with a line follow the others in each layer,
    and are not merged. `branches[step]` lead to them, in the form of `noughts.kernels.frontier.values.push_branches`.
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
        """The bytes of all edges and branches."""
        return sum(edges.nbytes for edges in self.edges + self.branches)


def _free(states: States, step: int) -> Cost:
    return Cost()


class Exploration:
    """Finds the states cell by cell, with those of won positions if the route has any.

    It keeps the edges only with `keeps`. `states` are the numbers of states after each number of cells so far, `peak`
    is the largest number of bytes at any moment.
    """

    def __init__(self, route: Route, price: Price = _free, *, keeps: bool = True) -> None:
        self.route, self.price, self.keeps = route, price, keeps
        self.edges: list[Rows] = []
        self.branches: list[Rows] = []
        self.file: EdgeFile | None = None
        self.states = [(1, 0, 0)]
        self.peak = 0
        self._open: Words = np.zeros((1, 2 * route.words), dtype=np.uint64)
        self._won: Words = np.zeros((0, 2 * route.words), dtype=np.uint64)
        self._before = Cost()

    @property
    def is_done(self) -> bool:
        """Whether all cells were visited."""
        return len(self.states) > len(self.route.order)

    @property
    def visited(self) -> int:
        """The number of all states so far."""
        return sum(still_open + won for still_open, won, _ in self.states)

    @property
    def held(self) -> int:
        """The bytes of all edges and branches so far that are in memory."""
        return 0 if self.file is not None else sum(rows.nbytes for rows in self.edges + self.branches)

    def cost(self, held: int, price: Price | None = None) -> Cost:
        """Return the cost so far, with `held` bytes of other data in memory; at another price if one is given."""
        return self._cost(self._before if price is None else cost_of(self.states, price), held)

    def _cost(self, cost: Cost, held: int) -> Cost:
        cost = cost.moved() if self.file is not None else cost
        return replace(cost, top=max(cost.top, held - cost.held))

    def move_to_disk(self, folder: Path) -> None:
        """Move all edges and branches to a file, and add later ones there. Raises FileError."""
        self.file = EdgeFile(folder)
        self.edges, self.branches = ([self._stored(rows) for rows in lists] for lists in (self.edges, self.branches))

    def _stored(self, rows: Rows) -> Rows:
        return self.file.add(rows) if self.file is not None and isinstance(rows, np.ndarray) else rows

    def graph(self) -> StateGraph:
        """Return the whole graph, after finding the rest of it."""
        while not self.is_done:
            self.advance()
        merged, ends = self.route.pattern.is_symmetric, 2 if self.route.has_won else 1
        return StateGraph(self.route.weights, tuple(self.edges), merged, ends, tuple(self.branches))

    def advance(self, held: int = 0, limits: Limits = Limits()) -> Cost | None:  # noqa: B008 - a value
        """Find the states after one more cell; stop and return the cost if it exceeds the limits, else return None."""
        route, step = self.route, len(self.states)
        visit, cut, merged = route.visit(step - 1), len(self._open), route.pattern.is_symmetric
        edges = np.empty((cut + len(self._won), 3), dtype=np.int32)
        layer, won = _LayerFound(self._open), _LayerFound(self._won)
        branches: list[Edges] = []

        def found() -> Iterator[None]:
            yield from layer.explored(visit, visit.strict, merged, edges[:cut])
            if route.has_won:
                yield from won.explored(visit, visit.loose, False, edges[cut:])
                yield from won.branched(visit, self._open, merged, branches)

        cost = Cost()
        with np.errstate(over="ignore"):  # hashing wraps around on purpose, which uncompiled kernels would warn of
            for _ in found():
                counts = layer.count, won.count, sum(map(len, branches))
                cost = self._before.plus(self.price([*self.states, counts], step))
                whole = self._cost(cost, held)
                if layer.count + won.count > MOST_STATES or whole.exceeds(limits):
                    return whole
        own = self._open.nbytes + self._won.nbytes + edges.nbytes + 2 * sum(each.nbytes for each in branches)
        self.peak = max(self.peak, self.held + own + layer.peak + won.peak)
        self._open, self._won, self._before = layer.states(), won.states(), cost
        self.states.append((layer.count, won.count, sum(map(len, branches))))
        if self.keeps:
            np.add(edges[cut:], 2 * layer.count, out=edges[cut:], where=edges[cut:] >= 0)
            self.edges.append(self._stored(edges))
            if route.has_won:
                joined = np.concatenate([np.empty((0, 3), dtype=np.int32), *branches])
                joined[:, 1] += layer.count
                self.branches.append(self._stored(joined))
        return None


class _LayerFound:
    """The states found after one more cell, in a hash table that grows."""

    def __init__(self, sources: Words) -> None:
        self.sources = sources
        self.count = 0
        self.peak = 0
        self._scratch = np.empty((3, sources.shape[1]), dtype=np.uint64)
        self._allocate(len(sources) + len(sources) // 4 + 3 * min(len(sources), _CHUNK) + 1)

    def states(self) -> Words:
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

    def explored(self, visit: Visit, clears: Clears, merged: bool, edges: Edges) -> Iterator[None]:
        """Visit the cell from the sources, in pieces, and write the edges."""
        for begin in range(0, len(self.sources), _CHUNK):
            end = min(begin + _CHUNK, len(self.sources))
            self._make_room(3 * (end - begin))
            self.count = explore(
                self.sources, begin, end, visit.masks, *clears, merged,
                self.table, self.found, self.count, edges, self._scratch,
            )  # fmt: skip
            yield

    def branched(self, visit: Visit, sources: Words, merged: bool, into: list[Edges]) -> Iterator[None]:
        """Complete the first player's first lines from states without a line, and write the branches.

        In a merged graph the source that is its own twin counts half, so its branches count twice.
        """
        choices = len(visit.factors)
        width = max(1, min(_CHUNK, _BRANCHES // max(1, choices)))
        ends = np.empty((3, 2 * choices * min(width, len(sources))), dtype=np.int32)
        codes = np.empty(ends.shape[1], dtype=np.int8)
        for begin in range(0, len(sources) if choices else 0, width):
            some = sources[begin : begin + width]
            self._make_room(2 * choices * len(some))
            self.count, many = branch(
                some, len(some), visit.masks, visit.freed, visit.factors, *visit.loose, merged,
                self.table, self.found, self.count, ends[0], ends[1], codes, ends[2], self._scratch,
            )  # fmt: skip
            found = np.empty((many, 3), dtype=np.int32)
            found[:, 0] = 2 * (ends[0, :many] + begin) + (codes[:many] & 1)
            found[:, 1], found[:, 2] = ends[1, :many], ends[2, :many]
            if merged:
                found[found[:, 0] == 0, 2] *= 2
            into.append(found)
            yield
