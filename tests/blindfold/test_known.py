"""Numbers that are published, and others that two ways of computing agree on."""

from __future__ import annotations

from fractions import Fraction

import pytest

from noughts.blindfold.game import GOALS, BlindRules, Strategy
from noughts.blindfold.inquiry import PARTS, BlindAnswer
from noughts.blindfold.judge import judge
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board
from tests.blindfold.histories import Histories
from tests.blindfold.test_engines import WHO
from tests.dear import sample

BOARD = Board.parse("3x3")


def held(answer: BlindAnswer) -> Strategy:
    assert answer.strategy is not None
    return answer.strategy


def smallest(answer: BlindAnswer) -> int:
    assert answer.smallest_strategy is not None
    return min(answer.smallest_strategy.values())


def best_chance(answer: BlindAnswer, among: str) -> Fraction:
    chances = answer.win_probability[among]
    assert chances is not None
    return max(chances.values())


@pytest.fixture(scope="module")
def sizes():
    return solve_blindfold("3x3", BlindRules(blind="both")).sizes


@pytest.mark.slow
@pytest.mark.parametrize(("player", "count"), [("X", 3_683_314), ("O", 2_307_355)])
def test_published_sizes_of_the_game_with_both_blind(player, count, sizes):
    assert sizes is not None
    assert sizes[player] == count
    engine = Histories(BOARD, BlindRules(blind=player))
    assert sum(engine.histories(node) for _, _, node in engine.starts()) == count


def test_the_answer_on_3x3_holds_together():
    answer = solve_blindfold("3x3")
    assert answer.never_lose
    assert not answer.always_win
    assert answer.value == 0
    assert answer.strategy is not None
    assert held(answer).places() == smallest(answer)
    sets = answer.information_sets
    safe, every, classes = sets["safe"], sets["all"], sets["all_classes"]
    assert safe is not None
    assert every is not None
    assert classes is not None
    assert safe < every < 8 * classes + 1
    assert judge(held(answer)).losses == 0


@pytest.mark.parametrize("safe", [False, True])
def test_the_judge_meets_the_best_chance(safe):
    answer = solve_blindfold("3x3", goal="win-often", never_lose_too=safe)
    verdict = judge(held(answer))
    best = best_chance(answer, "never_lose" if safe else "any")
    assert verdict.win_chance == best
    assert not (safe and verdict.losses)
    assert best < 1


def test_a_blind_x_wins_by_force_on_4x4_3():
    answer = solve_blindfold("4x4:3", goal="always-win")
    assert answer.always_win
    assert answer.value == 1
    verdict = judge(held(answer))
    assert verdict.wins == verdict.games > 0


@pytest.mark.parametrize("told", sample(["collision", "last-move", "all"], 3))
def test_strategies_for_other_rules_hold(told):
    for blind, opening_told in WHO:
        rules = BlindRules(blind, opening_told, told=told)
        answer = solve_blindfold("2x4:4", rules)
        if answer.never_lose:
            assert judge(held(answer)).losses == 0
        assert answer.strategy is None or answer.never_lose


def test_each_known_opening_has_an_answer():
    answer = solve_blindfold("3x4:4", BlindRules("O", opening_told=True))
    assert answer.openings is not None
    assert len(answer.openings) == 12
    for opening, one in answer.openings.items():
        assert one.never_lose
        assert one.safe_first_calls is not None
        assert opening not in one.safe_first_calls
    single = solve_blindfold("3x4:4", BlindRules("O", opening_told=True), opening=5)
    assert single.safe_first_calls == answer.openings[5].safe_first_calls


# Which first calls make sure of the win and which only never lose, and every part that may be asked for.
#
# A call makes sure of the win where the largest chance to win against random replies is one: another engine's finding.

RULES = {
    "X": BlindRules(),
    "O": BlindRules("O"),
    "silent": BlindRules(told="nothing"),
    "silent O": BlindRules("O", told="nothing"),
    "costly": BlindRules(collision="lose-turn"),
    "all marks": BlindRules("O", told="all"),
}
BOARDS = ("1x3:2", "1x3:2+misere", "1x4:2", "1x4:2+misere", "2x2:2", "2x3:2", "1x5:3", "1x6:3+misere")


@pytest.mark.parametrize("name", sample(RULES, 2))
@pytest.mark.parametrize("board", sample(BOARDS, 2))
def test_a_call_makes_sure_of_the_win_where_its_best_chance_is_one(board, name):
    found = solve_blindfold(board, RULES[name])
    often, safe = found.win_probability["any"], found.safe_first_calls
    assert often is not None
    assert safe is not None
    assert found.winning_first_calls == tuple(sorted(cell for cell, chance in often.items() if chance == 1))
    assert bool(found.winning_first_calls) == found.always_win
    assert set(found.winning_first_calls) <= set(safe)
    for goal in GOALS:
        assert solve_blindfold(board, RULES[name], goal).winning_first_calls == found.winning_first_calls


@pytest.mark.parametrize("parts", [*((part,) for part in PARTS), PARTS], ids=lambda parts: "+".join(parts)[:20])
@pytest.mark.parametrize("name", RULES)
def test_every_part_can_be_requested(name, parts):
    found = solve_blindfold("2x2:2", RULES[name], parts=parts)
    for part in parts:
        assert getattr(found, part) is not None
        assert part not in found.left_out
