"""Schemes compared, and the fairest against asking about every scheme by itself."""

from __future__ import annotations

import json
import re
import tracemalloc
from fractions import Fraction
from itertools import product
from typing import Any

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


def test_schemes_are_reckoned_before_any_is_made():
    """Of 40,000 points one list alone would take some 6 MB; so no number is too large to be refused."""
    fairest_points("3x3", most=1)
    tracemalloc.start()
    try:
        with pytest.raises(BudgetError, match=re.escape("8.2e+23 schemes are more than")):
            fairest_points("3x3", most=40_000)
        assert tracemalloc.get_traced_memory()[1] < 3 << 20
    finally:
        tracemalloc.stop()
    with pytest.raises(BudgetError, match="schemes are more than"):
        fairest_points("3x3", most=10**30)
    with pytest.raises(BudgetError, match=re.escape("about 10^25000 schemes are more than")):
        fairest_points("3x3", most=10**5000)


def test_up_to_eight_endings_that_can_come_about_are_searched(monkeypatch):
    """Seven patterns of 1x6:3 and two winners are too many; after a1 one of the patterns cannot come about."""
    assert len(patterns("1x6:3").possible) + 2 == 9
    with pytest.raises(BudgetError, match="1x6:3 has 9 endings, and schemes are searched for up to 8"):
        fairest_points("1x6:3", most=1)
    assert len(patterns("1x6:3", "a1").possible) + 2 == 8
    found = fairest_points("1x6:3", "a1", most=1)
    [scheme] = found.schemes
    assert found.considered == 1, "a win gives one point, so a draw gives none"
    assert (found.difference, found.expected) == (
        Fraction(0),
        payoff("1x6:3", scheme, start="a1", x="random", o="random").difference,
    )
    assert [str(x - o) for x, o in scheme.values()] == ["1", "-1", *["0"] * 7]


@pytest.mark.parametrize(("points", "many"), [(None, 2 * 2 * 5**3), ("ARROW=1-0", 2 * 2 * 5**2), ("draw=0-0,x=2-0", 2)])
def test_so_many_schemes_are_gone_through_and_no_more(monkeypatch, points, many):
    monkeypatch.setattr("noughts.strategy.fairness._SCHEMES", many)
    assert 0 < fairest_points("3x3", most=2, points=points).considered <= many
    monkeypatch.setattr("noughts.strategy.fairness._SCHEMES", many - 1)
    with pytest.raises(BudgetError, match=f"{many} schemes are more than the {many - 1} that are gone through"):
        fairest_points("3x3", most=2, points=points)


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


@pytest.mark.parametrize(
    ("asked", "said", "scheme"),
    [
        ("2x2:2 --fairest 1", "2x2:2: there is 1 scheme with up to 1 point: with best play", "X=1-0"),
        ("2x2:2 --fairest 2", "2x2:2: of 2 schemes with up to 2 points 1 is fairest: with best play", "X=1-0"),
        ("3x3 --fairest 1", "3x3:3: there is 1 scheme with up to 1 point: ", "X=1-0,O=0-1,Island=0-0,"),
    ],
)
def test_the_fairest_names_no_ending_that_cannot_come_about(run, asked, said, scheme):
    out = " ".join(run("payoff", *asked.split()).out.split())
    assert said in out
    assert f"- {scheme}" in out
    assert ("O=" in out) == ("3x3" in asked)
