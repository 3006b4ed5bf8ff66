"""Schemes of points: read, written, filled up from the default, and refused in one sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import InputError, InvalidType
from noughts.strategy.forcing import force
from noughts.strategy.patterns import drawn_classes
from noughts.strategy.payoff import payoff
from noughts.strategy.schemes import DEFAULT_POINTS, parse_points, points_text, scheme_of, unnamed_endings

DEFAULT = {name: (Fraction(x), Fraction(o)) for name, (x, o) in DEFAULT_POINTS.items()}


def drawn(spec: str) -> Any:
    return drawn_classes(Board.parse(spec))


def test_the_published_scheme() -> None:
    assert points_text(scheme_of(drawn("3x3"), None)) == "X=3-0,O=0-5,Island=0-1,Scorpion=1-0,Arrow=0-1"
    assert points_text(scheme_of(drawn("2x2:3"), None)) == "X=3-0,O=0-5,pattern 1=0-0,pattern 2=0-0"
    assert points_text(scheme_of(drawn("2x2"), None)) == "X=3-0,O=0-5"


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ("X=1-2", {"X": (1, 2)}),
        ("x = 1/2 - 0 , ARROW: -1 - -3/4", {"X": (Fraction(1, 2), 0), "Arrow": (-1, Fraction(-3, 4))}),
        ("draw=2-2", dict.fromkeys(("Island", "Scorpion", "Arrow"), (2, 2))),
        ("draw=2-2,Island=7-0", {"Island": (7, 0), "Scorpion": (2, 2), "Arrow": (2, 2)}),
        ("Island=7-0,DRAW=2-2", {"Island": (7, 0), "Scorpion": (2, 2), "Arrow": (2, 2)}),
        ({"X": (Fraction(9, 2), 1), "island": (0, 0)}, {"X": (Fraction(9, 2), 1), "Island": (0, 0)}),
        ({}, {}),
    ],
)
def test_what_is_given_takes_the_place_of_the_default(given: Any, changed: dict[str, Any]) -> None:
    found = scheme_of(drawn("3x3"), given)
    assert dict(found) == {**DEFAULT, **changed}
    assert list(found) == list(DEFAULT), "in this order"
    assert parse_points(points_text(found)) == dict(found)
    named = {*changed} if given else set(DEFAULT)
    assert unnamed_endings(found, given) == tuple(name for name in DEFAULT if name not in named)
    assert payoff("3x3", given or None).unnamed == unnamed_endings(found, given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("X", "'X' is no payoff: write an ending and two numbers, as in X=3-0 or Island=0-1"),
        ("X=3-0,", "'' is no payoff: write an ending and two numbers, as in X=3-0 or Island=0-1"),
        ("X=3-0,O=1/0-2", "'O=1/0-2' is no payoff: write an ending and two numbers, as in X=3-0 or Island=0-1"),
        ("X=3-1/0", "'X=3-1/0' is no payoff: write an ending and two numbers, as in X=3-0 or Island=0-1"),
        ("bow=1-0", "no game here ends in 'bow': the endings are X, O, Island, Scorpion, Arrow"),
        ("Arow=1-0", "no game here ends in 'Arow': the endings are X, O, Island, Scorpion, Arrow; did you mean Arrow?"),
    ],
)
def test_points_that_are_none_are_refused(given: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        scheme_of(drawn("3x3"), given)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("given", "words"), [(5, "the points cannot be an int"), ({3: (1, 2)}, "an ending cannot be an int")]
)
def test_what_is_of_another_type_is_refused(given: Any, words: str) -> None:
    with pytest.raises(InvalidType, match=words):
        scheme_of(drawn("3x3"), given)
    with pytest.raises(InvalidType, match="the points of an ending cannot be a tuple"):
        scheme_of(drawn("3x3"), {"X": (1, 2, 3)})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("spec", "patterns", "named"),
    [
        ("2x3:3", 5, "pattern 1, pattern 2, pattern 3, pattern 4, pattern 5"),
        ("2x2x2:3", 6, "pattern 1, pattern 2, pattern 3, pattern 4, pattern 5, pattern 6"),
        ("1x6:3", 7, "pattern 1, pattern 2, pattern 3, ..., pattern 7"),
        ("2x4:3", 15, "pattern 1, pattern 2, pattern 3, ..., pattern 15"),
    ],
)
def test_up_to_six_patterns_are_named(spec: str, patterns: int, named: str) -> None:
    assert len(drawn(spec)) == patterns
    with pytest.raises(InputError) as caught:
        scheme_of(drawn(spec), "bow=1-0")
    assert str(caught.value) == f"no game here ends in 'bow': the endings are X, O, {named}"
    with pytest.raises(InputError) as caught:
        force(spec, pattern="bow")
    assert str(caught.value).startswith(
        f"{Board.parse(spec)} has no drawn pattern 'bow': choose {named}, or draw for all"
    )
