"""Drawn patterns: which there are, which can still come about, which can be forced, by going through all play."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from noughts.analysis.drawn import drawn_classes
from noughts.analysis.payoff.patterns import patterns
from noughts.analysis.payoff.playout import versus
from noughts.analysis.payoff.points import DEFAULT_POINTS, parse_points, payoff, points_text, scheme_of, unnamed_endings
from noughts.analysis.policies.policy import POLICIES
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError
from noughts.rules.marks import cells_of
from noughts.rules.position import parse_position
from tests.analysis.oracle import Oracle, oracle
from tests.dear import sample

# Schemes of points: read, written, filled up from the default, and refused in one sentence.

DEFAULT = {name: (Fraction(x), Fraction(o)) for name, (x, o) in DEFAULT_POINTS.items()}


def drawn(spec: str) -> Any:
    return drawn_classes(Board.parse(spec))


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ("X=1-2", {"X": (1, 2)}),
        ("X=3-0, Arrow = 1/2--1", {"X": (3, 0), "Arrow": (Fraction(1, 2), -1)}),
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
        ("X", "'X' is not a payoff: write an ending and two numbers, such as X=3-0"),
        ("X=3-0,", "'' is not a payoff: write an ending and two numbers, such as X=3-0"),
        ("X=3-0,O=1/0-2", "'O=1/0-2' is not a payoff: write an ending and two numbers, such as X=3-0"),
        ("X=3-1/0", "'X=3-1/0' is not a payoff: write an ending and two numbers, such as X=3-0"),
        ("bow=1-0", "no game here ends in 'bow': the endings are X, O, Island, Scorpion, Arrow"),
        ("Arow=1-0", "no game here ends in 'Arow': the endings are X, O, Island, Scorpion, Arrow; did you mean Arrow?"),
    ],
)
def test_points_that_are_none_are_refused(given: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        scheme_of(drawn("3x3"), given)
    assert str(caught.value) == said


# Payoffs by going through all play: under best play of both, against a policy, and of two policies.

SHAPES_PAYOFFS: dict[str, tuple[Any, ...]] = {
    "3x3": (3, 3, 3),
    "3x3+misere": (3, 3, 3, True),
    "2x4:3": (2, 4, 3),
    "1x5:2": (1, 5, 2),
}
ASKED = [
    ("3x3", "", None),
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
@pytest.mark.parametrize(("spec", "start", "points"), sample(ASKED, 3))
def test_what_a_scheme_comes_to(spec: str, start: str, points: str | None, x: str, o: str) -> None:
    """Who answers best makes the most of the difference, and among equals of the own points."""
    board = oracle(*SHAPES_PAYOFFS[spec])
    names = {board.canonical(str(p.position).replace("/", "")): p.name for p in patterns(spec, limit=1).patterns}
    found = payoff(spec, points, start=start or None, x=x or None, o=o or None)
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

    s = str(parse_position(spec, start)).replace("/", "") if start else board.empty
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


# Patterns, payoffs and policies, against the oracle and the published numbers.


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere"])
def test_a_sign_tells_every_board_of_a_pattern_from_the_boards_after_it(spec):
    board, found, signs = oracle(3, 3, 3), patterns(spec, limit=1), dict[str, Any]()
    signs["X in the centre"] = lambda s: s[4] == "X"
    signs["O in two corners"] = lambda s: [s[0], s[2], s[6], s[8]].count("O") == 2
    for at, sign in enumerate(found.signs[:-1]):
        for later, pattern in enumerate(found.patterns[at:]):
            for s in board.images(str(pattern.position).replace("/", "")):
                assert signs[sign](s) == (later == 0)


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


@pytest.mark.parametrize("x", sample(POLICIES, 3))
@pytest.mark.parametrize("o", sample(POLICIES, 2))
def test_every_pair_of_policies_agrees_with_the_oracle(x, o):
    match, wanted = versus("3x3", x=x, o=o), oracle(3, 3, 3).match(x, o)
    assert {"X": match.x_wins, "O": match.o_wins, "draw": match.draws} == wanted


def sides(player, own, other):
    return {"x": own, "o": other} if player == "X" else {"x": other, "o": own}


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
    board = oracle(1, 7, 3)
    match = versus("1x7:3", **sides(player, "best", "random"))
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
