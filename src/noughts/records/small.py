"""The catalogue of a small board: a class graph in plain Python, and a record when one is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import factorial

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.extent import LISTED_CLASSES
from noughts.domain.game import Marks
from noughts.domain.position import Position
from noughts.records.bounds import about_classes
from noughts.records.catalogue import EVERYTHING, Catalogue
from noughts.records.record import Move, RandomPlay, Record, tactics
from noughts.records.selection import Selection
from noughts.records.sums import Sums
from noughts.solving.classgraph import ClassGraph, class_graph
from noughts.solving.values import OUTCOME_OF_VALUE
from noughts.strategy.labels import label

__all__ = ["GraphCatalogue"]


class GraphCatalogue(Catalogue):
    """The catalogue of a small board, from its class graph. Cost: 20 ms for 3x3, about 0.3 ms a class.

    Raises BudgetError above LISTED_CLASSES classes, by the bound.
    """

    graph: ClassGraph[Marks]
    sums: Sums
    _records: dict[int, Record]

    def __init__(self, board: Board | str = "3x3") -> None:
        super().__init__(Board.parse(board))
        bound = about_classes(self.board)
        if bound > LISTED_CLASSES:
            raise BudgetError(
                f"{self.board} may have about {bound:,} position classes, and plain Python lists up to "
                f"{LISTED_CLASSES:,}: ask about a smaller board"
            )
        graph = class_graph(self.board)
        vars(self).update(graph=graph, sums=Sums(graph), _records={})

    def __len__(self) -> int:
        return len(self.graph.nodes)

    @property
    def boards(self) -> int:
        """The number of labelled positions."""
        return sum(node.orbit for node in self.graph.nodes)

    @property
    def plies(self) -> int:
        """The number of plies that have positions."""
        return len(self.graph.layers)

    def _layer(self, ply: int, selection: Selection = EVERYTHING) -> Iterator[Record]:
        """Yield the classes of one ply, in order."""
        return map(self.record, self.order[ply])

    def _find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""
        return self.record(self.graph.number_of(Marks(position.x, position.o)))

    @cached_property
    def order(self) -> list[list[int]]:
        """The numbers of the nodes in the order of the catalogue, by ply."""
        nodes = self.graph.nodes
        return [sorted(layer, key=lambda number: nodes[number].state[:2]) for layer in self.graph.layers]

    def record(self, number: int) -> Record:
        """Return the record of a node of the class graph."""
        if number not in self._records:
            self._records[number] = self._made(number)
        return self._records[number]

    def _made(self, number: int) -> Record:
        node, sums = self.graph.nodes[number], self.sums
        position = self._position(number)
        outcome, decided = OUTCOME_OF_VALUE[self.graph.values[number]], self.graph.decided[number] is not None
        threats, forks, is_fork = tactics(position)
        return Record(
            position=position,
            canonical=position,
            orbit=node.orbit,
            stabiliser=self.group.order // node.orbit,
            is_terminal=node.outcome is not None,
            outcome=outcome,
            remoteness=self.graph.remoteness[number],
            decided=decided,
            label=label(outcome, decided),
            threats=threats,
            forks=forks,
            is_fork=is_fork,
            ways=sums.ways[number],
            ways_by_choices=sums.ways_by_choices[number],
            finishes=sums.finishes[number],
            finishes_by_choices=sums.finishes_by_choices[number],
            random_play=self._random_play(number, position),
            pattern=self.patterns.get((position.x, position.o)),
            predecessors=tuple(self._position(parent) for parent in self._parents[number]),
            moves=self._moves(number),
        )

    def _position(self, number: int) -> Position:
        node = self.graph.nodes[number]
        return Position(self.board, node.state.x, node.state.o)

    def _random_play(self, number: int, position: Position) -> RandomPlay:
        weights, orders = self.sums.random_weights[number], factorial(position.blanks.bit_count())
        x, draw, o = (Fraction(weight, orders) for weight in weights)
        return RandomPlay(x, draw, o)

    def _moves(self, number: int) -> tuple[Move, ...]:
        children = sorted(self.graph.nodes[number].children, key=lambda edge: edge[1] & -edge[1])
        best = self.best_children(number)
        return tuple(self._move(child, cells, child in best) for child, cells in children)

    def _move(self, child: int, cells: Mask, best: bool) -> Move:
        outcome = OUTCOME_OF_VALUE[self.graph.values[child]]
        word = label(outcome, self.graph.decided[child] is not None)
        return Move(tuple(cells_of(cells)), self._position(child), word, outcome, self.graph.remoteness[child], best)

    def best_children(self, number: int) -> set[int]:
        """Return the children of a node that keep its value and, of these, win soonest or lose latest."""
        values, remoteness = self.graph.values, self.graph.remoteness
        children = [child for child, _ in self.graph.nodes[number].children]
        return {
            child
            for child in children
            if values[child] == values[number] and remoteness[child] == remoteness[number] - 1
        }

    @cached_property
    def _parents(self) -> list[list[int]]:
        parents: list[list[int]] = [[] for _ in self.graph.nodes]
        for number in chain.from_iterable(self.order):
            for child, _ in self.graph.nodes[number].children:
                parents[child].append(number)
        return parents
