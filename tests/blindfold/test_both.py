"""Both players blind: best responses and the judge against brute force, and values that both players' mixes prove."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from noughts.blindfold.both import Phantom, Response, image_of_plan, phantom_bounds, prove_both
from noughts.blindfold.game import Answer, Blind, BlindRules, Plan, plan_to_json
from noughts.blindfold.judge import judge_proof
from noughts.blindfold.session import play_blindfold, solve_blindfold
from noughts.known import phantoms
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion
from noughts.rules.marks import Player
from tests.dear import dear

World = tuple[int | Fraction, Plan | None, set[int]]
RULES = BlindRules("both")


def often(board: Board, player: Blind, first: int | None = None) -> Plan:
    strategy = solve_blindfold(board, BlindRules(player), "win-often", first=first).strategy
    assert strategy is not None
    return strategy.branches[Answer("start")]


def brute(
    lines: list[set[int]], cells: int, mine: set[int], called: set[int], worlds: list[World], to_move: bool
) -> Fraction:
    """The best average against weighted plans: worlds are (weight, plan, marks), nothing remembered, nothing merged."""
    if not worlds:
        return Fraction()
    if not to_move:
        total, going = Fraction(), []
        for weight, place, held in worlds:
            plan, marks = place, set(held)
            assert plan is not None
            while plan.call in mine:
                plan = plan.branches[Answer("taken")]
            marks.add(plan.call)
            if any(line <= marks for line in lines):
                total -= weight
            elif len(marks | mine) < cells:
                going.append((weight, plan.branches.get(Answer("free")), marks))
        return total + brute(lines, cells, mine, called, going, True)
    found = []
    for cell in set(range(cells)) - called:
        taken = [world for world in worlds if cell in world[2]]
        free = [world for world in worlds if cell not in world[2]]
        after = mine | {cell}
        if any(line <= after for line in lines):
            got = Fraction(sum(weight for weight, _, _ in free))
        else:
            open_worlds = [world for world in free if len(after | world[2]) < cells]
            got = brute(lines, cells, after, called | {cell}, open_worlds, False)
        found.append(got + brute(lines, cells, mine, called | {cell}, taken, True))
    return max(found)


@pytest.mark.parametrize("name", ["2x3:2", "2x3:3", "1x5:2"])
def test_best_responses_and_the_judge_against_brute_force(name):
    board = Board.parse(name)
    lines, group = [set(line) for line in board.lines], board.group().elements
    document = {**prove_both(board, RULES), "lower": "-1", "upper": "1"}
    expected: dict[str, Fraction] = {}
    sides: tuple[tuple[Player, Player], ...] = (("X", "O"), ("O", "X"))
    for player, other in sides:
        mix = [(weight, often(board, other, first)) for weight, first in ((1, 0), (3, 1), (2, 2))]
        worlds: list[World] = [(weight, image_of_plan(plan, g), set()) for weight, plan in mix for g in group]
        expected[other] = brute(lines, board.cells, set(), set(), worlds, player == "X") / (6 * len(group))
        game, against = Phantom(board, player), Phantom(board, other)
        response = Response(game, mix)
        assert response.value() == expected[other]
        assert -Response(against, [(1, response.plan())]).value() <= expected[other]
        document[other] = [{"weight": weight, "plan": plan_to_json(board, RULES, plan)} for weight, plan in mix]
    verdict = judge_proof(json.loads(json.dumps(document)))
    assert (verdict.lower, verdict.upper) == (-expected["X"], expected["O"])


@pytest.mark.parametrize(
    ("name", "value"),
    dear(
        [("2x2", 1), ("2x3:3", 0), ("2x3:2+misere", -1), ("2x4:3", Fraction(1, 2)), ("3x3+torus", Fraction(11, 18))],
        ("2x4:3", Fraction(1, 2)),
        ("3x3+torus", Fraction(11, 18)),
    ),
)
def test_both_mixes_prove_the_value(name, value):
    verdict = judge_proof(json.loads(json.dumps(prove_both(Board.parse(name), RULES))))
    assert verdict.claimed == (verdict.lower, verdict.upper) == (value, value)


def test_few_rounds_give_bounds():
    bounds = phantom_bounds(Board.parse("2x3:3"), rounds=1)
    assert (bounds.lower, bounds.upper) == (Fraction(), Fraction(1, 2))


def test_the_value_of_3x3_is_two_thirds():
    verdict = judge_proof(*phantoms())
    assert verdict.claimed == (verdict.lower, verdict.upper) == (Fraction(2, 3), Fraction(2, 3))


@pytest.mark.slow
def test_the_value_of_3x3_is_found_again():
    found = prove_both(Board.parse("3x3"), RULES, carried=False)
    verdict = judge_proof(found)
    assert verdict.claimed == (verdict.lower, verdict.upper) == (Fraction(2, 3), Fraction(2, 3))


def test_a_strategy_that_never_loses_turned_at_random_gets_a_half():
    board = Board.parse("3x3")
    assert Response(Phantom(board, "O"), [(1, often_safe(board))]).value() == Fraction(-1, 2)


def often_safe(board: Board) -> Plan:
    strategy = solve_blindfold(board).strategy
    assert strategy is not None
    (plan,) = strategy.branches.values()
    return plan


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no mix": lambda proof: proof.pop("O"),
    "an empty mix": lambda proof: proof.update(X=[]),
    "a weight of 0": lambda proof: proof["X"][0].update(weight=0),
    "a weight in words": lambda proof: proof["X"][0].update(weight="1"),
    "no plan": lambda proof: proof["O"][0].update(plan=None),
    "a plan that ends": lambda proof: proof["O"][0]["plan"].update(free=None),
    "a branch left out": lambda proof: proof["O"][0]["plan"].pop("taken"),
    "no branch for a collision": lambda proof: proof["O"][0]["plan"].update(taken=None),
    "a call twice": lambda proof: proof["X"][0]["plan"]["free"].update(call=proof["X"][0]["plan"]["call"]),
    "an unknown cell": lambda proof: proof["X"][0]["plan"].update(call="z9"),
    "no bound": lambda proof: proof.pop("lower"),
    "more is told": lambda proof: proof.update(told="all"),
    "a larger board": lambda proof: proof.update(board="3x3"),
    "an opening": lambda proof: proof.update(opening="b2"),
    "an unknown entry": lambda proof: proof.update(value="0"),
    "a decimal": lambda proof: proof.update(lower="0.0"),
    "an unknown player": lambda proof: proof.update(blind="Both"),
    "another version": lambda proof: proof.update(version=2),
    "another format": lambda proof: proof.update(format="noughts-blindfold-strategy"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_broken_mixes_are_refused(change):
    proof = deepcopy(prove_both(Board.parse("2x3:3"), RULES))
    CHANGES[change](proof)
    with pytest.raises(InputError) as caught:
        judge_proof(proof)
    assert "\n" not in str(caught.value)
    assert "lacks an entry 'opening'" not in str(caught.value)


def test_a_claim_beyond_the_mixes_does_not_hold():
    proof = prove_both(Board.parse("2x3:3"), RULES)
    assert not judge_proof({**proof, "lower": "1/9"}).holds
    assert not judge_proof({**proof, "upper": "-1/9"}).holds
    assert judge_proof({**proof, "lower": "-1/9"}).holds


def test_questions_that_are_refused(monkeypatch):
    with pytest.raises(InvalidQuestion, match="three cells"):
        phantom_bounds(Board.parse("1x2"))
    with pytest.raises(InvalidQuestion, match="--told collision"):
        prove_both(Board.parse("2x3"), BlindRules("both", told="all"))
    monkeypatch.setattr("noughts.blindfold.both._SET_LIMIT", 1_000)
    with pytest.raises(BudgetError, match="on 2x5:3 need a linear program that is too large: try 3x3 or 2x4"):
        phantom_bounds(Board.parse("2x5:3"))
    with pytest.raises(BudgetError, match="on 6x6:6 need a linear program that is too large"):
        prove_both(Board.parse("6x6"), RULES)
    with pytest.raises(BudgetError, match="on 3x4:3 have too many histories to count: try 2x5:3"):
        solve_blindfold("3x4:3", RULES)


def test_the_value_is_offered_only_where_it_can_be_found(monkeypatch):
    assert solve_blindfold("3x3+torus", RULES).left_out == ("value",)
    monkeypatch.setattr("noughts.blindfold.both._SET_LIMIT", 100)
    assert solve_blindfold("3x3+torus", RULES).left_out == ()


@pytest.mark.parametrize("player", ["X", "O"])
def test_a_program_that_does_not_see_plays_to_the_end(player):
    """Its replies are those of a plan in the mix, in some image: they depend on its own collisions alone."""
    chance, outcomes = Random(1), set()
    for seed in range(10):
        board = Board.parse("3x3" if seed < 8 else "2x3:3")
        cells: tuple[int, ...] = ()
        while True:
            game = play_blindfold(board, BlindRules(player), "blind", cells, str(seed), opposition="blind")
            if game.is_over:
                break
            cells += (chance.choice(game.open_cells),)
        outcomes.add(game.truth.outcome)
    assert len(outcomes) > 1
    with pytest.raises(InvalidQuestion, match="only on 3x3"):
        play_blindfold(Board.parse("3x4"), BlindRules(player), "blind", (), "0", opposition="blind")
