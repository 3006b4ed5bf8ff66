"""Schemes compared, and the fairest against asking about every scheme by itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from noughts.analysis.payoff.fairness import compare_points, fairest_points, running_score
from noughts.analysis.payoff.patterns import patterns
from noughts.analysis.payoff.playout import versus
from noughts.analysis.payoff.points import payoff, points_text
from tests.analysis.oracle import oracle
from tests.analysis.test_fairness import added
from tests.dear import dear

PATTERNS = ("Island", "Scorpion", "Arrow")


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


@pytest.mark.parametrize(("spec", "start"), [("1x5:3", "a1"), ("2x3:3+misere", "b1"), ("1x4:3", None)])
def test_the_record_is_what_payoff_says(spec, start):
    """The best moves, the expectations of both sides, the sums: of schemes that are given, and of the fairest."""
    names = patterns(spec, start).names
    text = "X=4-1,O=1/2-3," + ",".join(f"{name}={n}-1" for n, name in enumerate(names))
    [compared] = compare_points(spec, start, schemes=[text], x="perfect").rows
    best, met = payoff(spec, text, start=start), payoff(spec, text, start=start, x="perfect", o="random")
    record: Any = best.as_dict()
    after = {each["cell"]: each["difference"] for each in record["openings"]}
    assert compared.as_dict() == {
        "points": text,
        "difference": str(best.difference),
        "best_moves": [cell for cell, value in after.items() if value == str(best.difference)],
        "expected": str(met.difference),
        "x_points": str(met.x_points),
        "o_points": str(met.o_points),
    }
    assert met.x_points is not None
    assert met.o_points is not None
    assert met.x_points - met.o_points == met.difference
    found = fairest_points(spec, start, most=2)
    worth = {
        points_text(each): sum(abs(x - o) for name, (x, o) in each.items() if name in ("X", "O", *names))
        for each in found.schemes
    }
    assert len(set(worth.values())) == 1
    for each in found.schemes:
        assert payoff(spec, each, start=start).difference == found.difference
        assert payoff(spec, each, start=start, x="random", o="random").difference == found.expected


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
