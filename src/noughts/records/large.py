"""The catalogue of a large board: arrays for all classes, and a record when one is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from math import factorial

import numpy as np
import numpy.typing as npt

from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Position
from noughts.machine.budget import default_memory, format_size
from noughts.records.bounds import about_classes, least_by_ply
from noughts.records.catalogue import EVERYTHING, Catalogue
from noughts.records.layers import DRAW, O_WINS, OPEN, X_WINS, Layers, estimate_layers
from noughts.records.record import Move, RandomPlay, Record, tactics
from noughts.records.selection import Selection
from noughts.strategy.labels import label

__all__ = ["LayerCatalogue"]

_OUTCOMES: dict[int, Outcome] = {X_WINS: "X", DRAW: "draw", O_WINS: "O"}
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class LayerCatalogue(Catalogue):
    """A catalogue over the layers of a board of up to 20 cells. Cost: that of the layers, and 0.1 ms a record.

    The layers are made when a record is first asked for. Raises BudgetError where the arrays do not fit three quarters
    of the free memory.
    """

    _parents: Callable[[int], tuple[Ints, Ints]]

    def __init__(self, board: Board | str) -> None:
        super().__init__(Board.parse(board))
        needed = estimate_layers(self.board, about_classes(self.board))
        if needed.memory > default_memory():
            raise BudgetError(
                f"{self.board} needs {needed}, over the budget of {format_size(default_memory())}: "
                "ask about a smaller board"
            )
        vars(self).update(_parents=lru_cache(maxsize=2)(self._find_parents))

    @cached_property
    def layers(self) -> Layers:
        """The classes and their facts, as arrays."""
        return Layers(self.board)

    def __len__(self) -> int:
        return sum(map(len, self.layers.layers))

    @property
    def boards(self) -> int:
        """The number of labelled positions."""
        return sum(int(layer.orbit.sum()) for layer in self.layers.layers)

    @property
    def plies(self) -> int:
        """The number of plies that have positions."""
        return len(self.layers.layers)

    def _layer(self, ply: int, selection: Selection = EVERYTHING) -> Iterator[Record]:
        """Yield the classes of one ply that may be admitted, in order."""
        return (self._made(ply, row) for row in np.flatnonzero(self._candidates(ply, selection)).tolist())

    def _find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""
        x, o = self.group.canonical(position.x, position.o)
        keys = self.layers.layers[position.ply].keys
        return self._made(position.ply, int(np.searchsorted(keys, x << self.layers.bits | o)))

    def _least_classes(self, ply: int | None) -> int:
        found = least_by_ply(self.board)
        return sum(found) if ply is None else sum(found[ply : ply + 1])

    def _candidates(self, ply: int, selection: Selection) -> Flags:
        """Return which classes of a ply meet the conditions that the arrays tell; records tell the others."""
        layer, facts = self.layers.layers[ply], self.layers.facts[ply]
        given, kept = selection.conditions, np.ones(len(layer), np.bool_)
        if given.keys() & {"terminal", "won", "drawn"}:
            kept &= layer.over != OPEN
        if given.keys() & {"unfinished", "decision", "real_decision", "matchbox"}:
            kept &= layer.over == OPEN
        if "won" in given:
            codes = {"X": (X_WINS,), "O": (O_WINS,), "any": (X_WINS, O_WINS)}
            kept &= np.isin(layer.over, codes[given["won"]])
        if "drawn" in given:
            kept &= layer.over == DRAW
        if "trap" in given:
            kept &= facts.trap
        if "symmetric" in given:
            kept &= layer.orbit < self.group.order
        if selection.label is not None:
            kept &= self._labelled_as(ply, selection.label)
        return kept

    def _labelled_as(self, ply: int, word: str) -> Flags:
        facts = self.layers.facts[ply]
        found = np.zeros(len(facts.outcome), np.bool_)
        for code, outcome in _OUTCOMES.items():
            for decided in (False, True):
                if label(outcome, decided) == word:
                    found |= (facts.outcome == code) & (facts.decided == decided)
        return found

    def _position(self, ply: int, row: int) -> Position:
        key = int(self.layers.layers[ply].keys[row])
        return Position(self.board, key >> self.layers.bits, key & self.layers.full)

    def _find_parents(self, ply: int) -> tuple[Ints, Ints]:
        """Return the classes before those of a ply, sorted by child, and where those of each child begin."""
        if ply == 0:
            return np.zeros(0, np.int64), np.zeros(2, np.int64)
        before, size = self.layers.layers[ply - 1], len(self.layers.layers[ply])
        order = np.argsort(before.child, kind="stable")
        return before.parent[order].astype(np.int64), np.searchsorted(before.child[order], np.arange(size + 1))

    def _made(self, ply: int, row: int) -> Record:
        facts, layer = self.layers.facts[ply], self.layers.layers[ply]
        position = self._position(ply, row)
        outcome, decided = _OUTCOMES[int(facts.outcome[row])], bool(facts.decided[row])
        threats, forks, is_fork = tactics(position)
        parents, first = self._parents(ply)
        orders = factorial(self.board.cells - ply)
        x, draw, o = (Fraction(int(facts.weights[i][row]), orders) for i in range(3))
        return Record(
            position=position,
            canonical=position,
            orbit=int(layer.orbit[row]),
            stabiliser=self.group.order // int(layer.orbit[row]),
            is_terminal=position.is_terminal,
            outcome=outcome,
            remoteness=int(facts.remoteness[row]),
            decided=decided,
            label=label(outcome, decided),
            threats=threats,
            forks=forks,
            is_fork=is_fork,
            ways=int(facts.ways[row]),
            ways_by_choices=int(facts.ways_by_choices[row]),
            finishes=int(facts.finishes[row]),
            finishes_by_choices=int(facts.finishes_by_choices[row]),
            random_play=RandomPlay(x, draw, o),
            pattern=self.patterns.get((position.x, position.o)) if ply == self.board.cells else None,
            predecessors=tuple(
                self._position(ply - 1, parent) for parent in parents[first[row] : first[row + 1]].tolist()
            ),
            moves=self._moves(ply, row),
        )

    def _moves(self, ply: int, row: int) -> tuple[Move, ...]:
        layer, facts = self.layers.layers[ply], self.layers.facts[ply]
        edges = slice(int(layer.first[row]), int(layer.first[row + 1]))
        return tuple(
            self._move(ply + 1, child, cells, int(facts.outcome[row]), int(facts.remoteness[row]))
            for child, cells in zip(layer.child[edges].tolist(), layer.cells[edges].tolist(), strict=True)
        )

    def _move(self, ply: int, child: int, cells: int, value: int, remoteness: int) -> Move:
        facts = self.layers.facts[ply]
        code, far = int(facts.outcome[child]), int(facts.remoteness[child])
        word = label(_OUTCOMES[code], bool(facts.decided[child]))
        best = code == value and far == remoteness - 1
        return Move(tuple(cells_of(cells)), self._position(ply, child), word, _OUTCOMES[code], far, best)
