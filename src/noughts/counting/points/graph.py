"""The graph of a frontier: where each mark leads from each state. It is the same for every point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.route import Route, Visit
from noughts.kernels.frontier.states import explore
from noughts.kernels.frontier.transfer import reenter

__all__ = ["Exploration", "StateGraph"]

Words = NDArray[np.uint64]
Edges = NDArray[np.int32]

_CHUNK = 1 << 15
_MOST = (1 << 30) - 1
"""States of a layer: an edge is twice its target, in a signed word of 32 bits."""


@dataclass(frozen=True)
class StateGraph:
    """All states, cell by cell: `edges[step][state, move]` as `noughts.kernels.frontier.states.explore` writes them.

    `weights` are those of the cells in the order of their visits. Where `is_merged` a state stands for the one with the
    colours exchanged as well. After the last cell there are `ends` states: nobody has a line, and perhaps the first
    player has.
    """

    weights: tuple[int, ...]
    edges: tuple[Edges, ...]
    is_merged: bool
    ends: int = 1

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of states after each number of cells, 0 included."""
        return (*(len(edges) for edges in self.edges), self.ends)


class Exploration:
    """Finds the states cell by cell, as far as whoever asks wants to go."""

    def __init__(self, route: Route) -> None:
        self.route = route
        self.edges: list[Edges] = []
        self.states: Words = np.zeros((1, 2 * route.words), dtype=np.uint64)
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
        return [*(len(edges) for edges in self.edges), len(self.states)]

    def graph(self) -> StateGraph:
        """Return the whole graph."""
        return StateGraph(self.route.weights, tuple(self.edges), self.route.pattern.is_symmetric)

    def advance(self, visit: Callable[[int], bool]) -> bool:
        """Find the states after one more cell, unless `visit(states)`, which hears how many so far, returns False."""
        step = self.route.visit(len(self.edges))
        layer = _LayerFound(self.states)
        with np.errstate(over="ignore"):  # hashing wraps around on purpose, which uncompiled kernels would warn of
            for begin in range(0, len(self.states), _CHUNK):
                end = min(begin + _CHUNK, len(self.states))
                layer.explore(step, self.states, begin, end, self.route.pattern.is_symmetric)
                if layer.count > _MOST or not visit(layer.count):
                    return False
        kept = sum(edges.nbytes for edges in self.edges)
        self.edges.append(layer.edges)
        self.peak = max(self.peak, kept + self.states.nbytes + layer.peak)
        self.states = layer.found[: layer.count].copy()
        self.visited += layer.count
        return True


class _LayerFound:
    """The states found after one more cell, in a hash table that grows, and the edges to them."""

    def __init__(self, sources: Words) -> None:
        self.edges = np.empty((len(sources), 3), dtype=np.int32)
        self.count = 0
        self.peak = 0
        self._scratch = np.empty((1, sources.shape[1]), dtype=np.uint64)
        self._allocate(len(sources) + len(sources) // 4 + 3 * min(len(sources), _CHUNK))

    def _allocate(self, room: int) -> None:
        self.found = np.empty((room, self._scratch.shape[1]), dtype=np.uint64)
        self.table = np.full(1 << (room + room // 4).bit_length(), -1, dtype=np.int32)
        self.peak = max(self.peak, self.edges.nbytes + self.table.nbytes + 2 * self.found.nbytes)

    def explore(self, step: Visit, states: Words, begin: int, end: int, merged: bool) -> None:
        """Visit the cell from the states `begin..end`."""
        needed = self.count + 3 * (end - begin)
        if needed > len(self.found):
            known = self.found
            self._allocate(needed + needed // 3)
            reenter(self.table, known, self.count, self.found)
        x, o = step.strict
        self.count = explore(
            states, begin, end, step.masks, x.slots, x.masks, o.slots, o.masks, merged,
            self.table, self.found, self.count, self.edges, self._scratch,
        )  # fmt: skip
