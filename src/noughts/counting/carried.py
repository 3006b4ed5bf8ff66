"""Counts that take long and are stored in the package: totals of games and positions, and games by choices by ply."""

from __future__ import annotations

from typing import Any

from noughts.counting.census import STORED, Carried, Census, PlyCounts, Totals
from noughts.counting.question import Question
from noughts.known import load
from noughts.machine.budget import format_duration
from noughts.rules.board import Board
from noughts.solving.published import turned_boards

LONG = 10.0
"""A count that took this many seconds or more is taken from the package instead of being computed again."""


def carried_census(question: Question, least: float = LONG) -> Census | None:
    """Return the census of a question that takes `least` seconds or more, if it is stored in the package, else None.

    Stored are games and positions with cells distinguishable, position classes, and games by choices. They hold for
    grids under the usual rules from the empty board, also for a grid turned on its side. The census has no rows where
    only totals are stored. Cost: milliseconds.
    """
    board, same = question.board, question.same
    plain = Question(board, same)
    if (
        not STORED <= board.cells <= 1000
        or question != plain
        or not board.rules.is_marking
        or board.misere
        or board.torus
    ):
        return None
    for spec, _ in turned_boards(board):
        row = _by_choices(spec) if same == "choices" else _totals(spec, same, least)
        if row is not None:
            return Census(question, *row)
    return None


def _by_choices(spec: str) -> tuple[str, tuple[PlyCounts, ...], Carried] | None:
    known = load("choices.toml")
    for table in known["table"]:
        if Board.parse(table["board"]).spec == spec:
            rows = [[int(count) for count in row] for row in table["rows"]]
            plies = tuple(PlyCounts.of(row[0], row[1], None, None, row[2], row[3:]) for row in rows)
            by = f"the games in minutes, and a second engine the classes, with noughts {known['version']}"
            return "streamed", plies, Carried(by)
    return None


def _totals(spec: str, same: str, least: float) -> tuple[str, tuple[PlyCounts, ...], Carried] | None:
    games = _row("board", spec, least) if same == "labelled" else None
    positions = _row("positions", spec, least)
    if games is None and positions is None:
        return None
    found, words = dict.fromkeys(Totals.__dataclass_fields__), []
    if positions is not None:
        found["positions"] = int(positions["positions" if same == "labelled" else "classes"])
        second = f", again by {positions['second']}" if "second" in positions else ""
        words.append(f"the positions in {format_duration(positions['seconds'])} and {positions['memory']}{second}")
        if same == "symmetry" and "fixed" in positions:
            words.append(f"what symmetries fix again by {positions['fixed']}")
    if games is not None:
        by = {"finished": "games", "x_wins": "x", "o_wins": "o", "draws": "draws"}
        found |= {column: int(games[name]) for column, name in by.items()}
        second = f", again by {games['second']}" if "second" in games else ""
        words.insert(0, f"the games in {format_duration(games['seconds'])}{second}")
    return (
        (games or positions or {})["engine"],
        (),
        Carried(f"{', '.join(words)}, with noughts {load('games.toml')['version']}", Totals(**found)),
    )


def _row(table: str, spec: str, least: float) -> dict[str, Any] | None:
    """Return the stored row of a board, None where there is none or counting takes fewer than `least` seconds."""
    known = load("games.toml")
    rows: list[dict[str, Any]] = [*known[table], *known["solid"]]
    return next((row for row in rows if row["board"] == spec and row.get("seconds", -1.0) >= least), None)
