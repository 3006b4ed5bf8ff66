"""Exact chances by arrays against the recursion in plain Python, and samples, which are estimates and say so."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import pytest

import noughts
from noughts.analysis.payoff.layerplay import has_layers, layer_chances
from noughts.analysis.payoff.playout import players_of, versus
from noughts.analysis.payoff.sampling import sampled_match
from noughts.machine.workers import silent
from noughts.rules.board import Board
from noughts.rules.position import Position
from tests.dear import dear


def after(board: Board, moves: str) -> Position:
    return noughts.play(board, moves).position if moves else Position(board)


PAIRS = [
    ("random", "random"),
    ("win", "fork"),
    ("concede", "block"),
    ("fork", "concede"),
    ("perfect", "easy"),
    ("hard", "quickest"),
    ("best", "block"),
    ("medium", "best"),
]


@pytest.mark.parametrize("board", ["3x3", "2x4:3", "2x3:2", "1x5:2", "2x2+torus"])
@pytest.mark.parametrize(("x", "o"), PAIRS)
def test_arrays_give_the_chances_of_the_recursion(board, x, o):
    on = Board.parse(board)
    for start in ("", "a1") if on.cells < 9 else ("", "b2 a1", "a1 c3 b2"):
        at, players = after(on, start), players_of(on, x, o)
        assert has_layers(on, list(players.values()))
        found, match = layer_chances(at, players, silent), versus(on, at, x=x, o=o)
        assert (found["X"], found["O"], found["draw"]) == (match.x_wins, match.o_wins, match.draws)


@pytest.mark.parametrize("spec", dear(["2x5:3", "4x4"], "4x4"))
def test_random_games_have_the_chances_that_the_number_of_games_gives(spec):
    """A game of p plies on n cells has the chance (n - p)! / n!; the games by ply come from another engine."""
    games, cells = noughts.count(spec, engine="layered"), Board.parse(spec).cells
    wins = {"X": Fraction(0), "O": Fraction(0)}
    for row in games.plies:
        for player, number in (("X", row.x_wins or 0), ("O", row.o_wins or 0)):
            wins[player] += Fraction(number * factorial(cells - row.ply), factorial(cells))
    match = noughts.match(spec, x="random", o="random")
    assert (match.x_wins, match.o_wins) == (wins["X"], wins["O"])
    assert match.x_wins + match.o_wins + match.draws == 1
    assert spec != "4x4" or match.x_wins == Fraction(23768, 75075)


def test_a_sample_is_an_estimate_near_the_chances():
    found = sampled_match("3x3", games=2000, seed="five")
    exact = noughts.match("3x3", x="random", o="random")
    chances = {"X": exact.x_wins, "O": exact.o_wins, "draw": exact.draws}
    for end, number in found.ended.items():
        assert abs(number / 2000 - chances[end]) < 2 * found.errors[end]
    assert sum(found.ended.values()) == 2000
    assert found == sampled_match("3x3", games=2000, seed="five") != sampled_match("3x3", games=2000, seed="six")
    assert found.as_dict()["is_exact"] is False


def test_a_sample_respects_misere_concessions_and_starts():
    assert sampled_match("2x2:2+misere", games=50).ended == {"X": 0, "O": 50, "draw": 0}
    assert sampled_match("1x3:2", "a1", games=50).ended["X"] > 0
    lost = sampled_match("3x3", "a1 b2 c3 a3 c1", o="concede", games=20)
    assert lost.ended == {"X": 20, "O": 0, "draw": 0}
