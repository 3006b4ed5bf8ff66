"""Opponents: their chances exactly as stated, by a brute force of its own, and their choices from a seed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from noughts.analysis.payoff.playout import versus
from noughts.analysis.policies.playing import (
    HUMAN,
    Knowledge,
    play_on,
    think,
)
from noughts.analysis.policies.policy import GRADES, choose
from noughts.analysis.policies.reading import policy
from noughts.analysis.solutions import searched_from, solution_for
from noughts.rules.board import Board
from noughts.rules.marks import mask_of
from noughts.rules.position import Position, parse_position
from noughts.rules.values import FrozenDict
from noughts.solving.problem import SearchBudget
from noughts.solving.values import Value
from tests import naive
from tests.dear import sample


class Brute(NamedTuple):
    """A game of the oracle, and how players err in it."""

    game: naive.Game

    def over(self, s: str) -> int | None:
        return {"X": 1, "O": -1, "draw": 0, None: None}[naive.line_outcome(self.game, s)]

    def value(self, s: str) -> int:
        return naive.value(self.game, s)

    def children(self, s: str) -> dict[int, str]:
        return {cell: naive.play(s, cell) for cell in naive.blanks(s)}

    def reachable(self) -> list[str]:
        return sorted(naive.reachable(self.game))

    def errs(self, s: str, error: Fraction) -> dict[int, Fraction]:
        children = self.children(s)
        bad = [c for c, t in children.items() if self.value(t) != self.value(s)]
        good = [c for c in children if c not in bad]
        if not bad:
            return {c: Fraction(1, len(good)) for c in good}
        return {c: error / len(bad) if c in bad else (1 - error) / len(good) for c in children}


BRUTES = {
    "3x3": Brute(naive.grid(3, 3, 3)),
    "3x3+misere": Brute(naive.grid(3, 3, 3, misere=True)),
    "3x3+torus": Brute(naive.grid(3, 3, 3, torus=True)),
    "2x3:2": Brute(naive.grid(2, 3, 2)),
    "2x2:3": Brute(naive.grid(2, 2, 3)),
    "1x1": Brute(naive.grid(1, 1, 1)),
}


@pytest.mark.parametrize("spec", sample(BRUTES, 2))
@pytest.mark.parametrize("name", sample(GRADES, 2))
def test_graded_opponents_err_exactly_as_stated(spec, name):
    brute, board, player = BRUTES[spec], Board.parse(spec), policy(Board.parse(spec), name)
    solution = solution_for(Position(board))
    mistakes = 0
    for s in brute.reachable():
        if brute.over(s) is not None:
            continue
        at = parse_position(board, s)
        shares, wanted = player.probabilities(at, solution), brute.errs(s, GRADES[name])
        assert shares == wanted
        assert sum(shares.values()) == 1
        wrong = sum(share for cell, share in shares.items() if brute.value(naive.play(s, cell)) != brute.value(s))
        assert wrong in (0, GRADES[name])
        mistakes += bool(wrong)
    assert bool(mistakes) == (spec not in ("2x2:3", "1x1")), "boards without lines leave no mistake to make"


def naive_match(brute: Brute, x: Fraction, o: Fraction) -> dict[int, Fraction]:
    """Play two erring players out over all sequences of strings."""

    @cache
    def ends(s: str) -> tuple[tuple[int, Fraction], ...]:
        over = brute.over(s)
        if over is not None:
            return ((over, Fraction(1)),)
        found: dict[int, Fraction] = {}
        for cell, share in brute.errs(s, x if naive.mover(s) == "X" else o).items():
            for end, chance in ends(naive.play(s, cell)):
                found[end] = found.get(end, Fraction(0)) + share * chance
        return tuple(found.items())

    return dict(ends("." * brute.game.cells))


@pytest.mark.parametrize(("x", "o"), [("easy", "hard"), ("medium", "medium")])
def test_matches_of_graded_opponents_are_exact(x, o):
    match, wanted = versus("3x3", x=x, o=o), naive_match(BRUTES["3x3"], GRADES[x], GRADES[o])
    assert (match.x_wins, match.draws, match.o_wins) == (wanted[1], wanted[0], wanted[-1])


def test_a_choice_is_that_of_its_seed_and_follows_the_chances():
    board = Board.parse("3x3")
    solution, at = solution_for(Position(board)), parse_position(board, "X../.../...")
    shares, _ = think(policy(board, "easy"), at, solution)
    chosen = Counter(choose(shares, at, str(seed)) for seed in range(4000))
    assert choose(shares, at, "7") == choose(shares, at, "7")
    assert set(chosen) == set(range(1, 9))
    assert abs(chosen[4] - 2000) < 200
    assert all(abs(chosen[cell] - 2000 / 7) < 100 for cell in chosen if cell != 4)


def valued(board):
    return lambda at: solution_for(Position(board))


def test_an_opponent_replies_where_a_person_sits_and_undo_takes_both_back():
    board = Board.parse("3x3")
    game = play_on(board, HUMAN, "perfect", (0,), "1", valued(board))
    assert game.moves == (0, 4)
    assert (game.reply, game.replied, game.undone) == (4, 1, ())
    opened = play_on(board, "perfect", HUMAN, (), "1", valued(board))
    assert len(opened.moves) == 1
    assert opened.undone is None
    people = play_on(board, HUMAN, HUMAN, (0, 4), "1", valued(board))
    assert (people.moves, people.undone, people.people) == ((0, 4), (0,), ("X", "O"))


def searched(at, nodes):
    return searched_from(at, SearchBudget(position=nodes, moves=nodes, whole=2 * nodes))


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere"])
@pytest.mark.parametrize("name", sample(["perfect", "trap:random", "easy"], 2))
@pytest.mark.parametrize("nodes", sample([40, None, 5000, 1], 2))
def test_by_sight_nobody_who_keeps_the_value_plays_a_move_known_to_lose_and_all_take_wins_and_block(spec, name, nodes):
    brute, board, player = BRUTES[spec], Board.parse(spec), policy(Board.parse(spec), name)
    for s in brute.reachable()[:: 301 if nodes else 23]:
        if brute.over(s) is not None:
            continue
        at, sign = parse_position(board, s), 1 if naive.mover(s) == "X" else -1
        shares, known = think(player, at, None if nodes is None else searched(at, nodes))
        assert known is not None
        assert sum(shares.values()) == 1
        assert min(shares.values()) > 0
        ranks = {"loss": -1, "draw": 0, "win": 1}
        truth = {cell: sign * brute.value(t) for cell, t in brute.children(s).items()}
        assert all(ranks[value] == truth[cell] for cell, value in known.moves.items() if value)
        assert known.value is None or ranks[known.value] == sign * brute.value(s)
        lost = [cell for cell, value in known.moves.items() if value == "loss"]
        errs = GRADES.get(name, Fraction(0))
        if len(lost) < len(truth):
            assert sum(shares.get(cell, 0) for cell in lost) <= errs
        ends = {cell for cell, t in brute.children(s).items() if brute.over(t) == sign}
        blocks = {cell for cell in truth if brute.over(f"{s[:cell]}{'O' if sign > 0 else 'X'}{s[cell + 1 :]}") == -sign}
        if ends and not board.misere:
            assert sum(shares.get(cell, 0) for cell in ends) >= 1 - errs
        elif blocks and not board.misere and known.good & mask_of(blocks):
            assert sum(shares.get(cell, 0) for cell in blocks) >= 1 - errs


# What is known where not all is valued: every case of three moves, by the definitions, and who plays what then.

VALUES: tuple[Value | None, ...] = ("win", "draw", "loss", None)
AT = parse_position(Board.parse("1x5:3"), "XO...")


@pytest.mark.parametrize("value", VALUES)
def test_the_good_moves_and_the_worse_ones(value: Value | None) -> None:
    for three in product(VALUES, repeat=3):
        if value is not None and "win" in three and value != "win":
            continue
        moves = dict(enumerate(three, 2))
        seen = Knowledge(AT, value, FrozenDict(moves), None)
        kept = [cell for cell in moves if value is not None and moves[cell] == value]
        hope = [cell for cell in moves if moves[cell] is None or (value is None and moves[cell] == "draw")]
        good = kept or hope
        assert seen.keeping == mask_of(kept)
        assert seen.good == mask_of(good)
        assert seen.worse == mask_of(cell for cell in moves if moves[cell] is not None and cell not in good)
