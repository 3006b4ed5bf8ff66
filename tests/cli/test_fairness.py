"""Schemes compared, and the fairest against asking about every scheme by itself."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import pytest

from noughts.domain.errors import BudgetError, InputError
from noughts.strategy.fairness import compare_points, fairest_points
from noughts.strategy.patterns import patterns
from noughts.strategy.payoff import payoff
from noughts.strategy.schemes import points_text
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


def test_what_the_fairest_come_to_is_what_payoff_says():
    found = fairest_points("3x3", most=5)
    assert found.considered == 4625
    assert (found.difference, found.expected) == (Fraction(0), Fraction(-1, 315))
    for scheme in found.schemes:
        assert payoff("3x3", scheme).difference == found.difference
        assert payoff("3x3", scheme, x="random", o="random").difference == found.expected
    kept = fairest_points("3x3", most=3, points="draw=0-0,X=3-1")
    for scheme in kept.schemes:
        assert [str(x - o) for x, o in (scheme["X"], scheme["Arrow"])] == ["2", "0"]


def test_schemes_side_by_side():
    texts = ["X=3-0", "X=1-0,O=0-1,draw=0-0", "Arrow=2-0"]
    found = compare_points("3x3", "b2", schemes=texts, x="block")
    for text, row in zip(texts, found.rows, strict=True):
        assert row.best == payoff("3x3", text, start="b2")
        assert row.met == payoff("3x3", text, start="b2", x="block", o="random")


def test_by_the_command(run):
    out = run("payoff", "3x3", "--points", "X=3-0", "--points", "X=1-0,O=0-2,draw=0-0").out
    assert "2 schemes of points" in out
    assert "X=1-0,O=0-2,Island=0-0,Scorpion=0-0,Arrow=0-0          0  a1 b1 b2                11/1260" in out
    record = json.loads(run("payoff", "3x3", "--fairest", "2", "--format", "json").out)
    assert record["schemes"] == ["X=1-0,O=0-2,Island=0-0,Scorpion=0-0,Arrow=0-0"]
    assert "Fairest: the difference under best play nearest 0" in run("payoff", "3x3", "--fairest", "1").out
    for more, words in (
        (["--strategy", "X"], "leave out --strategy"),
        (["--format", "svg"], "use one of table, json"),
        (["--points", "X=1-0", "--points", "X=2-0"], "give --points once"),
    ):
        assert words in run("payoff", "3x3", "--fairest", "2", *more).one_sentence()


def test_what_is_too_much_or_makes_no_sense():
    with pytest.raises(BudgetError, match="are more than the 400,000"):
        fairest_points("3x3", most=50)
    with pytest.raises(InputError, match="in which a win counts more"):
        fairest_points("3x3", most=1, points="Arrow=9-0")
    with pytest.raises(BudgetError, match="position classes"):
        fairest_points("4x4:4")
