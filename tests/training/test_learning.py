"""Q-learning gets from nothing to never losing, and says so only where it is so."""

from __future__ import annotations

import importlib
import sys
from random import Random
from typing import Any

import pytest

import noughts
from noughts.rules.board import Board
from noughts.rules.cells import column_name
from noughts.rules.position import Position
from noughts.training.learning import from_open_spiel, learn, to_open_spiel


@pytest.fixture(scope="module")
def learned():
    return learn("3x3", games=70_000, seed=0, looks=[1_000])


def test_it_learns_never_to_lose(learned):
    begin, early, end = learned.course
    assert (begin.games, begin.never_loses, early.never_loses, end.never_loses) == (0, False, False, True)
    assert learned.never_loses
    assert learned.flawless_from == end.games >= 70_000
    judged = noughts.evaluate("3x3", learned.policy)
    assert judged.never_loses
    assert judged.nash_conv == learned.nash_conv == 0
    assert [judged[player].value for player in ("X", "O")] == [end.x_value, end.o_value]
    assert [judged[player].guaranteed for player in ("X", "O")] == [end.x_guaranteed, end.o_guaranteed]


def test_its_values_are_those_of_best_play(learned):
    """At a position that every game may come to, the table has for each cell what the move is worth."""
    from noughts.bots.arrays import position_number

    at = noughts.rules.parse_position("3x3", "X.O/.../...")
    solution = noughts.solve("3x3")
    worth = {"X": 1, "draw": 0, "O": -1}
    row = learned.values[position_number(at)]
    for cell in at.moves():
        assert round(float(row[cell])) == worth[solution.outcome(at.play(cell))]


def test_where_o_cannot_hold_a_flawless_table_is_not_said_never_to_lose():
    found = learn("2x3:2", games=5_000)
    assert not found.never_loses
    assert found.nash_conv == 0
    assert repr(found) == f"<Learned on 2x3:2: {found.games:,} games, flawless>"
    assert "it gives none away." in str(found.chart())
    assert "No opponent can beat it" not in str(found.chart())


@pytest.mark.parametrize("board", ["2x3:2+gravity", "3x2+gravity+misere", "3x3+gravity"])
def test_under_gravity_it_chooses_among_the_cells_where_a_mark_falls(board):
    found = learn(board, games=10_000)
    judged = noughts.evaluate(board, found.policy)
    assert judged.nash_conv == found.nash_conv == 0
    assert [judged[player].guaranteed for player in ("X", "O")] == [
        found.course[-1].x_guaranteed,
        found.course[-1].o_guaranteed,
    ]


# Policies go to OpenSpiel and come back as they were; what it makes of them is what we make of them.

if sys.version_info >= (3, 15) or sys.platform != "linux":
    pytest.skip("OpenSpiel has no wheels for this Python: the extra `test` leaves it out", allow_module_level=True)

pyspiel: Any = importlib.import_module("pyspiel")
policies: Any = importlib.import_module("open_spiel.python.policy")
exploitability: Any = importlib.import_module("open_spiel.python.algorithms.exploitability")


def mnk(rows: int, columns: int, k: int) -> Any:
    return pyspiel.load_game("mnk", {"m": columns, "n": rows, "k": k})


@pytest.mark.parametrize("bot", ["random", "block", "perfect", pytest.param("medium", marks=pytest.mark.slow)])
def test_nash_conv_is_that_of_openspiel(bot):
    """A second opinion that shares no code: on 2 rows of 3, 2 in a row, and on 3 rows of 2; slowly on 3x3."""
    small = {"2x3:2": mnk(2, 3, 2), "3x2:2": mnk(3, 2, 2)}
    small |= {"3x3+gravity": pyspiel.load_game("connect_four(rows=3,columns=3,x_in_row=3)")}
    for board, game in ({"3x3": pyspiel.load_game("tic_tac_toe")} if bot == "medium" else small).items():
        found = noughts.evaluate(board, bot)
        assert exploitability.nash_conv(game, to_open_spiel(bot, game)) == pytest.approx(float(found.nash_conv or 0))


def test_a_policy_of_openspiel_is_judged_exactly():
    game = mnk(2, 3, 2)
    uniform = from_open_spiel(policies.UniformRandomPolicy(game))
    first = from_open_spiel(policies.FirstActionPolicy(game))
    for player in ("X", "O"):
        ours, exact = noughts.evaluate("2x3:2", uniform)[player], noughts.evaluate("2x3:2", "random")[player]
        assert float(ours.value) == pytest.approx(float(exact.value))
        assert float(ours.guaranteed) == pytest.approx(float(exact.guaranteed))
    judged = noughts.match("2x3:2", x=first, o=lambda position: position.moves()[0])
    assert judged.o_wins == 1  # a1 b1 c1 a2


def test_chances_are_of_cells_in_reading_order():
    """On boards that are not square, so that rows are not taken for columns."""
    game = mnk(2, 3, 3)
    state = game.new_initial_state()
    chances = to_open_spiel({".../...": {"c1": 1}, "otherwise": "random"}, game).action_probabilities(state)
    assert {cell for cell, chance in chances.items() if chance} <= {0, 2, 3, 5}  # c1 and its mirrors
    state.apply_action(2)
    assert str(state).split() == ["..x", "..."]
    win = mnk(2, 3, 2)
    state = win.new_initial_state()
    for cell in (0, 2):
        state.apply_action(cell)
    chances = to_open_spiel("win", win).action_probabilities(state)
    assert chances == {1: pytest.approx(1 / 3), 3: pytest.approx(1 / 3), 4: pytest.approx(1 / 3), 5: 0}


def test_connect_four_of_openspiel_move_by_move():
    """Legal actions, boards, whose turn it is, ends and returns in random games."""
    dice = Random(1)
    for rows, columns, k in ((6, 7, 4), (4, 5, 3), (5, 4, 4)):
        game = pyspiel.load_game(f"connect_four(rows={rows},columns={columns},x_in_row={k})")
        for _ in range(40):
            state, at = game.new_initial_state(), Position(Board.grid(rows, columns, k, gravity=True))
            while not at.is_terminal:
                actions = sorted(cell % columns for cell in at.moves())
                assert (state.legal_actions(), state.current_player()) == (actions, int(at.to_move == "O"))
                chosen = dice.choice(actions)
                state.apply_action(chosen)
                at = at.play(column_name(chosen))
                assert str(state).split() == str(at).lower().split("/")
            assert state.is_terminal()
            assert state.returns()[0] == {"X": 1, "O": -1, "draw": 0}[str(at.outcome)]
