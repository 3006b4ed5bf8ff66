"""Values in mixed strategies: both guarantees meet, exactly, and small games are what they must be."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from noughts.blindfold.game import BlindRules
from noughts.blindfold.judge import judge_proof
from noughts.blindfold.proof import prove
from noughts.blindfold.pure import Informed
from noughts.blindfold.sequence_form import concession, guarantee, solve_mixed
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board
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
