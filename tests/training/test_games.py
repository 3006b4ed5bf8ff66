"""Many games at once are the games that the oracle plays one by one, on every kind of board."""

from __future__ import annotations

import numpy as np
import pytest

import noughts
from noughts.bots.judging.arrays import observation, position_number
from noughts.domain.errors import BudgetError, InputError
from noughts.training import GamesAtOnce
from tests import naive

UNEVEN = noughts.Board.from_lines(6, [(0, 1, 2), (2, 3), (1, 3, 4, 5), (4,)], name="uneven")
BOARDS = [
    ("3x3", naive.grid(3, 3, 3)),
    ("2x3:2", naive.grid(2, 3, 2)),
    ("3x2:2+misere", naive.grid(3, 2, 2, misere=True)),
    ("3x4:3+torus", naive.grid(3, 4, 3, torus=True)),
    ("2x2x2", naive.grid(2, 2, 2, layers=2)),
    ("1x1", naive.grid(1, 1, 1)),
    ("2x2:3", naive.grid(2, 2, 3)),
    (UNEVEN, naive.Game(6, frozenset(map(frozenset, UNEVEN.lines)))),
]


def text(marks) -> str:
    return "".join(".XO"[mark] for mark in marks)


@pytest.mark.parametrize(("board", "game"), BOARDS, ids=[str(board) for board, _ in BOARDS])
def test_games_go_as_the_oracle_says(board, game):
    games, random = GamesAtOnce(board, 300), np.random.default_rng(5)
    shown = ["." * game.cells] * 300
    ends = {None: 0, "draw": 0, "X": 1, "O": -1}
    for _ in range(2 * game.cells):
        actions = games.random_actions(random)
        games.play(actions)
        for i, cell in enumerate(actions):
            if naive.line_outcome(game, shown[i]) is None:
                shown[i] = naive.play(shown[i], int(cell))
        assert [text(marks) for marks in games.marks] == shown
        outcomes = [naive.line_outcome(game, marks) for marks in shown]
        assert games.over.tolist() == [outcome is not None for outcome in outcomes]
        assert games.outcome.tolist() == [ends[outcome] for outcome in outcomes]
        assert games.masks.tolist() == [[mark == "." for mark in marks] for marks in shown]
        anew = games.over & (random.random(300) < 0.5)
        games.restart(anew)
        shown = ["." * game.cells if begun else marks for begun, marks in zip(anew, shown, strict=True)]


def test_what_is_seen_is_what_one_game_shows():
    games = GamesAtOnce("2x3:2", 3)
    games.play([5, 0, 3])
    games.play([0, 2, 1], np.array([True, False, True]))
    for i in range(3):
        assert games.observations[i].tolist() == observation(games.position(i)).tolist()
        assert games.numbers[i] == position_number(games.position(i))
        assert "XO"[int(games.turn[i] < 0)] == games.position(i).to_move


def test_outcomes_of_random_games_are_those_of_versus():
    games, random, many = GamesAtOnce("3x3", 40_000), np.random.default_rng(2), 40_000
    for _ in range(9):
        games.play(games.random_actions(random))
    exact = noughts.versus("3x3")
    for found, chance in (((games.outcome == 1).sum(), exact.x_wins), ((games.outcome == -1).sum(), exact.o_wins)):
        spread = (many * float(chance) * (1 - float(chance))) ** 0.5
        assert abs(found - many * float(chance)) < 5 * spread


def test_every_blank_cell_is_as_likely_as_the_others():
    games = GamesAtOnce("2x3:2", 30_000)
    games.play(np.full(30_000, 2))
    counts = np.bincount(games.random_actions(np.random.default_rng(1)), minlength=6)
    assert counts[2] == 0
    assert all(abs(count - 6000) < 400 for count in np.delete(counts, 2))


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([1, 0], r"a1 is not blank in game 1, X\.\.\.\.\./|a1 is not blank in game 1"),
        ([6, 1], "cell 6 is not blank in game 0"),
        ([-1, 1], "cell -1 is not blank in game 0"),
        ([1], "not 2 whole numbers"),
        ([1.0, 2.0], "not 2 whole numbers"),
    ],
)
def test_bad_actions_get_a_sentence_and_change_nothing(actions, words):
    games = GamesAtOnce("2x3:2", 2)
    games.play([0, 0])
    before = games.marks.copy()
    with pytest.raises(InputError, match=words):
        games.play(actions)
    assert (games.marks == before).all()


def test_large_boards_play_without_numbers():
    games = GamesAtOnce("7x7:4", 5)
    games.play(np.arange(5))
    assert games.position(4).x == 1 << 4
    with pytest.raises(BudgetError, match="use `marks`"):
        _ = games.numbers
