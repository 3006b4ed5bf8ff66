"""The tables of games and values in the documentation agree with brute force, with engines and with each other."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import factorial
from pathlib import Path

import pytest

import noughts
from noughts.judge.values import starting_outcome
from noughts.known import boards, load, numbers
from noughts.rules.board import Board
from noughts.rules.cells import parse_cell
from noughts.rules.position import Position
from tests.dear import dear
from tests.docs.test_sessions import script

GAMES: dict[str, dict[str, str]] = {row["board"]: row for row in load("games.toml")["board"]}
COUNTED = {spec: row for spec, row in GAMES.items() if "games" in row}


def test_every_board_of_up_to_eight_by_eight_is_there_once() -> None:
    boards = load("games.toml")["board"]
    assert sorted(GAMES) == sorted(script("games_page").specs())
    assert len(GAMES) == len(boards) == 204
    assert all(("needs" in row) != ("games" in row) for row in boards)
    assert all(Board.parse(spec).spec == spec for spec in GAMES)


def test_games_are_the_sum_of_their_outcomes_and_more_in_a_row_are_more_draws() -> None:
    for spec, row in COUNTED.items():
        assert int(row["games"]) == int(row["x"]) + int(row["o"]) + int(row["draws"])
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


def test_small_boards_count_as_they_stand() -> None:
    for spec, row in COUNTED.items():
        if Board.parse(spec).cells <= 9:
            totals = noughts.count(spec).totals
            found = (totals.finished, totals.x_wins, totals.o_wins, totals.draws)
            assert (spec, *map(str, found)) == (spec, row["games"], row["x"], row["o"], row["draws"])


@pytest.mark.slow
def test_boards_of_up_to_25_cells_count_as_they_stand() -> None:
    for spec, row in COUNTED.items():
        if 9 < Board.parse(spec).cells <= 25:
            assert str(noughts.count(spec).totals.finished) == row["games"]


# The page of values is what its data make; the data agree with brute force, with the engines and with each other.

VALUES = {row["board"]: row for row in boards()}
SIDES = range(1, 9)
QUICK_SECONDS = 0.01
QUICK = [spec for spec, row in VALUES.items() if row.get("seconds", 1) < QUICK_SECONDS and row["engine"] != "search"]


def test_every_board_of_up_to_eight_by_eight_is_there() -> None:
    expected = [f"{m}x{n}:{k}" for n in SIDES for m in SIDES if m <= n for k in range(3, n + 1)]
    assert list(VALUES)[: len(expected)] == expected
    assert len(VALUES) == len(boards())


def test_a_row_has_what_its_value_needs() -> None:
    sources = load("boards.toml")["sources"]
    for spec, row in VALUES.items():
        board = Board.parse(spec)
        assert (board.spec, row["value"] in ("X", "draw", "open")) == (spec, True)
        assert ("engine" in row) == ("positions" in row) == ("seconds" in row), spec
        assert ("first" in row) == (row["value"] == "X" and "engine" in row), spec
        if "first" in row:
            parse_cell(board, row["first"])
        assert "remark" in row or ("engine" in row and ("bytes" in row or row["engine"] == "search")), spec
        assert row.get("source", "folk") in sources, spec


def test_larger_boards_are_no_worse_for_x() -> None:
    """A draw by blocking alone goes over to boards within; where a longer row is won, so is a shorter one here."""
    for spec, row in VALUES.items():
        if row.get("engine") != "blocking" or Board.parse(spec).shape is None or "+" in spec or spec.count("x") > 1:
            continue
        m, n, k = map(int, spec.replace(":", "x").split("x"))
        for inner in (f"{m - 1}x{n}:{k}", f"{min(m, n - 1)}x{max(m, n - 1)}:{k}", f"{m}x{n}:{k + 1}"):
            assert VALUES.get(inner, row)["value"] == "draw"


VARIANTS = {row["board"]: row for kind in ("torus", "misere") for row in load("variants.toml")[kind]}


def test_variants_are_there_once_and_small_ones_are_worth_what_minimax_gives() -> None:
    flat = [f"{m}x{n}:{k}" for n in SIDES for m in SIDES if m <= n for k in range(3, n + 1)]
    assert list(VARIANTS) == [f"{spec}+{kind}" for kind in ("torus", "misere") for spec in flat]
    for spec, row in VARIANTS.items():
        board = Board.parse(spec)
        assert (row["value"] == "open") != ("engine" in row), spec
        assert row["value"] != "O" or board.misere, "strategy stealing"
        if board.cells <= 9:
            found = brute(board.line_masks, board.cells, 0, 0, -1 if board.misere else 1)
            assert {1: "X", 0: "draw", -1: "O"}[found] == row["value"], spec


@pytest.mark.slow
@pytest.mark.parametrize("spec", [spec for spec, row in VARIANTS.items() if row.get("seconds", 9) < 2])
def test_the_engine_of_a_variant_finds_its_value(spec: str) -> None:
    row = VARIANTS[spec]
    assert starting_outcome(Board.parse(spec), row["engine"], seconds=None) == row["value"]


@cache
def brute(lines: tuple[int, ...], cells: int, own: int, other: int, line_is: int = 1) -> int:
    """Return the value for the side to move: plain minimax; `line_is` what a line is worth to its player."""
    if any(line & ~other == 0 for line in lines):
        return -line_is
    if own | other == (1 << cells) - 1:
        return 0
    return max(-brute(lines, cells, other, own | 1 << c, line_is) for c in range(cells) if not (own | other) >> c & 1)


def test_small_boards_by_brute_force() -> None:
    for board in map(Board.parse, VALUES):
        if board.cells <= 10:
            value = {1: "X", 0: "draw", -1: "O"}[brute(board.line_masks, board.cells, 0, 0)]
            assert VALUES[board.spec]["value"] == value, board


@pytest.mark.parametrize("spec", dear(sorted(QUICK), *sorted(QUICK)[12:]))
def test_the_engine_that_is_named_finds_the_value(spec: str) -> None:
    row = VALUES[spec]
    assert starting_outcome(Board.parse(spec), row["engine"], seconds=None) == row["value"]


def test_the_first_move_wins() -> None:
    for spec, row in VALUES.items():
        board = Board.parse(spec)
        if "first" in row and board.cells <= 12:
            after = Position(board).play(parse_cell(board, row["first"]))
            assert noughts.solve(board, after).outcome(after) == "X", spec


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [spec for spec, row in VALUES.items() if 0 < row.get("seconds", 0) < 1 and row["engine"] != "search"],
)
def test_what_was_measured_is_measured_again(spec: str) -> None:
    found = script("values_page").measure(spec)
    assert {key: found[key] for key in ("value", "engine", "positions", "bytes")} == {
        key: VALUES[spec][key] for key in ("value", "engine", "positions", "bytes")
    }


# The games by choices of larger boards on their page: rows add up, and a second engine gives as many classes.

PAGE_CHOICES = Path(__file__).parent.parent.parent / "docs" / "reference" / "discoveries.md"
KNOWN = {
    table["board"]: [[int(count) for count in row] for row in table["rows"]] for table in load("choices.toml")["table"]
}


def test_the_page_shows_the_totals_of_what_is_known_in_choices() -> None:
    page = " ".join(PAGE_CHOICES.read_text(encoding="utf-8").split())
    for board, rows in KNOWN.items():
        ends = [sum(row[column] for row in rows) for column in (3, 4, 5)]
        games, x_wins, o_wins, draws = (f"{number:,}" for number in (sum(ends), *ends))
        assert f"{board}: {games} games: {x_wins} won by X, {o_wins} won by O, {draws} drawn." in page


def test_rows_are_of_games() -> None:
    """Each class is reached, and what is not finished goes on: at most to as many children as there are blank cells."""
    for board, rows in KNOWN.items():
        assert [row[0] for row in rows] == list(range(len(rows)))
        for ply, classes, paths, *finished in rows:
            assert classes <= paths >= sum(finished)
            assert not finished[ply % 2]
        for (ply, _, paths, *finished), (_, _, following, *_) in pairwise(rows):
            assert following <= (Board.parse(board).cells - ply) * (paths - sum(finished))
        assert rows[-1][2] == sum(rows[-1][3:])


def by_layers(board: str, to_ply: int, memory: str) -> list[list[int | None]]:
    census = noughts.count(board, same="choices", to_ply=to_ply, engine="layered", memory=memory)
    return [[row.ply, row.positions, row.paths, row.x_wins, row.o_wins, row.draws] for row in census.plies]


@pytest.mark.slow
@pytest.mark.parametrize("board", KNOWN)
def test_ten_plies_are_as_layered_has_them(board: str) -> None:
    """As far as the page says it: listing takes up to 1.6 GB, of 7.6 that it is let have."""
    assert by_layers(board, 10, "8GB") == KNOWN[board][:11]


@pytest.mark.slow
@pytest.mark.parametrize("board", KNOWN)
def test_classes_are_as_many_as_a_second_engine_counts(board: str) -> None:
    census = noughts.count(board, same="symmetry", engine="subset")
    assert [(row.ply, row.positions) for row in census.plies] == [(row[0], row[1]) for row in KNOWN[board]]


# The values of 5x5 by ply: as many position classes at every ply as the counting engines give.

VALUED = {table["board"]: table["rows"] for table in load("values.toml")["table"]}


def test_values_by_ply_begin_with_a_draw_and_have_every_ply() -> None:
    assert set(VALUED) >= {"5x5:4"}
    for rows in VALUED.values():
        assert [row[0] for row in rows] == list(range(26))
        assert rows[0] == [0, 0, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("board", sorted(VALUED))
def test_classes_are_as_many_as_are_counted(board: str) -> None:
    census = noughts.count(board, same="symmetry", engine="subset")
    assert [(row.ply, row.positions) for row in census.plies] == [(row[0], sum(row[1:])) for row in VALUED[board]]
