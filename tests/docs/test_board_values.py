"""The page of values is what its data make; the data agree with brute force, with the engines and with each other."""

from __future__ import annotations

from functools import cache

import pytest

from noughts.domain.board import Board
from noughts.domain.cells import parse_cell
from noughts.domain.position import Position
from noughts.known import boards, load, numbers
from noughts.solving.starts import starting_outcome
from tests.dear import dear
from tests.docs.test_sessions import script

ROWS = {row["board"]: row for row in boards()}
SIDES = range(1, 9)
QUICK_SECONDS = 0.01
QUICK = [spec for spec, row in ROWS.items() if row.get("seconds", 1) < QUICK_SECONDS and row["engine"] != "search"]


def test_the_page_is_current() -> None:
    made = script("values_page")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_every_board_of_up_to_eight_by_eight_is_there() -> None:
    expected = [f"{m}x{n}:{k}" for n in SIDES for m in SIDES if m <= n for k in range(3, n + 1)]
    assert list(ROWS)[: len(expected)] == expected
    assert len(ROWS) == len(boards())


def test_the_page_says_what_is_open_and_what_is_only_published() -> None:
    page = script("values_page").PAGE.read_text(encoding="utf-8")
    small = {spec for spec in ROWS if Board.parse(spec).shape in {(m, n, 1) for m in SIDES for n in SIDES}}
    assert {spec for spec in small if "engine" not in ROWS[spec]} == {"8x8:5"}
    assert "| 8x8:5 | draw |  | not here |" in page
    assert "| 9x9:5 | open |  | not here |" in page
    assert "| 7 in a row" not in page


@pytest.mark.parametrize("spec", sorted(ROWS))
def test_a_row_has_what_its_value_needs(spec: str) -> None:
    row = ROWS[spec]
    board = Board.parse(spec)
    assert board.spec == spec
    assert row["value"] in ("X", "draw", "open")
    assert ("engine" in row) == ("positions" in row) == ("seconds" in row)
    assert ("first" in row) == (row["value"] == "X" and "engine" in row)
    if "first" in row:
        parse_cell(board, row["first"])
    if "engine" not in row:
        assert "remark" in row
    assert "bytes" in row or "remark" in row or row["engine"] == "search"
    assert row.get("source", "folk") in load("boards.toml")["sources"]


def test_it_agrees_with_the_published_lists() -> None:
    outcomes = {"win": "X", "first_player_win": "X", "draw": "draw", "second_player_win": "O"}
    met = 0
    for entry in numbers("values"):
        for kind in outcomes.keys() & entry.keys():
            for spec in entry[kind]:
                row = ROWS.get(Board.parse(spec).spec)
                if row is not None:
                    met += 1
                    assert row["value"] == outcomes[kind]
    assert met > 15


def test_larger_boards_are_no_worse_for_x() -> None:
    """A draw by blocking alone goes over to boards within; where a longer row is won, so is a shorter one here."""
    for spec, row in ROWS.items():
        if row.get("engine") != "blocking" or Board.parse(spec).shape is None or "+" in spec or spec.count("x") > 1:
            continue
        m, n, k = map(int, spec.replace(":", "x").split("x"))
        for inner in (f"{m - 1}x{n}:{k}", f"{min(m, n - 1)}x{max(m, n - 1)}:{k}", f"{m}x{n}:{k + 1}"):
            assert ROWS.get(inner, row)["value"] == "draw"


@cache
def brute(lines: tuple[int, ...], cells: int, own: int, other: int) -> int:
    """Return the value for the side to move: plain minimax."""
    if any(line & ~other == 0 for line in lines):
        return -1
    if own | other == (1 << cells) - 1:
        return 0
    return max(-brute(lines, cells, other, own | 1 << c) for c in range(cells) if not (own | other) >> c & 1)


@pytest.mark.parametrize("spec", [spec for spec in ROWS if Board.parse(spec).cells <= 10])
def test_small_boards_by_brute_force(spec: str) -> None:
    board = Board.parse(spec)
    value = {1: "X", 0: "draw", -1: "O"}[brute(board.line_masks, board.cells, 0, 0)]
    assert ROWS[spec]["value"] == value


@pytest.mark.parametrize("spec", dear(sorted(QUICK), *sorted(QUICK)[12:]))
def test_the_engine_that_is_named_finds_the_value(spec: str) -> None:
    row = ROWS[spec]
    assert starting_outcome(Board.parse(spec), row["engine"], seconds=None) == row["value"]


@pytest.mark.parametrize(
    "spec", [spec for spec, row in ROWS.items() if "first" in row and Board.parse(spec).cells <= 12]
)
def test_the_first_move_wins(spec: str) -> None:
    board = Board.parse(spec)
    after = Position(board).play(parse_cell(board, ROWS[spec]["first"]))
    from noughts.solving.api import solve

    assert solve(board, after).outcome(after) == "X"


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", [spec for spec, row in ROWS.items() if 0 < row.get("seconds", 0) < 1 and row["engine"] != "search"]
)
def test_what_was_measured_is_measured_again(spec: str) -> None:
    found = script("values_page").measure(spec)
    assert {key: found[key] for key in ("value", "engine", "positions", "bytes")} == {
        key: ROWS[spec][key] for key in ("value", "engine", "positions", "bytes")
    }
