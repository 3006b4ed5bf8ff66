"""Both players blind: best responses against brute force, and bounds that meet on small boards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from noughts.blindfold.both import Response, image_of_plan, phantom_bounds, play_out
from noughts.blindfold.game import Answer, Blind, BlindRules, Plan
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board
from noughts.rules.marks import Player
from tests.dear import dear

World = tuple[int | Fraction, Plan | None, set[int]]


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
def test_best_responses_against_brute_force(name):
    board = Board.parse(name)
    lines = [set(line) for line in board.lines]
    sides: tuple[tuple[Player, Player], ...] = (("X", "O"), ("O", "X"))
    for player, other in sides:
        mix = [(weight, often(board, other, first)) for weight, first in ((1, 0), (3, 1), (2, 2))]
        worlds: list[World] = [(weight, plan, set()) for weight, plan in mix]
        expected = brute(lines, board.cells, set(), set(), worlds, player == "X") / 6
        response = Response(board, player, mix)
        assert response.value() == expected
        plan = response.plan()
        pairs = [(weight, (plan, theirs) if player == "X" else (theirs, plan)) for weight, theirs in mix]
        played = sum(weight * play_out(board, *pair) for weight, pair in pairs)
        assert Fraction(played, 6) * (1 if player == "X" else -1) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    dear([("2x2", 1), ("2x3:3", 0), ("2x4:3", Fraction(1, 2)), ("2x3:2+misere", -1)], ("2x4:3", Fraction(1, 2))),
)
def test_bounds_meet_on_small_boards(name, value):
    board = Board.parse(name)
    bounds = phantom_bounds(board, [often(board, "X")], [often(board, "O")], rounds=10)
    assert bounds.lower == bounds.upper == value


def test_a_strategy_that_never_loses_turned_at_random_gets_a_half():
    board = Board.parse("3x3")
    strategy = solve_blindfold(board).strategy
    assert strategy is not None
    (plan,) = strategy.branches.values()
    images = [(1, image_of_plan(plan, g)) for g in board.group().elements]
    assert Response(board, "O", images).value() == Fraction(-1, 2)
