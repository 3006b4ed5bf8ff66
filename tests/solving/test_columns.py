"""Boards with gravity, solved: against the list of all games, and what is not made for them says so."""

from __future__ import annotations

import pytest

from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidQuestion
from noughts.rules.position import Position
from noughts.solving.api import prove, solve
from noughts.solving.bounds import surely_drawn, why_not
from noughts.solving.published import turned_boards
from tests import naive
from tests.games import OTHERS, Other

OUTCOMES = {1: "X", 0: "draw", -1: "O"}
SMALL = [name for name in OTHERS if name.startswith("gravity")]


def positions_of(other: Other) -> list[str]:
    """All positions that play reaches, each once."""
    return sorted({path.positions[-1] for layer in naive.listed(other.rules) for path in layer})


def position_of(board: Board, text: str) -> Position:
    x, o = (sum(1 << cell for cell, mark in enumerate(text) if mark == player) for player in "XO")
    return Position(board, x, o)


@pytest.mark.parametrize("name", SMALL)
def test_every_position_of_small_boards(name: str) -> None:
    other = OTHERS[name]
    solution = solve(other.board)
    for text in positions_of(other):
        value, remoteness, outcomes = naive.ends(other.rules, text)
        at = position_of(other.board, text)
        assert (solution.outcome(at), solution.remoteness(at)) == (OUTCOMES[value], remoteness), text
        assert solution.is_decided(at) == (len(outcomes) == 1), text
        going = [] if other.rules.outcome(text) else other.rules.moves(text)
        assert sorted(move.cell for move in solution.moves(at)) == going, text
        for move in solution.moves(at):
            assert move.outcome == OUTCOMES[naive.ends(other.rules, other.rules.play(text, move.cell))[0]], text


@pytest.mark.parametrize("engine", ["search", "threats", "blocking", "proof"])
def test_engines_for_marking_games_refuse(engine: str) -> None:
    with pytest.raises(BudgetError, match="gravity"):
        solve("6x7:4+gravity", "d d d", engine=engine)


def test_reasons_of_marking_games_do_not_apply() -> None:
    """The second player wins 4x6:4 with gravity, so no strategy is stolen there."""
    board = Board.parse("4x6:4+gravity")
    assert why_not(Position(board), "O") is None
    assert not surely_drawn(Position(Board.parse("2x4:2+gravity")))
    assert [spec for spec, _ in turned_boards(board)] == ["4x6:4+gravity"]
    with pytest.raises(InvalidQuestion, match="a proof is not made for 3x3:3\\+gravity, where a mark falls"):
        prove("3x3+gravity")
