"""Schemes compared, and the fairest against asking about every scheme by itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from noughts.analysis.payoff.fairness import fairest_points, running_score
from noughts.analysis.payoff.patterns import patterns
from noughts.analysis.payoff.playout import versus
from noughts.analysis.payoff.points import payoff, points_text
from tests.analysis.oracle import oracle
from tests.analysis.test_fairness import added
from tests.dear import dear

PATTERNS = ("Island", "Scorpion", "Arrow")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "start", "x"),
    dear(
        [("3x3", None, "random"), ("3x3", "b1", "block"), ("3x3+misere", None, "random")],
        *(("3x3", None, "random"), ("3x3+misere", None, "random")),
    ),
)
def test_the_fairest_of_all_schemes_asked_one_by_one(spec, start, x):
    def pair(d: int) -> str:
        return f"{max(d, 0)}-{max(-d, 0)}"

    possible = patterns(spec, start).possible

    def free(name: str) -> tuple[int, ...]:
        return (-2, -1, 0, 1, 2) if name in possible else (0,)

    given = ",".join(f"{name}=0-0" for name in PATTERNS if name not in possible) or None
    found = fairest_points(spec, start, most=2, x=x, points=given)
    keys = {}
    for a, b, *rest in product((1, 2), (-1, -2), *[free(name) for name in PATTERNS]):
        if all(b < d < a for d in rest):
            text = f"X={pair(a)},O={pair(b)}," + ",".join(f"{n}={pair(d)}" for n, d in zip(PATTERNS, rest, strict=True))
            best = payoff(spec, text, start=start).difference
            expected = payoff(spec, text, start=start, x=x, o="random").difference
            keys[text] = (abs(best), abs(expected), sum(map(abs, (a, b, *rest))))
    least = min(keys.values())
    assert found.considered == len(keys)
    assert {points_text(scheme) for scheme in found.schemes} == {text for text, key in keys.items() if key == least}
    assert (abs(found.difference), abs(found.expected)) == least[:2]


# Running scores: the exact distribution by adding game after game, in both orders of play.


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("games", [1, 2, 3, 7])
def test_the_distribution_game_by_game(games, swap):
    board = oracle(2, 4, 3)
    one, other = board.match("block", "random"), board.match("random", "block")
    first = {Fraction(1): one["X"], Fraction(0): one["draw"], Fraction(-1): one["O"]}
    second = {Fraction(1): other["O"], Fraction(0): other["draw"], Fraction(-1): other["X"]}
    rounds = [first, second] if swap else [first]
    found = running_score("2x4:3", games=games, x="block", swap=swap)
    assert dict(found.distribution) == added(rounds, games)
    assert sum(found.distribution.values()) == found.ahead + found.level + found.behind == 1
    for n, ahead, level, behind in found.course:
        scores = added(rounds, n)
        assert ahead == sum(chance for score, chance in scores.items() if score > 0)
        assert (level, behind) == (scores.get(Fraction(0), 0), 1 - ahead - level)


def test_expectations_and_variances_add_up():
    one, many = (running_score("3x3", games=n, points=None) for n in (1, 40))
    assert one.expected == payoff("3x3", x="random", o="random").difference
    assert (many.expected, many.variance) == (40 * one.expected, 40 * one.variance)
    swapped = running_score("3x3", games=40, points="X=1/2-0,O=0-1/3", swap=True)
    assert swapped.expected == 0, "two equal players who take turns"
    assert swapped.ahead == swapped.behind
    best = running_score("3x3", games=2, x="best")
    assert best.expected == 2 * versus("3x3", x="best").value
