"""Patterns, payoffs and policies, against the oracle and the published numbers."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.strategy.patterns import patterns
from noughts.strategy.payoff import payoff
from noughts.strategy.policies import POLICIES, policy
from noughts.strategy.schemes import parse_points
from noughts.strategy.versus import versus
from tests.strategy.oracle import Oracle, oracle


def test_patterns_as_published():
    found = patterns("3x3")
    assert [(p.name, p.boards) for p in found.patterns] == [("Island", 8), ("Scorpion", 4), ("Arrow", 4)]
    assert found.forcing is not None
    assert [(f.opening, set(f.x)) for f in found.forcing] == [
        (None, {"Island", "Scorpion", "Arrow"}),
        (0, {"Arrow"}),
        (1, {"Scorpion"}),
        (4, {"Island"}),
    ]


@pytest.mark.parametrize(("spec", "shape"), [("3x3", (3, 3, 3)), ("2x4:3", (2, 4, 3)), ("2x3:3", (2, 3, 3))])
def test_what_can_be_forced_agrees_with_the_oracle(spec, shape):
    board, found = oracle(*shape), patterns(spec)
    full = {board.canonical(s) for s in board.reachable() if "." not in s and board.winner(s) is None}
    names = {board.canonical(str(p.position).replace("/", "")): p.name for p in found.patterns}
    assert names.keys() == full
    assert sum(p.boards for p in found.patterns) == sum(len(board.images(s)) for s in full)
    assert found.forcing is not None
    for row in found.forcing:
        s = board.empty if row.opening is None else board.put(board.empty, row.opening)
        for player, forced in (("X", row.x), ("O", row.o)):
            assert set(forced) == {name for t, name in names.items() if board.can_force(s, player, t)}


def test_patterns_of_a_board_too_large_to_play_out():
    found = patterns("4x4:4")
    assert len(found.patterns) == 688
    assert found.forcing is None
    assert found.as_dict()["forcing"] is None
    assert found.names[0] == "pattern 1"
    with pytest.raises(BudgetError, match="5,200,300 ways"):
        patterns("5x5:5")


def test_random_against_random_as_published():
    match = versus("3x3")
    assert (match.x_wins, match.o_wins, match.draws) == (Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63))
    assert match.as_dict()["x_wins"] == "737/1260"


@pytest.mark.parametrize("x", POLICIES)
@pytest.mark.parametrize("o", POLICIES)
def test_every_pair_of_policies_agrees_with_the_oracle(x, o):
    match, wanted = versus("3x3", x=x, o=o), oracle(3, 3, 3).match(x, o)
    assert {"X": match.x_wins, "O": match.o_wins, "draw": match.draws} == wanted


@pytest.mark.parametrize(
    ("x", "o"),
    [("block", "fork"), ("perfect", "trap:block"), ("win", "random"), ("quickest", "random"), ("random", "quickest")],
)
def test_twins_on_2x5(x, o):
    wide, tall = versus("2x5:3", x=x, o=o), versus("5x2:3", x=x, o=o)
    assert (wide.x_wins, wide.o_wins) == (tall.x_wins, tall.o_wins)
    wanted = oracle(2, 5, 3).match(x, o)
    assert {"X": wide.x_wins, "O": wide.o_wins, "draw": wide.draws} == wanted


def test_misere_policies():
    wanted = oracle(3, 3, 3, misere=True).match("random", "perfect")
    match = versus("3x3+misere", o="perfect")
    assert {"X": match.x_wins, "O": match.o_wins, "draw": match.draws} == wanted
    for name in ("win", "block", "fork", "trap:block"):
        with pytest.raises(InputError, match="under misere"):
            versus("3x3+misere", x=name)


def sides(player, own, other):
    return {"x": own, "o": other} if player == "X" else {"x": other, "o": own}


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("player", ["X", "O"])
def test_no_policy_does_better_than_the_best_response(name, player):
    def value(match):
        return match.value if player == "X" else -match.value

    best = versus("3x3", **sides(player, "best", name))
    others = [versus("3x3", **sides(player, other, name)) for other in POLICIES]
    assert value(best) >= max(map(value, others))
    # Played out as a policy of its own, the best response is worth what it was said to be.
    again = versus("3x3", **sides(player, best.response, name))
    assert value(again) == value(best)


def naive_best_value(board, s: str, name: str, player: str) -> Fraction:
    """Expectimax on labelled positions."""
    if board.over(s):
        return Fraction({player: 1, None: 0}.get(board.winner(s), -1))
    if board.mover(s) == player:
        return max(naive_best_value(board, board.put(s, c), name, player) for c in board.blanks(s))
    moves = board.moves_of(s, name)
    return sum((naive_best_value(board, board.put(s, c), name, player) for c in moves), Fraction(0)) / len(moves)


@pytest.mark.parametrize("player", ["X", "O"])
def test_the_best_response_by_expectimax(player):
    board = oracle(2, 4, 3)
    match = versus("2x4:3", **sides(player, "best", "random"))
    wanted = naive_best_value(board, board.empty, "random", player)
    assert (match.value if player == "X" else -match.value) == wanted


def test_a_callable_is_played_on_every_labelled_position():
    """First blank cell in reading order: not symmetric, so the classes must not stand for positions."""
    board = Board.parse("3x3")
    first = versus(board, x=lambda position: [next(cells_of(position.blanks))])
    assert versus(board, x=lambda position: position.moves()[0]).x_wins == first.x_wins
    assert versus(board, x=lambda position: cell_name(board, position.moves()[0])).x_wins == first.x_wins
    naive = oracle(3, 3, 3)
    naive_moves = naive.moves_of

    class First(Oracle):
        def moves_of(self, s, policy):
            return self.blanks(s)[:1] if policy == "first" else naive_moves(s, policy)

    wanted = First(3, 3, 3).match("first", "random")
    assert {"X": first.x_wins, "O": first.o_wins, "draw": first.draws} == wanted
    assert versus(board, x=lambda p: ["b2"] if p.ply == 0 else list(cells_of(p.blanks))).x_wins != first.x_wins
    with pytest.raises(InputError, match="give one or more blank cells"):
        versus(board, x=lambda position: [0])


def test_policy_files(tmp_path):
    path = tmp_path / "centre.json"
    path.write_text(json.dumps({"board": "3x3", "otherwise": "random", "moves": {".../.../...": ["b2"]}}))
    centre = versus("3x3", x=str(path))
    assert centre.x_wins == versus("3x3", start="b2").x_wins
    # An entry is for the whole class, whichever way it is turned.
    turned = {"moves": {".../.../...": ["c3"], "..X/.O./...": ["a3"]}, "otherwise": "block"}
    path.write_text(json.dumps(turned))
    rule = policy(Board.parse("3x3"), str(path))
    board = Board.parse("3x3")
    assert rule.moves(parse_position(board, "X../.O./..."), None) == 1 << 8
    assert rule.moves(parse_position(board, ".../.O./..X"), None) == 1 << 0


@pytest.mark.parametrize(("spec", "text"), [("3x3", "XO./.../..."), ("3x4:3", "XO../..../....")])
def test_an_entry_of_a_policy_file_is_turned_with_its_position(tmp_path, spec, text):
    """Under every symmetry, also the quarter turns, which are not their own inverses."""
    board = Board.parse(spec)
    start = parse_position(board, text)
    cell = 2
    for turn in board.group().elements:
        path = tmp_path / "policy.json"
        turned = Position(board, 1 << turn[0], 1 << turn[1])
        path.write_text(json.dumps({"moves": {str(turned): [cell_name(board, turn[cell])]}}))
        rule = policy(board, str(path))
        assert rule.moves(start, None) == 1 << cell
        for other in board.group().elements:
            assert rule.moves(Position(board, 1 << other[0], 1 << other[1]), None) == 1 << other[cell]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no JSON"),
        ("[]", "has no 'moves'"),
        ('{"moves": {"X../.../...": ["a1"]}}', "plays a1 in"),
        ('{"moves": {"X../.../...": []}}', "plays nothing in X../.../...: give one or more blank cells"),
        ('{"board": "4x4", "moves": {}}', "is for 4x4, not for 3x3:3"),
        ('{"moves": {".../.../...": ["b2"]}}', "has no moves for"),
        ('{"moves": {"X../.../...": ["b2"], "..X/.../...": ["a1"]}}', "two entries"),
        ('{"moves": {"XX./.../...": ["c1"]}}', "cannot arise"),
    ],
)
def test_bad_policy_files(tmp_path, text, words):
    path = tmp_path / "policy.json"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        versus("3x3", x=str(path))
    with pytest.raises(InputError, match="cannot read the policy"):
        versus("3x3", x=str(tmp_path / "none.json"))


def test_bad_matches():
    with pytest.raises(InputError, match="only one side"):
        versus("3x3", x="best", o="best")
    with pytest.raises(InputError, match="unknown policy 'nope'"):
        versus("3x3", x="nope")
    with pytest.raises(BudgetError, match="1,270,723 position classes"):
        versus("4x4:4")


def naive_difference(board, s: str, points: dict[str, int], names: dict[str, str]) -> int:
    if board.over(s):
        return points[board.winner(s) or names[board.canonical(s)]]
    choose = max if board.mover(s) == "X" else min
    return choose(naive_difference(board, board.put(s, c), points, names) for c in board.blanks(s))


def test_payoffs_of_the_published_scheme():
    board, found = oracle(3, 3, 3), payoff("3x3")
    names = {board.canonical(str(p.position).replace("/", "")): p.name for p in patterns("3x3").patterns}
    points = {"X": 3, "O": -5, "Island": -1, "Arrow": -1, "Scorpion": 1}
    for cell, difference in found.openings:
        assert difference == naive_difference(board, board.put(board.empty, cell), points, names)
    assert found.difference == max(difference for _, difference in found.openings) == 1
    assert found.x_points is None
    assert found.points["O"] == (Fraction(), Fraction(5))


def test_expected_points():
    found, match = payoff("3x3", x="random", o="random"), versus("3x3")
    flat = payoff("3x3", "draw=0-0", x="random", o="random")
    assert flat.x_points == 3 * match.x_wins
    assert flat.o_points == 5 * match.o_wins
    assert found.x_points is not None
    assert found.o_points is not None
    assert found.x_points - found.o_points == found.difference
    # Random players end in each drawn board equally often, class by class.
    shares = [payoff("3x3", f"X=0-0,O=0-0,draw=0-0,{name}=1-0", x="random", o="random").x_points for name in
              ("Island", "Scorpion", "Arrow")]  # fmt: skip
    assert sum(share for share in shares if share is not None) == match.draws
    # Only wins count: the best response for points is that for value.
    assert payoff("3x3", "X=1-0,O=0-1,draw=0-0", o="random").difference == versus("3x3", x="best").value
    assert payoff("3x3", "X=1-0,O=0-1,draw=0-0", x="block").difference == versus("3x3", x="block", o="best").value


def test_points_are_read_and_refused():
    assert parse_points("X=3-0, pattern 12 = 1/2--1") == {
        "X": (Fraction(3), Fraction()),
        "pattern 12": (Fraction(1, 2), Fraction(-1)),
    }
    with pytest.raises(InputError, match="is no payoff"):
        parse_points("X=3")
    with pytest.raises(InputError, match="no game here ends in 'Crab'"):
        payoff("3x3", "Crab=1-0")
    assert payoff("2x3:3").difference == 0


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda position: dict.fromkeys(position.moves(), 1), "in .../.../... sum to 9: give chances that sum to 1"),
        (lambda position: [*position.moves(), position.moves()[0]], "give each cell once"),
        (lambda position: ["a1", 0], "plays a1, a1 in .../.../...: give each cell once"),
    ],
)
def test_a_function_says_each_cell_once_with_chances_that_sum_to_1(function: Any, said: str) -> None:
    with pytest.raises(noughts.InputError, match=re.escape(said)):
        noughts.versus("3x3", x=function)


def test_what_a_policy_file_holds_is_a_policy(tmp_path: Path) -> None:
    held = {"board": "3x3", "moves": {".../.../...": ["b2"]}, "otherwise": "block"}
    path = tmp_path / "held.json"
    path.write_text(json.dumps(held), encoding="utf-8")
    for o in ("random", "best"):
        given, read = noughts.versus("3x3", x=held, o=o), noughts.versus("3x3", x=str(path), o=o)
        assert (given.x_wins, given.draws) == (read.x_wins, read.draws)
    for wrong, said in (
        ({}, "the policy given as a dict has no 'moves'"),
        ({"moves": {"a1": ["a1"]}}, "the policy given as a dict plays a1 in a1, which is taken"),
        ({"board": "4x4", "moves": {}}, "the policy given as a dict is for 4x4, not for 3x3"),
    ):
        with pytest.raises(noughts.InputError, match=re.escape(said)):
            noughts.versus("3x3", x=wrong)


def test_a_strategy_is_a_policy() -> None:
    strategy = noughts.force("3x3", pattern="Arrow")
    for o in ("random", "block", "best"):
        assert noughts.versus("3x3", x=strategy, o=o) == noughts.versus("3x3", x=strategy.policy, o=o)
    assert noughts.versus("3x3", x=strategy, o="best").o_wins == 0
    with pytest.raises(noughts.InputError, match="the strategy is for 3x3:3, not for 3x3"):
        noughts.versus("3x3+torus", x=strategy)
