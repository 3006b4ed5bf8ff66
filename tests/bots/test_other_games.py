"""Bots where marks do not name the players: matches and assessments as the oracle has them, programs, words."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from functools import cache

import pytest

import noughts
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.verbs import referee
from tests import naive
from tests.analysis.test_other_play import UNOWNED
from tests.dear import dear
from tests.games import OTHERS

NAMES_A_MARK = re.compile(r"\b[XO] (wins|to move|always|never|random|perfect|best)\b|\b(as|of|against) [XO]\b")
SIGN = {"X": 1, "O": -1, "draw": 0}


def chances(rules: naive.Rules, chosen: dict[str, str]) -> dict[str, Fraction]:
    """The chance of each outcome where each side plays at random, or perfectly."""

    @cache
    def ends(position: str) -> tuple[tuple[str, Fraction], ...]:
        outcome = rules.outcome(position)
        if outcome:
            return ((outcome, Fraction(1)),)
        moves = rules.moves(position)
        if chosen[rules.mover(position)] == "perfect":
            worth = naive.ends(rules, position)[0]
            moves = [move for move in moves if naive.ends(rules, rules.play(position, move))[0] == worth]
        found = dict.fromkeys(SIGN, Fraction(0))
        for move in moves:
            for end, chance in ends(rules.play(position, move)):
                found[end] += chance / len(moves)
        return tuple(found.items())

    start = dict(ends("." * rules.cells))
    return {end: start.get(end, Fraction(0)) for end in SIGN}


@pytest.mark.parametrize("spec", UNOWNED)
@pytest.mark.parametrize(("x", "o"), [("random", "random"), ("perfect", "random"), ("random", "perfect")])
def test_a_match_has_the_chances_of_the_oracle(spec: str, x: str, o: str) -> None:
    found = noughts.match(spec, x=x, o=o)
    expected = chances(OTHERS[spec].rules, {"X": x, "O": o})
    assert (found.x_wins, found.o_wins, found.draws) == (expected["X"], expected["O"], expected["draw"])


@pytest.mark.parametrize("spec", UNOWNED)
def test_the_best_response_to_perfect_play_has_the_value_of_the_game(spec: str) -> None:
    value = naive.ends(OTHERS[spec].rules, "." * OTHERS[spec].rules.cells)[0]
    assert noughts.match(spec, x="perfect", o="best").value == value
    found = noughts.evaluate(spec, "perfect")
    assert found.nash_conv == 0
    assert not any(role.blunders for role in found.roles)
    assert [role.game_value for role in found.roles] == [value, -value]


@pytest.mark.parametrize("spec", dear(["1x5:3+order", "1x3:2+notakto*2"], "1x5:3+order"))
def test_a_program_is_judged_on_every_line(spec: str) -> None:
    """The engine plays perfectly: it loses in the role whose player cannot win, or in none."""
    found = noughts.referee(spec, [sys.executable, "-m", "noughts", "engine", spec])
    value = naive.ends(OTHERS[noughts.Board.parse(spec).spec].rules, "." * noughts.Board.parse(spec).cells)[0]
    assert not found.illegal
    for side in found.sides:
        assert side.blunders == ()
        assert bool(side.losses) == (SIGN[side.role] == -value), "it loses only where the other can win"
    text = as_text(referee.report(found), PIPE).partition("Try next")[0]  # where options are --as X and --x
    assert not NAMES_A_MARK.search(text), text


def test_blunders_are_moves_that_the_oracle_calls_worse() -> None:
    rules = OTHERS["2x2:2+wild"].rules
    found = noughts.evaluate("2x2+wild", "random")
    for role in found.roles:
        for each in role.blunders:
            position = "".join(each.position.mark_at(cell) or "." for cell in range(4))
            before, after = (naive.ends(rules, at)[0] for at in (position, rules.play(position, int(each.cell))))
            sign = SIGN[role.player]
            assert sign * after < sign * before, (position, each.cell)
    assert any(role.blunders for role in found.roles)
