"""Boards of any size in every verb: an answer, or a short refusal, soon, before lines or groups are built."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.notation import parse_position
from tests.effort import counted_calls

from .conftest import Result

GUARD = 6
"""Seconds of processor time: a refusal takes a tenth of it, kernels being loaded; these commands took 10 and more."""

VERBS = (
    "count BOARD --same choices --end decided", "count BOARD --from a1", "solve BOARD", "solve BOARD a1",
    "explain BOARD", "openings BOARD", "tree BOARD", "tree BOARD --kind full", "patterns BOARD", "payoff BOARD",
    "versus BOARD --x random --o block", "match BOARD random block", "evaluate BOARD random", "menace BOARD",
    "breed BOARD", "crib BOARD", "positions BOARD --limit 3", "export BOARD -o nowhere.csv",
    "query BOARD select+1", "site BOARD -o nowhere", "blindfold BOARD", "referee BOARD -- cat",
)  # fmt: skip


@pytest.mark.parametrize("board", ["1000x1000", "100x100x100", "20x20"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_large_board_is_refused_at_once(run: Callable[..., Result], board: str, verb: str) -> None:
    if board == "20x20" and verb.startswith("solve"):
        verb = "tree BOARD --kind openings --limit 5"
    begun = time.process_time()
    result = run(*(word.replace("BOARD", board).replace("+", " ") for word in verb.split()))
    assert result.code == 3, result.err
    assert len(result.one_sentence()) < 500
    assert time.process_time() - begun < GUARD


@pytest.mark.parametrize(
    "words", [["64x64", "a1 b1", "b1 a1"], ["16x16x16", "a1.1", "b1.1"], ["19x19+torus", "a1", "b1"]]
)
def test_games_and_positions_of_large_boards_are_compared(run: Callable[..., Result], words: list[str]) -> None:
    begun = time.process_time()
    result = run("same", *words)
    assert (result.code, result.err) == (0, "")
    assert time.process_time() - begun < 4 * GUARD
    assert run("same", "150x150", "a1", "b1").code == 3


def test_positions_of_large_boards_are_refused_before_they_are_read() -> None:
    for board in ("1000x1000", "65x64", "100x100x100:3"):
        with pytest.raises(BudgetError, match="ask about a board of up to 4,096"):
            parse_position(board, "a1")


@pytest.mark.parametrize(
    "text",
    [
        "1" + "a" * 3999, "a" * 4000, "a" * 3999 + "1", "1" * 4000, "a1" * 2000, "a1." * 1333, " " * 4000,
        "1 " * 2000, "|" * 4000, "/" * 4000, "X|" * 2000, "-+" * 2000,
    ],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_no_text_takes_long_to_refuse(text: str) -> None:
    """One that is as long again ten times takes ten times the work, and a hundred times no more than milliseconds."""
    board = Board.parse("3x3")
    begun, calls = time.process_time(), []
    for times in (1, 10):
        with counted_calls() as effort, pytest.raises(InputError):
            parse_position(board, text * times)
        calls.append(effort.calls)
    assert calls[1] < 12 * calls[0]
    assert time.process_time() - begun < GUARD, "searches within a text are no calls: these took 13 s"


def test_a_long_game_is_read_in_time_that_grows_with_it() -> None:
    """Whether it is over is asked of the lines through the last cell: 780 moves, and 13,000 lines."""
    board = Board.parse("64x64:10")
    cells = random.Random(3).sample(range(1, 4097), 780)
    parse_position(board, "1 2 3")  # the lines are made once
    with counted_calls() as effort:
        assert parse_position(board, " ".join(map(str, cells))).ply == len(cells)

    assert effort.calls < 100 * len(cells)
