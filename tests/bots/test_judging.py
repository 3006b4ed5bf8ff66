"""All against all, and one by itself: as `versus` has it, as brute force has it, and in true words."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import noughts
from noughts.rules.errors import InputError
from noughts.verbs.evaluate import report as assessed
from tests import naive

BOARDS = {"3x3": naive.grid(3, 3, 3), "2x3:2": naive.grid(2, 3, 2), "3x2:2+misere": naive.grid(3, 2, 2, misere=True)}


def first(marks: str) -> dict[int, Fraction]:
    return {marks.index("."): Fraction(1)}


def last_two(marks: str) -> dict[int, Fraction]:
    """The last blank cell twice as often as the one before."""
    blanks = [cell for cell, mark in enumerate(marks) if mark == "."]
    return {blanks[-1]: Fraction(2, 3), blanks[-2]: Fraction(1, 3)} if blanks[1:] else {blanks[0]: Fraction(1)}


def anything(marks: str) -> dict[int, Fraction]:
    blanks = [cell for cell, mark in enumerate(marks) if mark == "."]
    return dict.fromkeys(blanks, Fraction(1, len(blanks)))


def outcomes(game: naive.Game, x, o, marks: str) -> dict[str, Fraction]:
    end = naive.line_outcome(game, marks)
    if end:
        return {end: Fraction(1)}
    found: dict[str, Fraction] = {}
    for cell, share in (x if naive.mover(marks) == "X" else o)(marks).items():
        for end, chance in outcomes(game, x, o, naive.play(marks, cell)).items():
            found[end] = found.get(end, Fraction(0)) + share * chance
    return found


def against_all(game: naive.Game, bot, player: str, marks: str, worth: dict[str, int]):
    """What the opponent who likes `worth` best can make of a bot."""
    end = naive.line_outcome(game, marks)
    if end:
        return Fraction(worth[end])
    if naive.mover(marks) == player:
        return sum(
            share * against_all(game, bot, player, naive.play(marks, c), worth) for c, share in bot(marks).items()
        )
    return max(against_all(game, bot, player, naive.play(marks, cell), worth) for cell in anything(marks))


def conducted(game: naive.Game, bot, player: str, other, marks: str, reached=Fraction(1)) -> tuple[Fraction, Fraction]:
    """Expected moves and blunders of a bot."""
    if naive.line_outcome(game, marks):
        return Fraction(0), Fraction(0)
    mine = naive.mover(marks) == player
    moves, blunders = (reached if mine else Fraction(0)), Fraction(0)
    sign = 1 if naive.mover(marks) == "X" else -1
    for cell, share in (bot if mine else other)(marks).items():
        then = naive.play(marks, cell)
        if mine and sign * naive.value(game, then) < sign * naive.value(game, marks):
            blunders += reached * share
        more = conducted(game, bot, player, other, then, reached * share)
        moves, blunders = moves + more[0], blunders + more[1]
    return moves, blunders


def as_policy(bot):
    """The same bot as a function of a position."""
    return lambda position: bot("".join(position.mark_at(cell) or "." for cell in range(position.board.cells)))


@pytest.mark.parametrize(("board", "bot"), [("2x3:2", last_two), ("3x2:2+misere", last_two), ("3x3", first)])
@pytest.mark.parametrize("player", ["X", "O"])
def test_an_assessment_is_what_brute_force_finds(board, bot, player):
    game, start = BOARDS[board], "." * BOARDS[board].cells
    if board == "3x3":
        start = "XO" + start[2:] if player == "X" else "X" + start[1:]  # all lines from the start take a minute
    at = noughts.rules.parse_position(board, start)
    found = noughts.evaluate(board, as_policy(bot), at, as_=player)[player]
    x, o = (bot, anything) if player == "X" else (anything, bot)
    ends = outcomes(game, x, o, start)
    rival, sign = ("O", 1) if player == "X" else ("X", -1)
    expected = tuple(ends.get(end, Fraction(0)) for end in (player, "draw", rival))
    assert (found.win, found.draw, found.loss) == expected
    assert found.value == expected[0] - expected[2]
    best = against_all(game, bot, player, start, {rival: 1, player: -1, "draw": 0})
    assert found.guaranteed == -best
    assert found.game_value == sign * naive.value(game, start)
    assert found.exploitability == sign * naive.value(game, start) + best
    assert found.greatest_loss == against_all(game, bot, player, start, {rival: 1, player: 0, "draw": 0})
    moves, blunders = conducted(game, bot, player, anything, start)
    assert (found.moves, found.blunders_a_game) == (moves, blunders)
    assert found.blunder_rate == blunders / moves


def test_who_never_loses_is_said_to_and_nobody_else():
    perfect, block = noughts.evaluate("3x3", "perfect"), noughts.evaluate("3x3", "block")
    assert perfect.never_loses
    assert not block.never_loses
    assert "never loses against any opponent" in assessed(perfect).headline
    assert "can be beaten as X" in assessed(block).headline
    assert perfect.nash_conv == 0
    assert block.nash_conv == block["X"].exploitability + block["O"].exploitability
    assert [len(each.blunders) for each in perfect.roles] == [0, 0]


# ---- arrays ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_chances_in_floating_point_sum_to_one_exactly(dtype):
    weights = np.random.default_rng(3).random(9).astype(dtype)
    weights /= weights.sum()
    chances = noughts.bots.array_policy("3x3", lambda seen: weights).probabilities(
        noughts.Position(noughts.Board.parse("3x3")), None
    )
    assert sum(chances.values()) == 1
    assert len(chances) == 9
    assert all(abs(float(chance) - weights[cell]) < 1e-3 for cell, chance in chances.items())


# ---- matches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["2x3:2", "3x2:2+misere"])
def test_a_pair_is_what_brute_force_finds(board):
    bots = {"first": as_policy(first), "last": as_policy(last_two)}
    pair = noughts.match(board, bots).pairs[1]
    ends = outcomes(BOARDS[board], last_two, first, "." * 6)
    assert (pair.x, pair.o) == ("last", "first")
    assert {"X": pair.x_wins, "O": pair.o_wins, "draw": pair.draws} == {"X": 0, "O": 0, "draw": 0} | ends


def test_an_agent_may_answer_with_its_action():
    """As `predict` of a trained agent does: to play the first of equal values is not to draw one of them."""

    def first_blank(seen):
        return np.argmax(seen == 0)

    agent = noughts.bots.array_policy("2x3:2", first_blank)
    table = noughts.bots.array_policy("2x3:2", lambda seen: [6, 5, 4, 3, 2, 1], greedy=True)
    for role in ("X", "O"):
        found, same = (noughts.evaluate("2x3:2", each)[role] for each in (agent, table))
        assert (found.value, found.guaranteed) == (same.value, same.guaranteed)
    drawn = noughts.bots.array_policy("2x3:2", lambda seen: [1] * 6, greedy=True)
    assert noughts.evaluate("2x3:2", drawn)["X"].value != noughts.evaluate("2x3:2", agent)["X"].value

    at = noughts.Position("2x3:2").play("a1")
    for greedy in (False, True):
        for action, words in ((0, "plays a1 in X../..., which is taken"), (6, "the action 6 .* from 0 to 5")):
            agent = noughts.bots.array_policy("2x3:2", partial(lambda answer, seen: answer, action), greedy=greedy)
            with pytest.raises(InputError, match=words):
                agent.move(at)
