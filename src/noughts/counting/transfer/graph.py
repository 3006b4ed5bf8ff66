"""The graph of the engine `transfer`: which marks can still matter after each cell, and where each choice leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import permutations
from operator import or_

import numpy as np
from numpy.typing import NDArray

from noughts.counting.patterns.pattern import Pattern
from noughts.domain.bits import Mask, cells_of
from noughts.kernels.frontier.transfer import expand, reenter

__all__ = ["Graph", "build", "laid_out", "largest_counts", "order_of"]

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
