"""How results show themselves: one short line each, with the numbers that it is about. Read one by one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from noughts import explain, force, openings, parse_position, patterns, payoff, punishments, puzzles, review, secure
from noughts.strategy.explain import unvalued
from noughts.strategy.fairness import compare_points, fairest_points
from noughts.strategy.running import running_score
from noughts.strategy.trees import tree
from noughts.strategy.versus import versus

SHOWN: list[tuple[Callable[[], object], str]] = [
    (lambda: explain("3x3"), "<Explanation of .../.../... on 3x3:3: either can force a draw>"),
    (lambda: explain("3x3", "a1 b1"), "<Explanation of XO./.../... on 3x3:3: X can force a win>"),
    (lambda: explain("3x3", "a1 b1").moves[1], "<MoveExplanation: a2, X can force a win>"),
    (lambda: unvalued(parse_position("3x3", "a1")), "<Explanation of X../.../... on 3x3:3: not found>"),
    (lambda: unvalued(parse_position("3x3", "a1")).moves[0], "<MoveExplanation: b1, not found>"),
    (lambda: review("3x3", "a1 b1 a2"), "<Review of 3 moves on 3x3:3>"),
    (lambda: openings("3x3"), "<OpeningTheory of .../.../... on 3x3:3: 3 first moves, 12 replies>"),
    (lambda: openings("3x3").openings[0], "<Opening a1: either can force a draw, 5 replies>"),
    (lambda: openings("3x3").openings[0].replies[1], "<Reply c1: X can force a win>"),
    (lambda: openings("3x3", "a1"), "<OpeningTheory of X../.../... on 3x3:3: 5 first moves, 29 replies>"),
    (lambda: tree("3x3"), "<GameTree of .../.../... on 3x3:3, reduced: 115 nodes, 147 edges>"),
    (
        lambda: tree("3x3", "a1 b2 c3 a3 c1 b1 b3", kind="full"),
        "<GameTree of XOX/.O./OXX on 3x3:3, full: 5 nodes, 4 edges>",
    ),
    (lambda: patterns("3x3"), "<Patterns of 3x3:3: 3 drawn patterns>"),
    (lambda: patterns("2x4:3"), "<Patterns of 2x4:3: 15 drawn patterns>"),
    (lambda: payoff("3x3"), "<Payoff on 3x3:3, X best, O best: difference 1>"),
    (lambda: payoff("3x3", x="random", o="block"), "<Payoff on 3x3:3, X random, O block: difference -39623/11340>"),
    (
        lambda: payoff("3x3", "X=1/7-0", x="random", o="trap:random"),
        "<Payoff on 3x3:3, X random, O trap:random: difference -12679/2835>",
    ),
    (lambda: versus("3x3"), "<Match on 3x3:3, X random, O random: value 187/630>"),
    (lambda: versus("3x3", x="block", o="trap:random"), "<Match on 3x3:3, X block, O trap:random: value -22/105>"),
    (lambda: versus("3x3", x="easy", o="hard"), "<Match on 3x3:3, X easy, O hard: value about -0.475871>"),
    (lambda: versus("3x3", "a1 b1", x="perfect"), "<Match on 3x3:3, X perfect, O random: value 1>"),
    (lambda: punishments("3x3"), "<Punishments from .../.../... on 3x3:3: 7 losing replies>"),
    (lambda: running_score("3x3", games=400), "<Running score on 3x3:3, random against random: 400 games>"),
    (lambda: compare_points("3x3"), "<Schemes on 3x3:3: 2 compared>"),
    (lambda: fairest_points("3x3", most=2), "<Fairest on 3x3:3: 1 of 44 schemes>"),
    (
        lambda: force("3x3", pattern="Arrow", player="X"),
        "<Guarantee from .../.../... on 3x3:3: X forces an Arrow, 69 boards>",
    ),
    (
        lambda: secure("3x3", player="O"),
        "<Guarantee from .../.../... on 3x3:3: O makes sure of a difference of -1, 137 boards>",
    ),
    (lambda: puzzles("3x3", 2), "<Puzzles: 2 on 3x3:3>"),
    (lambda: puzzles("3x3", 1, seed=4)[0], "<Puzzle on 3x3:3: XO./OOX/.X., X to win>"),
]


@pytest.mark.parametrize("n", range(len(SHOWN)))
def test_a_result_shows_itself_in_a_line(n: int) -> None:
    make, shown = SHOWN[n]
    assert repr(make()) == shown
