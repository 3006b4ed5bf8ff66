"""The graph of a frontier: where each mark leads from each state. It is the same for every point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.route import Clears, Route, Visit
from noughts.counting.points.edges import EdgeFile, Edges, Rows
from noughts.kernels.frontier.states import branch, explore
from noughts.kernels.frontier.transfer import reenter

__all__ = ["Exploration", "StateGraph"]

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
    lead there, as `noughts.kernels.frontier.points.push_branches` takes them; they stand for themselves alone.
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
