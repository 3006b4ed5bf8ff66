"""A game as a story on a page: each move with what it did, the values as a chart, and what gave it away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from noughts.analysis.explain.facts import along
from noughts.analysis.explain.mistakes import Course
from noughts.analysis.explain.review import Review, review
from noughts.analysis.explain.wording import quality, verdict_with_winner
from noughts.drawing.chart import evaluation_bar, tug_of_war
from noughts.drawing.figures import marks_of
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Outcome, Player
from noughts.rules.position import Position
from noughts.web.values import kind_of, soon_values_at

_SHOWN_CELLS = 64
"""Maximum cells of a board on which a script shows the position after a move of a list."""


class StoryMove(NamedTuple):
    """A move: its number, player and name, what it did to the value, its symbol, and its link.

    `shows` are the marks after it, empty on large boards. `wrong`: it gave something away.
    """

    number: int
    player: str
    name: str
    verdict: str
    kind: str
    outcome: str
    wrong: bool
    to: str | None
    here: bool
    shows: str


@lru_cache(maxsize=64)
def reviewed(board: Board, moves: tuple[Cell, ...]) -> Review | None:
    """Return the review of a game, as far as a page can find values; None without moves or values."""
    try:
        text = " ".join(move_name(board, move) for move in moves)
        return review(board, text, solution=soon_values_at(Position(board))) if moves else None
    except BudgetError:
        return None


def marks_shown(position: Position) -> str:
    """Return the marks of a position for a script that shows it on the board; empty for a large board."""
    return marks_of(position) if position.board.cells <= _SHOWN_CELLS else ""


def value_after(course: Course | None, ply: int) -> tuple[Outcome, int | None] | None:
    """Return who wins after some moves, and the plies to the end; None if that was not found."""
    if course is None or not course.valued_from <= ply < course.valued_from + len(course.outcomes):
        return None
    return course.outcomes[ply - course.valued_from], course.remoteness[ply - course.valued_from]


def story(
    board: Board, moves: Sequence[Cell], course: Course | None, to: Callable[[int], str | None], here: int
) -> list[StoryMove]:
    """Return the moves of a game; `to` gives the link of the game after so many moves, `here` of them are played."""
    found, after = [], along(Position(board), moves)[1:]
    for number, cell in enumerate(moves, 1):
        mover: Player = "X" if number % 2 else "O"
        before, value = value_after(course, number - 1), value_after(course, number)
        due, now = before[0] if before else None, value[0] if value else None
        found.append(StoryMove(
            number, board.rules.labels[mover == "O"], move_name(board, cell),
            verdict_with_winner(board, mover, due, now, value[1]) if value else "",
            kind_of(mover, now), now or "", quality(mover, due, now) in ("loses", "gives up a win"),
            to(number), number == here, marks_shown(after[number - 1]),
        ))  # fmt: skip
    return found


def chart(board: Board, course: Course | None, plies: int, here: int | None = None) -> str:
    """Return the chart of the values after each move; empty without values. `here` is the ply to point at."""
    if course is None or len(course.outcomes) < 2:
        return ""
    values = [value_after(course, ply) for ply in range(plies + 1)]
    return tug_of_war(values, board.cells, board.rules.labels, here)


def bar(board: Board, outcome: Outcome | None, remoteness: int | None) -> str:
    """Return the bar of a value; empty where the value is unknown."""
    return "" if outcome is None else evaluation_bar(outcome, remoteness, board.cells, board.rules.labels)
