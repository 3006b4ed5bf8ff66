"""A census: its laws fail when they should; the call that makes it; what is refused, in one sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

import noughts
from noughts.counting.census import Census
from noughts.counting.engines import ENGINES, answer, choose
from noughts.counting.question import Question, Sameness
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError
from noughts.rules.position import parse_position
from tests.effort import AT_ONCE, counted_calls

THREE = noughts.count("3x3")


def spoiled(census: Census, ply: int, **counts: int) -> Census:
    rows = tuple(replace(row, **counts) if row.ply == ply else row for row in census.plies)
    return replace(census, plies=rows)


@pytest.mark.parametrize(
    ("ply", "counts", "law"),
    [
        (5, {"finished": 1441}, "ply 5: 1441 finished, but the outcomes add up to 1440"),
        (5, {"terminal_x": 119}, "ply 5: 120 terminal positions, but the outcomes add up to 119"),
        (5, {"paths": 1439, "positions": 1}, "1440 finished are more than 1439 paths"),
        (5, {"positions": 119}, "120 terminal positions are more than 119 positions"),
        (2, {"positions": 73}, "73 positions are more than 72 paths"),
        (4, {"paths": 3025}, "ply 4 has 3025 paths, but 504 open paths with 6 moves each make 3024"),
        (9, {"finished": 127871, "x_wins": 81791}, "the last ply 9 leaves 1 of 127872 paths open"),
    ],
)
def test_each_law_catches_what_breaks_it(ply: int, counts: dict[str, int], law: str) -> None:
    assert THREE.check() is THREE
    with pytest.raises(CheckError, match=law) as caught:
        spoiled(THREE, ply, **counts).check()
    assert caught.value.exit_code == 1


def test_a_missing_row_is_noticed() -> None:
    with pytest.raises(CheckError, match="the last ply 8 leaves 127872 of 200448 paths open"):
        replace(THREE, plies=THREE.plies[:-1]).check()
    with pytest.raises(CheckError, match="does not begin with one path at ply 0"):
        replace(THREE, plies=THREE.plies[1:]).check()
    with pytest.raises(CheckError, match="misses a ply"):
        replace(THREE, plies=THREE.plies[:4] + THREE.plies[5:]).check()
    noughts.count("3x3", to_ply=8).check()


def test_a_record_holds_the_question_and_every_count() -> None:
    """Of the start, the last ply and who starts only what is not as usual."""
    board = Board.parse("2x2:2")
    usual = noughts.count(board).as_dict()
    assert list(usual) == [
        *("board", "same", "x_moves", "o_moves", "end", "symmetry", "engine", "convention", "plies", "totals"),
    ]
    assert {name: usual[name] for name in ("same", "x_moves", "o_moves", "end", "symmetry")} == {
        "same": "labelled", "x_moves": "any", "o_moves": "any", "end": "line", "symmetry": "board",
    }  # fmt: skip
    assert usual["plies"][3] == {
        "ply": 3, "positions": "12", "terminal": "12", "terminal_x": "12", "terminal_o": "0",
        "terminal_draw": "0", "paths": "24", "finished": "24", "x_wins": "24", "o_wins": "0", "draws": "0",
    }  # fmt: skip
    assert [row["ply"] for row in usual["plies"]] == [0, 1, 2, 3]
    totals = {"positions": "29", "terminal": "12", "terminal_x": "12", "terminal_o": "0"}
    totals |= {"terminal_draw": "0", "paths": "41", "finished": "24", "x_wins": "24", "o_wins": "0", "draws": "0"}
    assert usual["totals"] == totals
    start = parse_position(board, "a1")
    question = Question(board, "choices", "win", "block", "decided", "lines", start, 2)
    other = answer(question).as_dict()
    assert list(other) == [*list(usual)[:8], "from", "to_ply", "plies", "totals"]
    assert [other[name] for name in ("same", "x_moves", "o_moves", "end", "symmetry", "from", "to_ply")] == [
        *("choices", "win", "block", "decided", "lines", "X./..", 2),
    ]
    for starts in ("O", "either"):
        found = answer(Question(board, starts=starts)).as_dict()
        assert list(found) == [*list(usual)[:8], "starts", "plies", "totals"]
        assert found["starts"] == starts
    played_on = noughts.count(board, end="full").as_dict()
    assert played_on["plies"][4]["terminal_x"] is None
    assert played_on["totals"]["terminal_draw"] is None


def test_laws_of_games_that_either_begins() -> None:
    """Two paths of no move; they fill the board in twice as many ways; from a position one only."""
    either = noughts.count("2x2:2", starts="either").check()
    with pytest.raises(CheckError, match="does not begin with 2 paths at ply 0"):
        spoiled(either, 0, paths=1).check()
    with pytest.raises(CheckError, match="does not begin with one path at ply 0"):
        spoiled(noughts.count("2x2:2"), 0, paths=2).check()
    with pytest.raises(CheckError, match="does not begin with one path at ply 1"):
        spoiled(noughts.count("2x2:2", "a1"), 1, positions=0, paths=0).check()
    spared = replace(either, plies=tuple(replace(row, positions=None, paths=None) for row in either.plies))
    assert spared.check() is spared
    stopped = noughts.count("2x2:2", to_ply=2)
    assert stopped.check() is stopped
    with pytest.raises(CheckError, match="the last ply 2 leaves 12 of 12 paths open"):
        replace(stopped, question=replace(stopped.question, to_ply=3)).check()


def test_conservation_with_every_end_and_from_every_opening() -> None:
    for end in ("line", "decided", "full"):
        for start in (None, "a1", "b2", "a1 b2 c3"):
            census = noughts.count("3x3", end=end, start=start)
            assert census.totals.finished is not None
            assert census.totals.finished > 0


def test_the_openings_add_up_to_all_games() -> None:
    parts = [noughts.count("2x5:3", start=str(cell)).totals for cell in range(1, 11)]
    whole = noughts.count("2x5:3").totals
    for column in ("finished", "x_wins", "o_wins", "draws"):
        assert sum(getattr(part, column) for part in parts) == getattr(whole, column)


@pytest.mark.parametrize("board", ["40x40:5", "1000x1000x1000", "1000x3:3", "16x16x16"])
def test_boards_that_no_engine_takes_are_refused_before_work_starts(board: str) -> None:
    with counted_calls() as effort, pytest.raises(BudgetError, match="try a smaller board: the engine") as caught:
        noughts.count(board, same="choices")
    assert caught.value.exit_code == 3
    assert effort.calls < AT_ONCE


@pytest.mark.parametrize("same", ["labelled", "symmetry", "choices"])
def test_over_budget_is_refused_at_once_with_the_estimate(same: Sameness) -> None:
    over = pytest.raises(BudgetError, match="over the budget of 1 MB of memory: raise memory=")
    with counted_calls() as effort, over as caught:
        noughts.count("4x6:4", same=same, memory="1MB")
    assert "needs about" in str(caught.value)
    assert effort.calls < AT_ONCE


def test_a_question_up_to_a_group_too_large_is_refused() -> None:
    with pytest.raises(BudgetError, match="more than 10,000: use symmetry='board'"):
        noughts.count("2x2x2:2", same="symmetry", symmetry="lines")
    assert noughts.count("2x2x2:2", symmetry="lines").totals.finished == noughts.count("2x2x2:2").totals.finished


def test_the_engine_named_is_the_one_that_answers() -> None:
    question = Question(Board.parse("3x3"))
    assert choose(question, Limits()).engine in [row.name for row in ENGINES]
    for name in ("plain", "layered"):
        assert answer(question, engine=name).engine == name
    with pytest.raises(BudgetError, match="remove --engine"):
        answer(Question(Board.parse("5x5")), engine="plain")
