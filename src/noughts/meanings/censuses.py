"""Readings of numbers from censuses: totals, single plies, the moves between them, and the ladder of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from noughts.counting.census import Census
from noughts.counting.conventions.answers import Answers
from noughts.counting.conventions.ladder import ladder
from noughts.counting.question import Question
from noughts.counting.words import command_of, convention
from noughts.domain.board import Board
from noughts.meanings.meaning import Meaning, complexity_of

__all__ = ["census_readings", "ladder_readings"]


@dataclass(frozen=True)
class _Column:
    """What is read from a row of counts: in words for a total and for one ply, and how much has to be said of it."""

    total: str
    at_ply: str
    complexity: int
    count: Callable[[Any], int | None]
    positions: bool = False


def _named(name: str) -> Callable[[Any], int | None]:
    def count(row: Any) -> int | None:
        found: int | None = getattr(row, name)
        return found

    return count


def _joined(first: str, second: str, sign: int) -> Callable[[Any], int | None]:
    def count(row: Any) -> int | None:
        one, other = getattr(row, first), getattr(row, second)
        return None if one is None or other is None else one + sign * other

    return count


def _edges(row: Any) -> int | None:
    return None if row.paths is None else row.paths - 1


_NODES = "partial games, the empty one included (nodes of the game tree)"
_COLUMNS = (
    _Column("finished games", "finished games", 0, _named("finished")),
    _Column("positions", "positions", 0, _named("positions"), positions=True),
    _Column("games won by X", "games won by X", 1, _named("x_wins")),
    _Column("games won by O", "games won by O", 1, _named("o_wins")),
    _Column("drawn games", "drawn games", 1, _named("draws")),
    _Column("games won by either", "games won by either", 2, _joined("x_wins", "o_wins", 1)),
    _Column("terminal positions", "terminal positions", 1, _named("terminal_positions"), positions=True),
    _Column("terminal positions won by X", "terminal positions won by X", 1, _named("terminal_x"), positions=True),
    _Column("terminal positions won by O", "terminal positions won by O", 1, _named("terminal_o"), positions=True),
    _Column("drawn terminal positions", "drawn terminal positions", 1, _named("terminal_draw"), positions=True),
    _Column("terminal positions won by either", "terminal positions won by either", 1,
            _joined("terminal_x", "terminal_o", 1), positions=True),
    _Column("unfinished positions", "unfinished positions", 1, _joined("positions", "terminal_positions", -1),
            positions=True),
    _Column(_NODES, "partial games", 2, _named("paths")),
    _Column("moves of the game tree (its edges: all partial games but the empty one)", "", 2, _edges),
    _Column("", "partial games that go on", 3, _joined("paths", "finished", -1)),
)  # fmt: skip


def census_readings(censuses: Iterable[Census], *, plies: bool = True) -> Iterator[Meaning]:
    """Yield what each census says: totals first, then single plies where both play by one rule."""
    for census in censuses:
        for column in _columns(census.question):
            total = column.count(census.totals)
            if column.total and total is not None:
                headline = column.total == "finished games" and _is_usual(census.question)
                yield _reading(census.question, column.total, column.complexity, total, headline=headline)
        if plies and census.question.x_moves == census.question.o_moves:
            yield from _plies(census)


def _is_usual(question: Question) -> bool:
    return question.x_moves == question.o_moves and question.start is None


def _plies(census: Census) -> Iterator[Meaning]:
    for row in census.plies:
        for column in _columns(census.question):
            count = column.count(row)
            if column.at_ply and count:
                yield _reading(census.question, f"{column.at_ply} at ply {row.ply}", column.complexity + 3, count)


def _columns(question: Question) -> Iterator[_Column]:
    """Yield the columns that say something of their own: position classes by choices are those up to symmetry."""
    for column in _COLUMNS:
        if not (column.positions and question.same == "choices"):
            yield column


_SAMENESS = {"labelled": 0, "symmetry": 1, "choices": 2}


def _reading(question: Question, what: str, complexity: int, value: int, *, headline: bool = False) -> Meaning:
    if question.same != "labelled":
        what = what.replace("positions", "position classes")
    complexity += _SAMENESS[question.same] + (7 if question.start is not None else 0)
    complexity += complexity_of(question.board, question.x_moves, question.o_moves, question.end, question.symmetry)
    complexity += 0 if question.starts == "X" else 4
    command = command_of(question) + (f" --from '{question.start}'" if question.start is not None else "")
    return Meaning(value, question.board.spec, what, convention(question), command, complexity, headline=headline)


_ALIKE = "boards that a symmetry of the board turns into each other count once"


def ladder_readings(board: Board, answers: Answers | None = None) -> Iterator[Meaning]:
    """Yield the counts of positions from naive to exact, as many as fit the budget."""
    for rung in ladder(board, answers):
        if rung.count is not None:
            command = f"noughts count {board.spec}"
            alike = _ALIKE if "classes" in rung.meaning else ""
            yield Meaning(rung.count, board.spec, rung.meaning, alike, command, complexity_of(board), headline=True)
