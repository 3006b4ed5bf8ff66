"""The catalogue of a board: bounds on its position classes, and a record for each class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import comb, lcm
from typing import Any

from noughts.analysis.drawn import drawn_classes, names_of
from noughts.analysis.explain.wording import label
from noughts.analysis.records.record import FRAME_KINDS, RandomPlay, Record, RecordMove, Selection
from noughts.counting.inclusion import line_free_sets
from noughts.counting.question import Question, is_ruled, play_words
from noughts.machine.packages import Framed
from noughts.rules.arguments import whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import moves_on
from noughts.rules.errors import BudgetError, InputError, InvalidPosition, InvalidQuestion
from noughts.rules.game import (
    LISTED_CLASSES,
    Marks,
    class_bound,
    least_classes,
    least_positions,
    position_bounds,
    require_listed,
)
from noughts.rules.marks import Mask, Outcome, cells_of
from noughts.rules.position import Position, PositionLike, parse_position
from noughts.rules.symmetry import Group, Permutation, inverse
from noughts.rules.values import Frozen, roughly, short
from noughts.solving.classgraph import ClassGraph, class_graph
from noughts.solving.values import OUTCOME_OF_VALUE

GRAPH_CLASSES = 4_000
"""The most classes, by the bound, for which arrays do not help."""
ARRAY_CELLS = 20
"""The most cells of a board in arrays: counts are at most N!, which fits 63 bits."""
ARRAY_CLASSES = 3_000_000
"""The most classes, by the bound, of a catalogue in memory; 4x4:4 has 1.2 million."""
CELL_LIMIT = 64
"""The most cells of a board whose positions are listed."""


def position_bound(board: Board) -> int:
    """Return an upper bound on the number of reachable positions, rarely twice that number.

    Cost: counting the line-free sets, or nothing if they are too many.
    """
    try:
        free: tuple[int, ...] = line_free_sets(board)
    except BudgetError:
        free = tuple(comb(board.cells, size) for size in range(board.cells + 1))
    return sum(position_bounds(board, free))


def about_classes(board: Board) -> int:
    """Return an estimate of the number of position classes: `position_bound` divided by the number of symmetries.

    If a coarser bound is small, return that bound.
    """
    if not board.rules.is_marking:
        return class_bound(Position(board))
    bound = class_bound(Position(board)) if board.cells <= ARRAY_CELLS else ARRAY_CLASSES
    return bound if bound <= GRAPH_CLASSES else -(-position_bound(board) // board.group().order)


def require_few(board: Board) -> None:
    """Raise BudgetError for a board with more classes, by the bound, than plain Python lists."""
    bound = about_classes(board)
    if bound > LISTED_CLASSES:
        raise BudgetError(
            f"{board} may have about {bound:,} position classes, and plain Python lists up to "
            f"{LISTED_CLASSES:,}: ask about a smaller board"
        )


def least_by_ply(board: Board) -> list[int]:
    """Return a lower bound on the position classes of each ply; zeros if the cheap bound fails."""
    try:
        free = line_free_sets(board)
    except BudgetError:
        return [0] * (board.cells + 1)
    order = board.group().order
    return [-(-positions // order) for positions in least_positions(board, free)]


def require_listable(board: Board) -> None:
    """Raise BudgetError at once for boards with too many cells, or with too many classes by `least_classes`."""
    if board.cells > CELL_LIMIT:
        raise BudgetError(
            f"{board} has {board.cells:,} cells and positions are listed on boards of up to {CELL_LIMIT}: "
            "ask about a smaller board"
        )
    if not board.rules.is_marking:
        require_listed(Position(board), "a list of positions", takes_position=False)
    if board.cells <= ARRAY_CELLS or not board.rules.is_marking:
        return
    least = least_classes(Position(board))
    if least > LISTED_CLASSES:
        raise BudgetError(
            f"{board} has more than {ARRAY_CELLS} cells and at least {roughly(least)} position classes, over "
            f"{LISTED_CLASSES:,}: ask about a smaller board"
        )


def is_for_plain_python(board: Board, classes: int) -> bool:
    """Return whether a board with so many classes is listed in plain Python: few, or too many cells for arrays."""
    return (
        classes <= GRAPH_CLASSES
        or not board.rules.is_marking
        or (classes <= LISTED_CLASSES and board.cells > ARRAY_CELLS)
    )


# The catalogue of a board: a record for every position class, by its canonical position.

RECORD_LIMIT = 300_000
"""The most records of a selection."""
EVERYTHING = Selection()
"""The selection without conditions."""
Valued = tuple[Outcome, int, bool]
"""Outcome and remoteness of a class, and whether it is decided."""


def pattern_names(board: Board) -> dict[tuple[Mask, Mask], str]:
    """Return the names of the drawn full boards by canonical sets; empty where they have none or are too many."""
    try:
        return names_of(drawn_classes(board))
    except (BudgetError, InvalidQuestion):
        return {}


class Catalogue(Frozen, Framed, ABC):
    """A record for every position class of a board, in order of ply and then of the canonical sets of X and of O.

    `catalogue["X.O/.X./..O"]` is the record of the class of a position, given as marks or as moves. Its cells are those
    of the canonical board; `of_board` gives the record with the cells of the given board. Iterating gives the classes,
    `labelled()` every board, `where(...)` the classes that a selection admits. `noughts.analysis.catalogue(board)`
    makes one. `question` has the rules of play. Catalogues are equal if boards and rules are; a pickle holds only
    these.
    """

    board: Board
    group: Group
    question: Question
    frame_kinds = FRAME_KINDS

    def __init__(self, asked: Question | Board | str = "3x3") -> None:
        question = asked if isinstance(asked, Question) else Question(Board.parse(asked), "choices")
        vars(self).update(board=question.board, group=question.board.group(), question=question)

    def frame_rows(self) -> Iterator[dict[str, object]]:
        """Yield a row for each class, for `to_pandas` and `to_polars`."""
        return (record.as_row() for record in self)

    def __repr__(self) -> str:
        rules = {name: rule for name, rule in self._rules.items() if is_ruled(self.question)}
        return f"catalogue({', '.join([repr(short(self.board, 80)), *(f'{n}={rule!r}' for n, rule in rules.items())])})"

    @property
    def _rules(self) -> dict[str, str]:
        return {name: getattr(self.question, name) for name in ("x_moves", "o_moves", "end")}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalogue) and self.question == other.question

    def __hash__(self) -> int:
        return hash(self.question)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.question,)

    def as_dict(self) -> dict[str, object]:
        """Return the size of the catalogue for JSON; `positions(board).as_dict()` has the records."""
        sizes: dict[str, object] = {"classes": str(len(self)), "boards": str(self.boards), "plies": self.plies}
        return {"board": self.board.spec, **self._rules, **sizes}

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
    def _layer(self, ply: int, selection: Selection = EVERYTHING) -> Iterator[Record]:
        """Yield the classes of a ply in order; those that a selection does not admit may be left out."""

    @abstractmethod
    def _find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""

    def _made(
        self,
        position: Position,
        orbit: int,
        value: Valued,
        children: Iterable[tuple[Position, Mask, Valued]],
        before: Iterable[Position],
        counts: tuple[int, int, int, int],
        chances: RandomPlay,
    ) -> Record:
        """Return the record of a class. `counts` are its ways and finishes, each in total and by choices."""
        outcome, remoteness, decided = value
        moves = tuple(
            RecordMove(
                moves_on(self.board, cells_of(cells)), after, label(then, settled, self.board), then, plies,
                then == outcome and plies == remoteness - 1,
            )
            for after, cells, (then, plies, settled) in children
        )  # fmt: skip
        pattern = None if position.blanks else self.patterns.get((position.x, position.o))
        return Record(
            position, label(outcome, decided, self.board), outcome, remoteness, moves, position, orbit, decided,
            *counts, chances, pattern, tuple(before),
        )  # fmt: skip

    def layer(self, ply: int) -> Iterator[Record]:
        """Yield the classes of one ply, in order; none if no position has so many marks."""
        return self._layer(ply) if whole_number("the ply", ply) < self.plies else iter(())

    def __iter__(self) -> Iterator[Record]:
        for ply in range(self.plies):
            yield from self._layer(ply)

    def __getitem__(self, position: PositionLike) -> Record:
        return self._find(parse_position(self.board, position).require_reachable())

    def __contains__(self, given: object) -> bool:
        position = given.canonical if isinstance(given, Record) else given
        if not isinstance(position, Position | str):
            return False
        try:
            return bool(self[position])
        except InputError:
            return False

    def where(self, selection: Selection | None = None, **conditions: Any) -> list[Record]:
        """Return the records of the classes that a selection admits, or the conditions of one: `where(trap=True)`.

        Raises InputError for a condition that does not exist or is not defined on this board, BudgetError for more than
        RECORD_LIMIT classes.
        """
        if selection is not None and not isinstance(selection, Selection):
            raise wrong_type("a selection", selection, "a Selection, or its conditions by name")
        chosen = (selection or Selection(**conditions)).on(self.board)
        ply = chosen.conditions.get("ply")
        if chosen.conditions.keys() <= {"ply"} and self._least_classes(ply) > RECORD_LIMIT:
            raise self._too_many()
        plies = range(self.plies) if ply is None else range(ply, min(ply + 1, self.plies))
        admitted: list[Record] = []
        for record in chain.from_iterable(self._layer(ply, chosen) for ply in plies):
            if chosen.admits(record):
                admitted.append(record)
            if len(admitted) > RECORD_LIMIT:
                raise self._too_many()
        return admitted

    def _least_classes(self, ply: int | None) -> int:
        """Return a lower bound on the classes of one ply or of all, without listing any."""
        return 0

    def _too_many(self) -> BudgetError:
        return BudgetError(
            f"more than {RECORD_LIMIT:,} classes of {self.board} meet the conditions: add some, such as --ply, "
            "or write all to a file with noughts export"
        )

    def labelled(self, records: list[Record] | None = None) -> Iterator[Record]:
        """Yield a record for every board of all classes or of those given, class by class."""
        for record in self if records is None else records:
            for permutation in self.orbit(record).values():
                yield record.turned(permutation)

    def of_board(self, position: PositionLike) -> Record:
        """Return the record of one labelled board, with the cells and the ways of this board.

        `lambda position: catalogue.of_board(position).best_moves` is a policy. Raises InputError for a position that
        play cannot lead to.
        """
        at = parse_position(self.board, position).require_reachable()
        _, _, symmetry = self.group.to_canonical(at.x, at.o)
        return self._find(at).turned(inverse(symmetry))

    def orbit(self, of: Record | PositionLike) -> dict[tuple[Mask, Mask], Permutation]:
        """Return the boards of a class, the canonical one first, each with a symmetry that leads to it."""
        if isinstance(of, Record):
            parse_position(self.board, of.canonical)
        canonical = of.canonical if isinstance(of, Record) else self[of].canonical
        found: dict[tuple[Mask, Mask], Permutation] = {}
        for image, element in zip(self.group.images, self.group.elements, strict=True):
            found.setdefault((image(canonical.x), image(canonical.o)), element)
        return dict(sorted(found.items()))

    @cached_property
    def patterns(self) -> dict[tuple[Mask, Mask], str]:
        """The names of the drawn full boards by canonical sets; empty where there are too many to list."""
        return pattern_names(self.board)


# In how many ways each class is reached and games continue from it: sums over one class graph.
#
# With m(e) the cells that lead along an edge e, *ways* are pushed forward and *finishes* pulled backward; by choices
# each edge counts once. In random play the weights of outcomes are averages over the moves.


def path_counts(graph: ClassGraph) -> list[tuple[int, int, int, int]]:
    """Return for each node the paths to any board of its class, and the ways to finish the game from one board.

    Each is given in total, and with each distinct child class as one choice: ways, ways by choices, finishes, finishes
    by choices.
    """
    size = len(graph.nodes)
    ways, choices = ([1, *[0] * (size - 1)] for _ in range(2))
    for number, node in enumerate(graph.nodes):
        for child, cells in node.children:
            ways[child] += ways[number] * cells.bit_count()
            choices[child] += choices[number]
    finishes, by_choices = [1] * size, [1] * size
    for number, node in graph.backward():
        if node.children:
            finishes[number] = sum(finishes[child] * cells.bit_count() for child, cells in node.children)
            by_choices[number] = sum(by_choices[child] for child, _ in node.children)
    return list(zip(ways, choices, finishes, by_choices, strict=True))


def random_play(graph: ClassGraph) -> list[RandomPlay]:
    """Return for each node the outcomes when each move that the rules allow is equally likely."""
    weights: list[tuple[int, ...]] = [()] * len(graph.nodes)  # of X wins, draw and O wins; and their sum
    for number, node in graph.backward():
        if node.outcome is not None:
            weights[number] = (*(int(node.outcome == outcome) for outcome in ("X", "draw", "O")), 1)
        else:
            below = [(cells.bit_count(), weights[child]) for child, cells in node.children]
            whole = lcm(*(each[3] for _, each in below))
            sums = [sum(times * each[i] * (whole // each[3]) for times, each in below) for i in range(3)]
            weights[number] = (*sums, sum(sums))
    return [RandomPlay(*(Fraction(weight, whole) for weight in split)) for *split, whole in weights]


# The catalogue of a small board: a class graph in plain Python, and records on request.


class GraphCatalogue(Catalogue):
    """The catalogue of a small board, from its class graph. Cost: 20 ms for 3x3, about 0.3 ms a class.

    Under rules of play it has the classes that players who keep to the move rules reach. Predecessors, moves, ways,
    finishes and random play are within the rules. With the end rule `decided` a game is over once every continuation
    that the rules allow has the same outcome. Raises InvalidQuestion for the end rule `full`, BudgetError above
    LISTED_CLASSES classes, by the bound.
    """

    graph: ClassGraph
    _records: dict[int, Record]

    def __init__(self, asked: Question | Board | str = "3x3") -> None:
        super().__init__(asked)
        if self.question.end == "full":
            raise InvalidQuestion(
                "a catalogue cannot have games to the full board: choose the end rule line or decided"
            )
        require_few(self.board)
        graph = class_graph(self.board)
        if is_ruled(self.question):
            is_decided = self.question.end == "decided"
            graph = graph.within(self.question.x_moves, self.question.o_moves, decided=is_decided)
        vars(self).update(graph=graph, _records={})

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
        return map(self._record_of, self._order[ply])

    def _find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""
        try:
            return self._record_of(self.graph.number_of(Marks(position.x, position.o)))
        except KeyError:
            raise InvalidPosition(
                f"{position} is not reached on {self.board} where {play_words(self.question)}: "
                "give a position of such play, or remove the rules"
            ) from None

    @cached_property
    def _order(self) -> list[list[int]]:
        """The numbers of the nodes in the order of the catalogue, by ply."""
        nodes = self.graph.nodes
        return [sorted(layer, key=lambda number: nodes[number].state[:2]) for layer in self.graph.layers]

    @cached_property
    def _counts(self) -> list[tuple[int, int, int, int]]:
        return path_counts(self.graph)

    @cached_property
    def _chances(self) -> list[RandomPlay]:
        return random_play(self.graph)

    @cached_property
    def _parents(self) -> list[list[int]]:
        parents: list[list[int]] = [[] for _ in self.graph.nodes]
        for number in chain.from_iterable(self._order):
            for child, _ in self.graph.nodes[number].children:
                parents[child].append(number)
        return parents

    def _record_of(self, number: int) -> Record:
        """Return the record of a node of the class graph."""
        if number not in self._records:
            node = self.graph.nodes[number]
            children = sorted(node.children, key=lambda edge: edge[1] & -edge[1])
            self._records[number] = self._made(
                self._position(number),
                node.orbit,
                self._value(number),
                ((self._position(child), cells, self._value(child)) for child, cells in children),
                map(self._position, self._parents[number]),
                self._counts[number],
                self._chances[number],
            )
        return self._records[number]

    def _position(self, number: int) -> Position:
        node = self.graph.nodes[number]
        return Position(self.board, node.state.x, node.state.o)

    def _value(self, number: int) -> Valued:
        graph = self.graph
        return OUTCOME_OF_VALUE[graph.values[number]], graph.remoteness[number], graph.decided[number] is not None
