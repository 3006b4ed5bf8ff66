"""The catalogue of a board: a record for every position class, by its canonical position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain
from math import comb, factorial
from typing import Any

from noughts.counting.linefree import line_free_sets
from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.notation import parse_position
from noughts.domain.position import Outcome, Player, Position
from noughts.domain.symmetry import Permutation
from noughts.records.record import Move, RandomPlay, Record
from noughts.records.selection import Selection
from noughts.records.sums import Sums
from noughts.solving.classgraph import ClassGraph
from noughts.solving.values import VALUE_OF_OUTCOME, backward_decided, backward_remoteness
from noughts.strategy.labels import label
from noughts.strategy.patterns import drawn_classes
from noughts.strategy.threats import fork_cells, is_fork, threat_mask

__all__ = [
    "ARRAY_CELLS",
    "ARRAY_CLASSES",
    "CELL_LIMIT",
    "CLASS_LIMIT",
    "EVERYTHING",
    "GRAPH_CLASSES",
    "RECORD_LIMIT",
    "Catalogue",
    "GraphCatalogue",
    "catalogue",
    "grouped",
    "position_bound",
    "require_listable",
    "tactics",
]

CLASS_LIMIT = 120_000
"""Position classes, by the bound, up to which a catalogue is made in plain Python."""

GRAPH_CLASSES = 4_000
"""Classes, by the bound, up to which nothing is gained by arrays."""
ARRAY_CELLS = 20
"""Cells up to which a large board is kept as arrays: counts are at most N!, which fits 63 bits."""
ARRAY_CLASSES = 3_000_000
"""Classes, by the bound, up to which a catalogue is kept in memory; 4x4:4 has 1.2 million."""
CELL_LIMIT = 64
"""Cells up to which positions are listed."""
RECORD_LIMIT = 300_000
"""Records that one selection gives at most."""
EVERYTHING = Selection()
"""The selection without conditions."""

_OUTCOMES: dict[int, Outcome] = {value: outcome for outcome, value in VALUE_OF_OUTCOME.items()}


def position_bound(board: Board) -> int:
    """Return at least the number of reachable positions, and rarely twice as many.

    Open positions are at most one player's line-free sets with any set of the other; a position with a line is one move
    after an open one. Cost: that of counting the line-free sets, or nothing where they are too many to count.
    """
    cells = board.cells
    try:
        free: tuple[int, ...] = line_free_sets(board)
    except BudgetError:
        free = tuple(comb(cells, size) for size in range(cells + 1))
    total = before = 0
    for ply in range(cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        still_open = min(free[p] * comb(cells - p, q), free[q] * comb(cells - q, p))
        total += min(comb(cells, ply) * comb(ply, q), still_open + before * (cells - ply + 1))
        before = still_open
    return total


def require_listable(board: Board) -> None:
    """Raise BudgetError for boards whose positions nobody lists, before any time is spent on a bound.

    While fewer marks than two lines need are set, every balanced board is reachable: so many positions there are at
    least.
    """
    if board.cells > CELL_LIMIT:
        raise BudgetError(
            f"{board} has {board.cells:,} cells and positions are listed on boards of up to {CELL_LIMIT}: "
            "ask about a smaller board"
        )
    if board.cells <= ARRAY_CELLS:
        return
    shortest = min(map(len, board.lines), default=board.cells + 1)
    plies = range(min(2 * shortest - 2, board.cells) + 1)
    least = sum(comb(board.cells, ply) * comb(ply, ply // 2) for ply in plies) // board.group().order
    if least > CLASS_LIMIT:
        raise BudgetError(
            f"{board} has at least {grouped(least)} position classes on {board.cells} cells, and those of boards of "
            f"more than {ARRAY_CELLS} cells are listed up to {CLASS_LIMIT:,}: ask about a smaller board"
        )


def grouped(number: int) -> str:
    """Return a number for people: digits in groups of three, or a power of ten where it fills a line."""
    return f"{number:,}" if number < 10**18 else f"{number:.1e}"


class Catalogue(ABC):
    """A record for every position class of a board, in order of ply and then of the canonical sets of X and of O.

    `catalogue["X.O/.X./..O"]` is the record of the class of a position, given in any spelling or as moves. Iterating
    gives the classes, `labelled()` every board, `where(...)` those that a selection admits. Made by
    `noughts.catalogue(board)`.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.group = board.group()

    def __repr__(self) -> str:
        return f"catalogue({str(self.board)!r})"

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of classes."""

    @property
    @abstractmethod
    def boards(self) -> int:
        """The number of labelled positions."""

    @property
    @abstractmethod
    def plies(self) -> int:
        """The number of plies that have positions, the empty board's included."""

    @abstractmethod
    def layer(self, ply: int, selection: Selection = EVERYTHING) -> Iterator[Record]:
        """Yield the classes of one ply, in order; those that a selection leaves out may be passed over."""

    @abstractmethod
    def find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""

    def __iter__(self) -> Iterator[Record]:
        for ply in range(self.plies):
            yield from self.layer(ply)

    def __getitem__(self, position: Position | str) -> Record:
        found = parse_position(self.board, position) if isinstance(position, str) else position
        return self.find(found.require_reachable())

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position) and position.board == self.board and not position.problems()

    def where(self, selection: Selection | None = None, **conditions: Any) -> list[Record]:
        """Return the records of the classes that a selection admits, or the conditions of one: `where(trap=True)`.

        Raises InputError for a condition that does not exist or makes no sense on this board, BudgetError where more
        than RECORD_LIMIT classes are admitted.
        """
        chosen = (selection or Selection(**conditions)).on(self.board)
        plies = range(self.plies) if chosen.ply is None else range(chosen.ply, min(chosen.ply + 1, self.plies))
        admitted: list[Record] = []
        for ply in plies:
            for record in self.layer(ply, chosen):
                if chosen.admits(record):
                    admitted.append(record)
            if len(admitted) > RECORD_LIMIT:
                raise BudgetError(
                    f"more than {RECORD_LIMIT:,} classes of {self.board} are asked for: add conditions, such as --ply, "
                    "or write all to a file with noughts export"
                )
        return admitted

    def labelled(self, records: list[Record] | None = None) -> Iterator[Record]:
        """Yield a record for every board, of all classes or of those given: class by class, each orbit in order."""
        for record in self if records is None else records:
            for permutation in self.orbit(record).values():
                yield record.turned(permutation)

    def orbit(self, record: Record) -> dict[tuple[Mask, Mask], Permutation]:
        """Return the boards of a class, the canonical one first, each with a symmetry that leads to it."""
        group, found = self.group, dict[tuple[Mask, Mask], Permutation]()
        x, o = record.canonical.x, record.canonical.o
        for image, element in zip(group.images, group.elements, strict=True):
            found.setdefault((image(x), image(o)), element)
        return dict(sorted(found.items()))

    def best_line(self, record: Record) -> list[Record]:
        """Return the classes that best play goes through from a class to the end, taking the first best move."""
        line = [record]
        while line[-1].moves:
            best = next(move for move in line[-1].moves if move.best)
            line.append(self[best.canonical])
        return line

    @cached_property
    def patterns(self) -> dict[tuple[Mask, Mask], str]:
        """The names of the drawn full boards by canonical sets; empty where there are too many to list."""
        try:
            return {(found.position.x, found.position.o): found.name for found in drawn_classes(self.board)}
        except BudgetError:
            return {}


def tactics(
    position: Position,
) -> tuple[dict[Player, Mask] | None, dict[Player, Mask] | None, bool | None]:
    """Return the threats and forks of both players and whether the position is a fork; None each under misere."""
    if position.board.misere:
        return None, None, None
    return (
        {"X": threat_mask(position, "X"), "O": threat_mask(position, "O")},
        {"X": fork_cells(position, "X"), "O": fork_cells(position, "O")},
        is_fork(position),
    )


class GraphCatalogue(Catalogue):
    """The catalogue of a small board, from its class graph. Cost: 20 ms for 3x3, about 0.3 ms a class.

    Raises BudgetError above CLASS_LIMIT classes, by the bound.
    """

    def __init__(self, board: Board | str = "3x3") -> None:
        super().__init__(Board.parse(board))
        bound = position_bound(self.board) // self.group.order
        if bound > CLASS_LIMIT:
            raise BudgetError(
                f"{self.board} may have about {bound:,} position classes, and plain Python lists up to "
                f"{CLASS_LIMIT:,}: ask about a smaller board"
            )
        self.graph = ClassGraph(self.board)
        self.sums = Sums(self.graph)
        self._records: dict[int, Record] = {}

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

    def layer(self, ply: int, selection: Selection = EVERYTHING) -> Iterator[Record]:
        """Yield the classes of one ply, in order."""
        return map(self.record, self.order[ply])

    def find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""
        return self.record(self.graph.number_of(position.x, position.o))

    @cached_property
    def order(self) -> list[list[int]]:
        """The numbers of the nodes in the order of the catalogue, by ply."""
        nodes = self.graph.nodes
        return [sorted(layer, key=lambda number: (nodes[number].x, nodes[number].o)) for layer in self.graph.layers]

    def record(self, number: int) -> Record:
        """Return the record of a node of the class graph."""
        if number not in self._records:
            self._records[number] = self._made(number)
        return self._records[number]

    def _made(self, number: int) -> Record:
        node, sums = self.graph.nodes[number], self.sums
        position = Position(self.board, node.x, node.o)
        outcome, decided = _OUTCOMES[self.graph.values[number]], self._decided[number] is not None
        threats, forks, is_fork = tactics(position)
        return Record(
            position=position,
            canonical=position,
            orbit=node.orbit,
            stabiliser=self.group.order // node.orbit,
            outcome=outcome,
            remoteness=self._remoteness[number],
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
            pattern=self.patterns.get((node.x, node.o)),
            predecessors=tuple(self._position(parent) for parent in self._parents[number]),
            moves=self._moves(number),
        )

    def _position(self, number: int) -> Position:
        node = self.graph.nodes[number]
        return Position(self.board, node.x, node.o)

    def _random_play(self, number: int, position: Position) -> RandomPlay:
        weights, orders = self.sums.random_weights[number], factorial(position.blanks.bit_count())
        x, draw, o = (Fraction(weight, orders) for weight in weights)
        return RandomPlay(x, draw, o)

    def _moves(self, number: int) -> tuple[Move, ...]:
        children = sorted(self.graph.nodes[number].children, key=lambda edge: edge[1] & -edge[1])
        best = self.best_children(number)
        return tuple(self._move(child, cells, child in best) for child, cells in children)

    def _move(self, child: int, cells: Mask, best: bool) -> Move:
        outcome = _OUTCOMES[self.graph.values[child]]
        word = label(outcome, self._decided[child] is not None)
        return Move(cells, self._position(child), word, outcome, self._remoteness[child], best)

    def best_children(self, number: int) -> set[int]:
        """Return the children of a node that keep its value and, of these, win soonest or lose latest."""
        values, remoteness = self.graph.values, self._remoteness
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

    @cached_property
    def _remoteness(self) -> list[int]:
        return backward_remoteness(self.graph)

    @cached_property
    def _decided(self) -> list[Outcome | None]:
        allowed = self.graph.allowed("any")
        return backward_decided(self.graph, allowed, allowed)


@lru_cache(maxsize=2)
def _catalogue(board: Board) -> Catalogue:
    require_listable(board)
    classes = position_bound(board) // board.group().order
    if classes <= GRAPH_CLASSES or (classes <= CLASS_LIMIT and board.cells > ARRAY_CELLS):
        return GraphCatalogue(board)
    if classes > ARRAY_CLASSES:
        raise BudgetError(
            f"{board} has about {grouped(classes)} position classes, and a catalogue in memory holds up to "
            f"{ARRAY_CLASSES:,}: write them to a file with noughts export, or ask about a smaller board"
        )
    from noughts.records.large import LayerCatalogue

    return LayerCatalogue(board)


def catalogue(board: Board | str = "3x3") -> Catalogue:
    """Return the catalogue of a board: a record for every position class, made once and kept.

    Cost: 20 ms for 3x3; large boards of up to 20 cells are kept as arrays, 3 s and 0.3 GB for 4x4:4, and a record is
    made when it is asked for. Raises InvalidBoard, and BudgetError above ARRAY_CLASSES classes, or where the arrays do
    not fit three quarters of the free memory.

    >>> len(catalogue("3x3")), catalogue("3x3")["X.O/.X./..O"].label
    (765, 'either can force a draw')
    """
    return _catalogue(Board.parse(board))
