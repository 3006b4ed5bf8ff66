"""Ranges of boards, and what the OEIS wants."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, CheckError, InputError
from noughts.machine.budget import Limits
from noughts.reports.counts.drafts import oeis_lines
from noughts.reports.counts.sequences import board_in_words, parse_range
from tests.cli.conftest import Result

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("text", "specs", "first"),
    [
        ("1x1..3x3", ["1x1:1", "2x2:2", "3x3:3"], 1),
        ("3x1..3x3", ["3x1:1", "3x2:2", "3x3:3"], 1),
        ("2x4:3..2x6:3", ["2x4:3", "2x5:3", "2x6:3"], 4),
        ("2x2:1..3x3:2+torus", [], 0),
        ("3x3:2..4x4:3", ["3x3:2", "4x4:3"], 3),
        ("2x3+misere..3x4+misere", ["2x3:2+misere", "3x4:3+misere"], 2),
        ("2x2x2..3x3x3", ["2x2x2:2", "3x3x3:3"], 2),
        ("3x3..3x3", ["3x3:3"], 3),
    ],
)
def test_ranges_of_boards(text: str, specs: list[str], first: int) -> None:
    if not specs:
        with pytest.raises(InputError):
            parse_range(text)
        return
    found = parse_range(text)
    assert [board.spec for board in found.boards] == specs
    assert found.first == first


@pytest.mark.parametrize(
    "text",
    ["..", "3x3..", "..3x3", "3x3..2x2", "1x1..2x3", "3x3:3..5x5", "3x3..3x3x3", "3x3...4x4", "3x3..x", "3x3:3..5x5:4"]
)  # fmt: skip
def test_ranges_that_are_none_get_one_sentence(text: str, run: Run) -> None:
    found = run("count", text)
    assert found.code == 2
    found.one_sentence()


def test_a_b_file_has_a_term_for_each_board(run: Run) -> None:
    out = run("count", "1x1..9x9", "--format", "bfile").out
    rows = [line.split() for line in out.splitlines()]
    assert [int(n) for n, _ in rows] == list(range(1, 10))
    assert rows[2] == ["3", "255168"]
    assert rows[6][1].startswith("550923875790150163780873329493220621458883503713639")


def test_the_lines_for_the_oeis(run: Run) -> None:
    out = run("count", "1x1..9x9", "--format", "oeis").out
    name, data, offset = out.splitlines()[:3]
    assert name.startswith("Name: Number of games that end on an n X n board with n in a row: cells distinguishable")
    assert data.startswith("Data: 1, 24, 255168, 15038733958272, ")
    assert len(data) - len("Data: ") <= 260
    assert offset == "Offset: 1,2"
    out = run("count", "3x3", "--same", "symmetry", "--column", "positions", "--format", "oeis").out
    assert out.splitlines()[1:3] == ["Data: 1, 3, 12, 38, 108, 174, 204, 153, 57, 15", "Offset: 0,2"]


@pytest.mark.parametrize(
    ("words", "said", "unsaid"),
    [
        (["1x1:3..3x3:3", "--column", "x_wins"], "games that X wins on an n X n board with 3 in a row: ", "no line"),
        (["1x1:3..2x2:3"], "; no board has a line, so every game is drawn", "the board has"),
        (["1x1..3x3", "--to-ply", "2"], "counted up to ply 2", "no line"),
        (["2x2..3x3", "--to-ply", "9"], "n X n board", "counted up to"),
        (["1x1..3x3", "--from", "a1"], "play starts with X on a1, ", "from X"),
        (["2x2..3x3", "--from", "a1 b2"], "play starts with X on a1 and O on b2, ", "from X"),
        (["2x2..3x3", "--from", "a2"], "play starts with X on a2, ", "from"),
        (["3x1..3x4"], "a 3 X n board with as many in a row as its shortest side has cells: ", "no line"),
        (["2x3..3x4"], "an n X (n + 1) board with n in a row: ", "no line"),
        (["3x3:2..4x4:3+torus"], "", ""),
        (["3x3:2+misere..4x4:2+misere"], "with 2 in a row: cells distinguishable, X starts, ", "no line"),
    ],
)
def test_the_name_of_a_sequence_says_what_holds_on_every_board(
    words: list[str], said: str, unsaid: str, run: Run
) -> None:
    found = run("count", *words, "--format", "oeis")
    if not said:  # from one kind of board to another: no range
        assert found.code == 2
        return
    name = found.out.splitlines()[0]
    assert name.startswith("Name: Number of games ")
    assert said in name
    assert unsaid not in name
    assert name.split(": ", 2)[2] in json.loads(run("count", *words, "--format", "json").out)["convention"]


def test_the_name_of_a_sequence_by_ply(run: Run) -> None:
    out = run("count", "3x3", "--same", "symmetry", "--column", "terminal_x", "--format", "oeis").out
    assert out.startswith(
        "Name: Number of position classes in which X has won at ply n on a 3 X 3 board with 3 in a row: games alike"
    )


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (
            "solve 3x3 --by-ply",
            "positions with n marks on a 3 X 3 board with 3 in a row, X starts: those that play reaches",
        ),
        (
            "solve 2x3:2+misere --by-ply --same symmetry --column o_wins",
            "position classes with n marks on a 2 X 3 board with 2 in a row, X starts, whoever completes a line loses: "
            "those that play reaches, and that O wins with best play",
        ),
        (
            "solve 3x3+torus --by-ply --column draws",
            "positions with n marks on a 3 X 3 torus with 3 in a row, X starts: those that play reaches, and that are "
            "drawn with best play",
        ),
    ],
)
def test_the_name_of_a_sequence_of_values_says_what_its_terms_count(words: str, name: str, run: Run) -> None:
    out = run(*words.split(), "--format", "oeis").out
    assert out.splitlines()[0] == f"Name: Number of {name}"


def test_a_board_without_sides_has_its_own_name() -> None:
    assert board_in_words(Board.parse("8x11:4")) == "an 8 X 11 board with 4 in a row"
    bow = Board.from_lines(3, [[0, 1], [1, 2]])
    assert board_in_words(bow) == str(bow)


def test_offsets_and_long_terms() -> None:
    assert oeis_lines([0, 1, -1, 5], 0, "x")[2] == "Offset: 0,4"
    assert oeis_lines([0, 1, 1], 3, "x")[2] == "Offset: 3,1"
    digits = 10**259 + 1
    assert oeis_lines([digits, 7], 1, "x")[1] == f"Data: {digits}"
    with pytest.raises(InputError, match="use bfile"):
        oeis_lines([digits * 10], 1, "x")


def test_other_formats_of_a_range(run: Run) -> None:
    out = run("count", "2x2..4x4", "--column", "draws", "--format", "json").out
    record = json.loads(out)
    assert [term["value"] for term in record["terms"]] == ["0", "46080", "8707262054400"]
    assert [term["board"] for term in record["terms"]] == ["2x2:2", "3x3:3", "4x4:4"]
    out = run("count", "2x2..3x3", "--format", "csv").out
    assert out.splitlines()[0] == "n,board,finished,engine"
    out = run("count", "2x2..3x3").out
    assert "255,168" in out


@pytest.mark.parametrize("words", [["--check"], ["--explain"], ["--format", "svg"], ["--column", "games"]])
def test_what_has_no_place_with_a_range(words: list[str], run: Run) -> None:
    found = run("count", "2x2..3x3", *words)
    assert found.code == 2
    found.one_sentence()


def test_a_count_that_nobody_can_check_is_shown_and_refused(run: Run) -> None:
    """Engines that share their counting do not check each other, and no other takes 66 cells with these lines."""
    found = run("count", "2x33:3", "--same", "labelled", "--check", "--memory", "2GB")
    assert found.code == 3
    assert found.out.startswith("2x33:3:")
    assert "no second engine can answer" in found.err


def test_a_large_count_has_a_second_engine(run: Run) -> None:
    found = run("count", "3x11:3", "--same", "labelled", "--check", "--memory", "2GB")
    assert found.code == 0
    assert "the engines frontier and transfer agree; the outcomes" in " ".join(found.out.split())


def test_it_is_said_what_two_engines_agree_on(run: Run) -> None:
    """Up to symmetry inclusion and exclusion gives the games only; from `games` there is nothing else to check."""
    words = ["count", "6x6", "--same", "symmetry", "--check", "--engine"]
    told = " ".join(run(*words, "transfer-games").out.split())
    assert re.search("the engines transfer-games and (inclusion|games) agree; the outcomes", told)
    record = json.loads(run(*words, "inclusion", "--format", "json").out)
    assert record["checked_columns"] == ["paths", "finished", "x_wins", "o_wins", "draws"]


def test_an_engine_that_compares_some_columns_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who gives the games only is asked where no other can, and who gives nothing in common is not."""
    from noughts.counting import engines
    from noughts.counting.api import ask
    from noughts.counting.witness import second_opinion
    from noughts.reports.counts import census

    first = engines.answer(ask("6x6", same="symmetry"), engine="transfer")
    rows = tuple(map(engines.row_of, ("inclusion", "transfer", "transfer-games")))
    monkeypatch.setattr(engines, "ENGINES", rows)
    opinion = second_opinion(first, Limits())
    assert (opinion.engine, opinion.about) == ("inclusion", "on the games")
    assert "agree on the games; the outcomes" in census.how_we_know(first, opinion)
    unknown: dict[str, Any] = dict.fromkeys(opinion.columns)
    places = replace(first, plies=tuple(replace(row, **unknown) for row in first.plies))
    with pytest.raises(BudgetError, match="no second engine can answer this on 6x6:6 at any price"):
        second_opinion(places, Limits())
    wrong = replace(first, plies=(replace(first.plies[0], paths=2), *first.plies[1:]))
    with pytest.raises(CheckError, match="6x6:6, ply 0, paths: the engine transfer gives 2, inclusion gives 1"):
        second_opinion(wrong, Limits())


def test_a_second_engine_is_named(run: Run) -> None:
    found = run("count", "4x4", "--same", "symmetry", "--check", "--format", "json")
    assert found.code == 0
    record = json.loads(found.out)
    assert record["checked_by"] != record["engine"]


def test_terms_that_were_counted_are_printed_before_the_one_that_cannot_be(run: Run) -> None:
    result = run("count", "4x4:5..9x9:5", "--memory", "150MB")
    assert result.code == 3
    assert "6x6:5" not in result.out
    assert "4x4:5" in result.out
    assert "over the budget of 150 MB" in result.err


def test_a_range_has_no_chart(run: Run) -> None:
    result = run("count", "3x3..5x5", "--format", "svg")
    assert result.code == 2
    assert "is a range of boards, which has no chart" in result.err
