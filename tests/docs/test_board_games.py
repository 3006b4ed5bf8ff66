"""The table of games on all boards of up to 8x8: the page is what its data make, and they agree with what is known."""

from __future__ import annotations

from math import factorial

import pytest

import noughts
from noughts.domain.board import Board
from noughts.known import load, numbers
from tests.docs.test_sessions import script

ROWS: dict[str, dict[str, str]] = {row["board"]: row for row in load("games.toml")["board"]}
COUNTED = {spec: row for spec, row in ROWS.items() if "games" in row}


def test_the_page_is_current() -> None:
    made = script("games_page")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_every_board_of_up_to_eight_by_eight_is_there_once() -> None:
    boards = load("games.toml")["board"]
    assert sorted(ROWS) == sorted(script("games_page").specs())
    assert len(ROWS) == len(boards) == 204
    assert all(("needs" in row) != ("games" in row) for row in boards)
    assert all(Board.parse(spec).spec == spec for spec in ROWS)


def test_games_are_the_sum_of_their_outcomes() -> None:
    for row in COUNTED.values():
        assert int(row["games"]) == int(row["x"]) + int(row["o"]) + int(row["draws"])


def test_more_in_a_row_on_one_board_are_more_draws() -> None:
    for spec, row in COUNTED.items():
        sides, k = spec.split(":")
        longer = COUNTED.get(f"{sides}:{int(k) + 1}")
        if longer is not None:
            assert int(row["draws"]) <= int(longer["draws"]) <= factorial(Board.parse(spec).cells)


def test_published_sequences_are_those_of_the_table() -> None:
    """Squares of side n with n in a row, by outcome."""
    names = {"finished": "games", "x_wins": "x", "o_wins": "o", "draws": "draws"}
    compared = 0
    for entry in numbers("sequence"):
        for check in entry["checks"]:
            if check["kind"] == "totals" and check["column"] in names and check.keys() == {"kind", "boards", "column"}:
                for board, value in zip(check["boards"], entry["terms"], strict=False):
                    row = COUNTED.get(Board.parse(board).spec)
                    if row is not None:
                        compared += 1
                        assert row[names[check["column"]]] == str(value)
    assert compared >= 20


@pytest.mark.parametrize("spec", [spec for spec in COUNTED if Board.parse(spec).cells <= 9])
def test_small_boards_count_as_they_stand(spec: str) -> None:
    totals, row = noughts.count(spec).totals, ROWS[spec]
    found = (totals.finished, totals.x_wins, totals.o_wins, totals.draws)
    assert tuple(map(str, found)) == (row["games"], row["x"], row["o"], row["draws"])


@pytest.mark.slow
def test_boards_of_up_to_25_cells_count_as_they_stand() -> None:
    for spec, row in COUNTED.items():
        if 9 < Board.parse(spec).cells <= 25:
            assert str(noughts.count(spec).totals.finished) == row["games"]
