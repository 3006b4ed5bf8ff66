"""Payoffs by going through all play: under best play of both, against a policy, and of two policies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from noughts.domain.errors import BudgetError
from noughts.domain.extent import class_bound
from noughts.domain.notation import parse_position
from noughts.strategy.patterns import patterns
from noughts.strategy.payoff import payoff
from tests.strategy.oracle import oracle

SHAPES: dict[str, tuple[Any, ...]] = {
    "3x3": (3, 3, 3),
    "3x3+misere": (3, 3, 3, True),
    "2x4:3": (2, 4, 3),
    "1x5:2": (1, 5, 2),
}
ASKED = [
    ("3x3", "a1 b1", None),
    ("3x3", "b1 b2 a1", "X=1-0,O=0-1,Island=3-3,Scorpion=0-0,Arrow=5-5"),
    ("3x3", "a1 b2", "X=1-0,O=0-1,draw=2-2,Arrow=1/2-1/3"),
    ("3x3", "a1 b2 c3", "X=2-1,O=1-2,draw=7-7"),
    ("3x3+misere", "b2 a1", "X=1-0,O=3-4,draw=0-0,Island=2-2"),
    ("3x3+misere", "a1 b1 c2", None),
    ("2x4:3", "a1 b1", "X=4-0,O=0-4,draw=1-1,pattern 3=5-5,pattern 7=0-1"),
    ("2x4:3", "b1 c2 b2", "X=0-0,O=0-0,draw=1-1,pattern 1=2-2"),
    ("1x5:2", "c1", "X=2-2,O=3-3,draw=0-1"),
    ("1x5:2", "a1", "X=2-2,O=3-3,draw=1-0"),
]


@pytest.mark.parametrize(
    ("x", "o"), [("", ""), ("", "random"), ("random", ""), ("", "perfect"), ("perfect", ""), ("random", "perfect")]
)
@pytest.mark.parametrize(("spec", "start", "points"), ASKED)
def test_what_a_scheme_comes_to(spec: str, start: str, points: str | None, x: str, o: str) -> None:
    """Who answers best makes the most of the difference, and among equals of the own points."""
    board = oracle(*SHAPES[spec])
    names = {board.canonical(str(p.position).replace("/", "")): p.name for p in patterns(spec, limit=1).patterns}
    found = payoff(spec, points, start=start, x=x or None, o=o or None)
    scheme = found.points

    @cache
    def worth(s: str) -> tuple[Fraction, Fraction]:
        """The points of X and of O."""
        if board.over(s):
            return scheme[board.winner(s) or names[board.canonical(s)]]
        mover = board.mover(s)
        chosen = x if mover == "X" else o
        if chosen:
            below = [worth(board.put(s, cell)) for cell in board.moves_of(s, chosen)]
            return sum(a for a, _ in below) / Fraction(len(below)), sum(b for _, b in below) / Fraction(len(below))
        sides = [worth(board.put(s, cell)) for cell in board.blanks(s)]
        if mover == "X":
            return max(sides, key=lambda pair: (pair[0] - pair[1], pair[0]))
        return max(sides, key=lambda pair: (pair[1] - pair[0], pair[1]))

    s = str(parse_position(spec, start)).replace("/", "")
    mine, theirs = worth(s)
    assert found.difference == mine - theirs
    assert (found.x, found.o) == (x or "best", o or "best")
    assert (found.x_points, found.o_points) == ((mine, theirs) if x or o else (None, None))
    first: dict[str, int] = {}
    for cell in board.blanks(s):
        first.setdefault(board.canonical(board.put(s, cell)), cell)
    after = {cell: worth(board.put(s, cell)) for cell in first.values()}
    assert found.openings == tuple((cell, a - b) for cell, (a, b) in sorted(after.items()))
    record: Any = found.as_dict()
    assert record["difference"] == str(mine - theirs)
    assert [record["x_points"], record["o_points"]] == ([str(mine), str(theirs)] if x or o else [None, None])
    assert record["openings"] == [
        {"cell": board.name(cell), "difference": str(a - b)} for cell, (a, b) in sorted(after.items())
    ]
    assert record["points"] == {end: {"X": str(a), "O": str(b)} for end, (a, b) in scheme.items()}
    assert ("unnamed" in record) == bool(found.unnamed)


@pytest.mark.parametrize("x", [None, "random"])
def test_up_to_so_many_classes(x: str | None) -> None:
    many = class_bound(parse_position("3x3", "a1"))
    assert payoff("3x3", start="a1", x=x, limit=many).start.ply == 1
    with pytest.raises(BudgetError):
        payoff("3x3", start="a1", x=x, limit=many - 1)
