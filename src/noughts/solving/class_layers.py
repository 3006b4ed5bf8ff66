"""The position classes of any game by ply, over compiled kernels; the fast form of `ClassGraph`.

A layer is the sorted array of the canonical states of one ply. Children are found again where they are needed, in
slices, so memory holds one number for each class and the children of one slice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.bits import image_tables
from noughts.kernels.states import (
    CHOSEN,
    FILLED,
    IN_TURN,
    LINED,
    ONE_MARK,
    OPEN,
    GameTerms,
    describe,
    expand,
    make_canonical,
    sets_of,
    state_of,
)
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import InvalidPosition
from noughts.rules.game import Game, Marks
from noughts.rules.marks import Mask, Outcome, cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import Group
from noughts.solving.fields import bits_below, bits_of
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import PlyValues, Split

__all__ = ["ClassLayer", "ClassLayers", "ClassSolution", "Edges"]

States = NDArray[np.uint64]
Ints = NDArray[np.int64]

_SLICE = 1 << 15
"""Number of classes whose children are found at a time."""
SIGN: dict[Outcome, int] = {"X": 1, "draw": 0, "O": -1}


class ClassLayer(NamedTuple):
    """The classes of one ply: canonical states, ascending, with OPEN, LINED or FILLED and the sizes of their orbits."""

    states: States
    ends: NDArray[np.uint8]
    orbits: NDArray[Any]


class Edges(NamedTuple):
    """Moves from open classes: the numbers of the parent in its layer, ascending, and the canonical children."""

    parents: Ints
    children: States


class ClassLayers:
    """All classes of states that free play of a game reaches from its start, up to the symmetries of `game.group`.

    `layers` are in order of ply. `within` limits moves to a set of cells. The game ends by its own rules; outcomes are
    in `outcomes(depth)`. Assumes a board that `fields.why_not_listed` does not refuse, a listed group, and a start that
    the group keeps.

    Cost: about 0.1 microseconds for each move and symmetry.
    """

    def __init__(
        self, game: Game, *, within: Mask = -1, to_ply: int | None = None, progress: Progress = silent
    ) -> None:
        self.game, self._bits = game, bits_of(game.board)
        self._within, self.kind = np.uint64(self._moved(within & game.board.full)), kind_of(game)
        self.first_ply = game.ply(game.start)
        last = game.last_ply if to_ply is None else min(to_ply, game.last_ply)
        self.layers = [self._described(self._canonical(game.start))]
        total = 1
        for _ in range(self.first_ply, last):
            progress(total, 0, "position classes")
            found = [distinct(edges.children) for edges in self.edges(len(self.layers) - 1)]
            if not found or not sum(map(len, found)):
                break
            self.layers.append(self._described(distinct(np.concatenate(found))))
            total += self.layers[-1].states.size

    def _described(self, states: States) -> ClassLayer:
        ends, orders = np.empty(states.size, np.uint8), np.empty(states.size, np.int64)
        describe(self.kind, states, ends, orders)
        order = self.game.group.order
        return ClassLayer(states, ends, (order // orders).astype(np.min_scalar_type(order)))

    def _moved(self, cells: Mask) -> Mask:
        """Return a set of cells by their bits in a state."""
        return sum(1 << self._bits[cell] for cell in cells_of(cells))

    def _canonical(self, state: Marks) -> States:
        """Return the canonical form of a state, as an array of one number."""
        x, o = np.uint64(self._moved(state.x)), np.uint64(self._moved(state.o))
        found = np.array([state_of(self.kind, x, o)], np.uint64)
        make_canonical(self.kind, found)
        return found

    def sets(self, state: np.uint64) -> tuple[Mask, Mask]:
        """Return the sets of X and of O in a state."""
        marks = list(map(int, sets_of(self.kind, state)))
        x, o = (sum(1 << cell for cell, bit in enumerate(self._bits) if each >> bit & 1) for each in marks)
        return x, o

    def edges(self, depth: int) -> Iterator[Edges]:
        """Yield the moves from the open classes of a layer, some classes at a time, one edge for each move."""
        layer = self.layers[depth]
        numbers = np.flatnonzero(layer.ends == OPEN)
        most = self.game.board.cells * (2 if self.kind.marks == CHOSEN else 1)
        for at in range(0, numbers.size, _SLICE):
            some = numbers[at : at + _SLICE]
            children, parents = np.empty(some.size * most, np.uint64), np.empty(some.size * most, np.int64)
            count = expand(self.kind, layer.states[some], self._within, children, parents)
            yield Edges(some[parents[:count]], children[:count])

    def outcomes(self, depth: int) -> tuple[Outcome, Outcome]:
        """Return the outcome of a state of a layer that a line has ended, and of one where no cell is left."""
        return self.game.rules.ends_for("X" if (self.first_ply + depth) % 2 == 0 else "O")

    @cached_property
    def timed_values(self) -> list[NDArray[np.int8]]:
        """For each layer the values as `timed_value` gives them: positive where X wins, larger for a quick win."""
        found: list[NDArray[np.int8]] = []
        last = self.game.last_ply
        for depth in range(len(self.layers) - 1, -1, -1):
            layer, left = self.layers[depth], last - self.first_ply - depth + 1
            values = np.zeros(layer.states.size, np.int8)
            for end, outcome in zip((LINED, FILLED), self.outcomes(depth), strict=True):
                values[layer.ends == end] = SIGN[outcome] * left
            best = np.maximum if (self.first_ply + depth) % 2 == 0 else np.minimum
            for parents, children in self.edges(depth) if found else ():
                if parents.size:
                    of_children = found[-1][np.searchsorted(self.layers[depth + 1].states, children)]
                    starts = np.flatnonzero(np.r_[True, parents[1:] != parents[:-1]])
                    values[parents[starts]] = best.reduceat(of_children, starts)
            found.append(values)
        return found[::-1]

    def timed_value(self, state: Marks) -> int:
        """Return the timed value of a state. Raises KeyError where play from the start does not reach it."""
        key = self._canonical(state)[0]
        depth = self.game.ply(state) - self.first_ply
        if 0 <= depth < len(self.layers):
            states = self.layers[depth].states
            at = int(np.searchsorted(states, key))
            if at < states.size and states[at] == key:
                return int(self.timed_values[depth][at])
        raise KeyError(state)


def distinct(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the different numbers, ascending; sorts the given array."""
    numbers.sort()
    return numbers[np.concatenate(([True], numbers[1:] != numbers[:-1]))] if numbers.size else numbers


def kind_of(game: Game) -> GameTerms:
    """Return a game as the numbers that kernels take."""
    board, rules, bits = game.board, game.board.rules, bits_of(game.board)
    size, own = board.cells // rules.boards, part_group(game)
    floor, below = bits_below(board) if rules.by_column else (0, [])

    def moved(cells: Mask) -> np.uint64:
        return np.uint64(sum(1 << bits[cell] for cell in cells_of(cells)))

    return GameTerms(
        moved(board.full),
        np.array([moved(line) for line, _ in board.guarded_lines], np.uint64),
        np.array([moved(guard) for _, guard in board.guarded_lines], np.uint64),
        np.array([moved(((1 << size) - 1) << at) for at in range(0, board.cells, size)], np.uint64),
        np.uint64(floor),
        np.array(below, np.uint64),
        CHOSEN if rules.chooses_mark else IN_TURN if rules.alternating else ONE_MARK,
        int(game.is_judged_full),
        image_tables((own or game.group).elements, bits),
        size if own else 0,
    )


def part_group(game: Game) -> Group | None:
    """Return the symmetries of one of several boards, where the game has all of them and all orders; else None."""
    board = game.board
    if board.rules.boards == 1 or game.group != board.group():
        return None
    return board.part.group()


class ClassSolution(Solution):
    """Values of all classes that play from a start reaches, over compiled kernels; see `ClassLayers`."""

    engine = "retrograde"

    def __init__(self, board: Board, start: Position | None = None, progress: Progress = silent) -> None:
        super().__init__(board, start)
        whole = start is None or start.ply == 0
        group = board.group() if whole else board.group().stabiliser(self.start.x, self.start.o)
        layers = ClassLayers(Game(board, start, group=group), progress=progress)
        vars(self).update(layers=layers)

    layers: ClassLayers
    """The classes by ply, and their values."""

    def __reduce__(self) -> tuple[type[ClassSolution], tuple[Board, Position]]:
        return ClassSolution, (self.board, self.start)

    def _evaluate_open(self, position: Position) -> Evaluation:
        try:
            value = self.layers.timed_value(Marks(position.x, position.o))
        except KeyError:
            raise InvalidPosition(
                f"play from {self.start} does not reach {position}, so the solution lacks it: solve it again"
            ) from None
        outcome: Outcome = "X" if value > 0 else "O" if value < 0 else "draw"
        end = self.board.cells - (abs(value) - 1 if value else 0)
        many = sum(layer.states.size for layer in self.layers.layers)
        return Evaluation(outcome, end - position.ply, f"retrograde: all {many:,} classes valued")

    def plies(self) -> tuple[PlyValues, ...]:
        """Return the distribution of the values of all positions that play from the start reaches."""
        rows = []
        for depth, (layer, values) in enumerate(zip(self.layers.layers, self.layers.timed_values, strict=True)):
            kinds = (values > 0, values == 0, values < 0)
            labelled = Split(*(int(layer.orbits[kind].sum()) for kind in kinds))
            rows.append(PlyValues(self.layers.first_ply + depth, labelled, Split(*(int(kind.sum()) for kind in kinds))))
        return tuple(rows)
