"""Values in mixed strategies: both guarantees meet, exactly, and small games are what they must be."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import Any

import pytest

from noughts.blindfold.game import BlindRules
from noughts.blindfold.judge import judge_proof
from noughts.blindfold.proof import prove
from noughts.blindfold.pure import Informed
from noughts.blindfold.sequence_form import SequenceGame, concession, guarantee, solve_mixed
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion
from tests.dear import dear, sample

TOLD = BlindRules("O", opening_told=True)
TOLD_LOSE = BlindRules("O", opening_told=True, collision="lose-turn")


@pytest.mark.parametrize(
    ("rules", "opening", "value"),
    dear(
        [
            (TOLD, 4, Fraction(-4, 5)),
            (TOLD, 0, Fraction(-1, 2)),
            (TOLD, 5, Fraction(-2, 5)),
            (TOLD_LOSE, 4, Fraction(-21, 22)),
            (TOLD_LOSE, 8, Fraction(-51, 58)),
            (TOLD_LOSE, 1, Fraction(-678, 797)),
            (BlindRules("O", collision="lose-turn"), None, Fraction(-293, 300)),
        ],
        *((TOLD, 0, Fraction(-1, 2)), (TOLD, 5, Fraction(-2, 5)), (TOLD_LOSE, 1, Fraction(-678, 797))),
        (BlindRules("O", collision="lose-turn"), None, Fraction(-293, 300)),
    ),
)
def test_values_on_3x3(rules, opening, value):
    solution = solve_mixed(Board.parse("3x3"), rules, opening)
    assert solution.value == solution.lower == solution.upper == value
    assert guarantee(solution.game, solution.calls) == value
    assert concession(solution.game, solution.replies) == value


@pytest.mark.slow
def test_longer_values_on_3x3():
    board = Board.parse("3x3")
    assert solve_mixed(board, BlindRules()).value == 0
    assert solve_mixed(board, BlindRules("O")).value == Fraction(-4, 5)
    lose_turn = solve_mixed(board, BlindRules(collision="lose-turn"))
    assert lose_turn.value == Fraction(-1189953110709, 1751271608300)
    silent = solve_mixed(board, BlindRules(collision="lose-turn", told="nothing"))
    assert silent.value == Fraction(-28192, 40211)


@pytest.mark.parametrize(
    "board", sample(["2x2", "1x4:2", "1x5:2", "2x3:2", "2x3:3", "1x5:3", "2x2+misere", "2x3:2+misere"], 3)
)
@pytest.mark.parametrize("blind", ["X", "O"])
@pytest.mark.parametrize("collision", ["retry", "lose-turn"])
def test_knowing_more_never_lowers_the_value(board, blind, collision):
    """Silence, collisions, last moves, all marks, open eyes: each tells at least as much as the one before."""
    board = Board.parse(board)
    found = [solve_mixed(board, BlindRules(blind, collision=collision, told=told)) for told in ("nothing", "collision")]
    found += [solve_mixed(board, BlindRules(blind, collision=collision, told=told)) for told in ("last-move", "all")]
    values = [solution.value for solution in found]
    silent, collided, last, everything = (value for value in values if value is not None)
    rules = BlindRules(blind, collision=collision)
    assert silent <= collided <= last <= Informed(board, rules).value()
    assert collided <= everything <= Informed(board, rules).value()
    answer = solve_blindfold(board, rules)
    assert (collided >= 0) == answer.never_lose or collided > -1
    assert not answer.always_win or collided == 1
    assert not answer.never_lose or collided >= 0


def test_a_guess_between_two_cells():
    """On 1x4:2 a blind O learns the opening b1. X threatens a1 and c1; O calls one of them and loses."""
    board = Board.parse("1x4:2")
    assert solve_mixed(board, TOLD, 1).value == -1
    assert solve_mixed(board, TOLD, 0).value == 0
    assert solve_blindfold(board, TOLD, opening=0).never_lose


def test_an_answer_with_its_value():
    assert solve_blindfold("3x3", TOLD, opening=7, parts=["value"]).value == Fraction(-2, 5)


@pytest.mark.slow
def test_answers_with_values():
    answer = solve_blindfold("3x3", TOLD, parts=["value"])
    assert answer.value == Fraction(-4, 5)
    assert answer.openings is not None
    assert [answer.openings[cell].value for cell in (0, 1, 4)] == [Fraction(-1, 2), Fraction(-2, 5), Fraction(-4, 5)]


def test_games_too_large_are_refused():
    with pytest.raises(BudgetError, match="up to 10 cells"):
        solve_mixed(Board.parse("4x4:4"), BlindRules())
    with pytest.raises(BudgetError, match="more than 1,000 truths"):
        SequenceGame(Board.parse("3x3"), BlindRules(), budget=1_000)


def test_without_a_solver_there_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(InputError, match=r"needs the package highspy: run .* -m pip install highspy") as caught:
        solve_blindfold("3x3", TOLD, opening=4, parts=["value"])
    assert "\n" not in str(caught.value)
    assert solve_blindfold("3x3").value == 0


PROOFS = [
    ("2x3:2", BlindRules(), None),
    ("2x3:2", BlindRules("O"), None),
    ("2x3:2", BlindRules(collision="lose-turn"), None),
    ("2x3:3", BlindRules(collision="lose-turn", told="all"), None),
    ("2x3:3", BlindRules("O", collision="lose-turn", told="last-move"), None),
    ("2x3:2", BlindRules(told="nothing", collision="lose-turn"), None),
    ("2x3:2+misere", BlindRules("O"), None),
    ("3x3", BlindRules(), None),
    ("3x3", TOLD, 4),
    ("3x3", TOLD, 7),
    ("3x3", BlindRules("O", collision="lose-turn"), None),
]


@pytest.mark.parametrize(("board", "rules", "opening"), dear(PROOFS, PROOFS[-1], PROOFS[-2]), ids=str)
def test_proofs_stand_before_the_judge(board, rules, opening):
    """The judge follows all calls and replies without symmetries or free tries, and finds the same bounds."""
    proof = json.loads(json.dumps(prove(Board.parse(board), rules, opening)))
    verdict = judge_proof(proof)
    assert verdict.holds
    assert (verdict.lower, verdict.upper) == verdict.claimed
    assert verdict.lower == verdict.upper


@pytest.fixture(scope="module")
def proof() -> dict[str, Any]:
    return prove(Board.parse("2x3:2"), BlindRules(collision="lose-turn"))


def test_a_proof_that_claims_too_much(proof):
    assert not judge_proof({**proof, "lower": "1"}).holds
    assert not judge_proof({**proof, "upper": "1/2"}).holds
    assert judge_proof({**proof, "upper": "1"}).holds


@pytest.mark.parametrize(
    "change",
    [
        {"lower": "many"},
        {"lower": "1/0"},
        {"lower": 1},
        {"board": "3x3"},
        {"board": "9"},
        {"version": 7},
        {"opening": "a1"},
        {"opening_told": 1},
        {"blind": "both"},
        {"blind_player": {}},
        {"blind_player": {"mix": {"a1": "1/2"}, "after": {}}},
        {"blind_player": {"mix": {"a1": "2", "b1": "-1"}, "after": {}}},
        {"blind_player": {"mix": {"z9": "1"}, "after": {}}},
        {"blind_player": {"mix": {"a1": "1"}, "after": {}}},
        {"by_history": {}},
        {"by_history": []},
        {"by_position": {}},
        {"by_position": {"......": "a1"}},
    ],
    ids=str,
)
def test_broken_proofs_are_refused(proof, change):
    with pytest.raises(InputError) as caught:
        judge_proof({**proof, **change})
    assert "\n" not in str(caught.value)


def test_proofs_that_cannot_be_had():
    with pytest.raises(InvalidQuestion, match="--opening"):
        prove(Board.parse("3x3"), TOLD)
    with pytest.raises(InvalidQuestion):
        prove(Board.parse("3x3"), BlindRules("both"))
    with pytest.raises(BudgetError):
        prove(Board.parse("3x3"), BlindRules("O", told="all"))
