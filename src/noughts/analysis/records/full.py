"""The positions of play to the full board, which no line ends, and the lines that the marks of each make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from noughts.analysis.explain.facts import ValuedMove
from noughts.analysis.records.catalogue import path_counts
from noughts.analysis.records.record import ClassFacts, Selection
from noughts.counting.question import Question
from noughts.rules.board import Board
from noughts.rules.cells import moves_on
from noughts.rules.errors import InvalidQuestion
from noughts.rules.marks import Mask, Outcome, cells_of
from noughts.rules.position import Position
from noughts.solving.classgraph import ClassGraph, class_graph

NEEDS_VALUES = ("real_decision", "label", "trap", "fork")
"""The conditions that have no meaning where play goes on after a line."""


@dataclass(frozen=True, repr=False)
class FullRecord(ClassFacts):
    """The facts of a position of play to the full board, for its class or for one board.

    `outcome` is None before the board is full, and also if both players have lines, as the first line wins. `label` and
    `remoteness` are None. `moves` are the distinct child classes. Counts are as in `Record`; `games` are the orders of
    moves that fill the board through this position.
    """

    ways: int
    ways_by_choices: int
    games: int
    games_by_choices: int

    def __repr__(self) -> str:
        return f"<FullRecord of {self.position} on {self.board}: {self.lined}>"

    @property
    def lined(self) -> Literal["X", "O", "both", "neither"]:
        """Who has completed lines."""
        x, o = (bool(self.position.completed_lines(player)) for player in ("X", "O"))
        return "both" if x and o else "X" if x else "O" if o else "neither"

    def turned(self, x: Mask, o: Mask) -> FullRecord:
        """Return the record of one board of this class; its moves stay those of the class."""
        orbit = self.orbit
        return replace(self, position=Position(self.board, x, o), ways=self.ways // orbit, games=self.games // orbit)

    def as_row(self) -> dict[str, object]:
        """Return the record as a row of a table."""
        return {
            "position": str(self.position),
            "class": str(self.canonical),
            "ply": self.ply,
            "orbit": self.orbit,
            "stabiliser": self.stabiliser,
            "to_move": self.to_move,
            "terminal": self.is_terminal,
            "lines": self.lined,
            "outcome": self.outcome,
            "ways": self.ways,
            "ways_by_choices": self.ways_by_choices,
            "games": self.games,
            "games_by_choices": self.games_by_choices,
        }

    def as_dict(self) -> dict[str, object]:
        """Return the record for JSON: counts as decimal strings."""
        counts = ("orbit", "stabiliser", "ways", "ways_by_choices", "games", "games_by_choices")
        return {key: str(value) if key in counts else value for key, value in self.as_row().items()}


def require_marks_alone(board: Board, selection: Selection) -> None:
    """Raise InvalidQuestion for a condition that needs the values of positions."""
    for name in NEEDS_VALUES:
        if name in selection.conditions:
            raise InvalidQuestion(
                f"{name.replace('_', ' ')} has no meaning on {board} in play to the full board: remove it"
            )


def full_graph(question: Question) -> ClassGraph:
    """Return the class graph of play to the full board within the rules of a question."""
    return class_graph(question.board, end="full").within(question.x_moves, question.o_moves)


def full_records(graph: ClassGraph) -> Iterator[FullRecord]:
    """Yield a record for each class of positions, in the order of a catalogue.

    A class may have several nodes, one for each player who may have had the first line.
    """
    board, counts = graph.game.board, path_counts(graph)
    for layer in graph.layers:
        classes: dict[tuple[Mask, Mask], list[int]] = {}
        for number in layer:
            classes.setdefault(graph.nodes[number].state[:2], []).append(number)
        for (x, o), numbers in sorted(classes.items()):
            position, node = Position(board, x, o), graph.nodes[numbers[0]]
            children = sorted(node.children, key=lambda edge: edge[1] & -edge[1])
            moves = tuple(
                ValuedMove(
                    moves_on(board, cells_of(cells)), Position(board, *graph.nodes[child].state[:2]), None, None, None
                )
                for child, cells in children
            )
            found = [counts[number] for number in numbers]
            ways, choices = (sum(each[i] for each in found) for i in (0, 1))
            games, by_choices = (sum(each[i] * each[i + 2] for each in found) for i in (0, 1))
            record = FullRecord(
                position, None, None, None, moves, position, node.orbit, ways, choices, games, by_choices
            )
            yield replace(record, outcome=_outcome(record))


def _outcome(record: FullRecord) -> Outcome | None:
    if not record.is_terminal or record.lined == "both":
        return None
    return "draw" if record.lined == "neither" else record.board.line_outcome(record.lined)


def labelled(records: Sequence[FullRecord]) -> Iterator[FullRecord]:
    """Yield a record for every board of some classes, class by class."""
    for record in records:
        group = record.board.group()
        for x, o in group.orbit(record.canonical.x, record.canonical.o):
            yield record.turned(x, o)
