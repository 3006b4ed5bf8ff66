"""The positions of play to the full board, which no line ends, and the lines that the marks of each make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from noughts.analysis.explain.facts import ValuedMove
from noughts.analysis.records.catalogue import path_counts
from noughts.analysis.records.record import ClassFacts, Selection
from noughts.counting.question import Question
from noughts.rules.board import Board
from noughts.rules.cells import moves_on
from noughts.rules.errors import InvalidQuestion
from noughts.rules.marks import Mask, cells_of
from noughts.rules.position import Position
from noughts.solving.classgraph import class_graph

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
    row_keys = keys = (
        "position class=canonical ply orbit stabiliser to_move terminal=is_terminal lines=lined outcome "
        "ways ways_by_choices games games_by_choices"
    )

    def __repr__(self) -> str:
        return f"<FullRecord of {self.position} on {self.board}: {self.lined}>"

    @property
    def lined(self) -> Literal["X", "O", "both", "neither"]:
        """Who has completed lines."""
        x, o = (bool(self.position.completed_lines(player)) for player in ("X", "O"))
        return "both" if x and o else "X" if x else "O" if o else "neither"

    @property
    def boards(self) -> Iterator[FullRecord]:
        """A record for every board of the class; its moves stay those of the class."""
        ways, games = self.ways // self.orbit, self.games // self.orbit
        for x, o in self.board.group().orbit(self.canonical.x, self.canonical.o):
            yield replace(self, position=Position(self.board, x, o), ways=ways, games=games)


def require_marks_alone(board: Board, selection: Selection) -> None:
    """Raise InvalidQuestion for a condition that needs the values of positions."""
    for name in NEEDS_VALUES:
        if name in selection.conditions:
            raise InvalidQuestion(
                f"{name.replace('_', ' ')} has no meaning on {board} in play to the full board: remove it"
            )


def full_records(question: Question) -> Iterator[FullRecord]:
    """Yield a record for each class of play to the full board within the rules, in the order of a catalogue.

    A class may have several nodes, one for each player who may have had the first line.
    """
    board = question.board
    graph = class_graph(board, end="full").within(question.x_moves, question.o_moves)
    counts = path_counts(graph)
    for layer in graph.layers:
        classes: dict[tuple[Mask, Mask], list[int]] = {}
        for number in layer:
            classes.setdefault(graph.nodes[number].state[:2], []).append(number)
        for (x, o), numbers in sorted(classes.items()):
            position, node = Position(board, x, o), graph.nodes[numbers[0]]
            moves = []
            for child, cells in sorted(node.children, key=lambda edge: edge[1] & -edge[1]):
                after = Position(board, *graph.nodes[child].state[:2])
                moves.append(ValuedMove(moves_on(board, cells_of(cells)), after, None, None, None))
            found = [counts[number] for number in numbers]
            ways = [sum(each[i] for each in found) for i in (0, 1)]
            games = [sum(each[i] * each[i + 2] for each in found) for i in (0, 1)]
            record = FullRecord(position, None, None, None, tuple(moves), position, node.orbit, *ways, *games)
            if not moves and record.lined != "both":
                outcome = "draw" if record.lined == "neither" else board.line_outcome(record.lined)
                record = replace(record, outcome=outcome)
            yield record
