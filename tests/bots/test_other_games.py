"""Bots where marks do not name the players: matches and assessments as the oracle has them, programs, words."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import cast

import pytest

import noughts
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.cells import parse_move
from noughts.rules.errors import InputError
from noughts.verbs import breed, referee
from tests import naive
from tests.analysis.test_other_play import UNOWNED
from tests.cli.conftest import Result
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


def bred_ends(spec: str, player: str, bot: dict[str, str]) -> tuple[dict[str, Fraction], int | None]:
    """The chances of a bot against random play, and the plies of its shortest loss, by its table of moves alone."""
    board, rules, group = OTHERS[spec]
    found = {}
    for text, name in bot.items():
        at = text.replace("/", "").replace("|", "")
        after = rules.play(at, int(parse_move(board, name)))
        found[naive.position_class(at, group)] = naive.position_class(after, group)

    @cache
    def ends(at: str) -> tuple[tuple[tuple[str, Fraction], ...], int | None]:
        outcome = rules.outcome(at)
        if outcome:
            return ((outcome, Fraction(1)),), 0 if outcome == naive.other(player) else None
        after = [naive.position_class(rules.play(at, move), group) for move in rules.moves(at)]
        if rules.mover(at) == player and len(after) > 1:
            after = [found[at]]
        chances, losses = dict.fromkeys(SIGN, Fraction(0)), []
        for each, plies in map(ends, after):
            for end, chance in each:
                chances[end] += chance / len(after)
            losses += [] if plies is None else [plies + 1]
        return tuple(chances.items()), min(losses, default=None)

    chances, plies = ends("." * rules.cells)
    return dict(chances), plies


@pytest.mark.parametrize("spec", [*UNOWNED, "2x4:2+gravity", "3x3:3+gravity"])
def test_a_bred_bot_does_what_its_table_does_by_the_oracle(spec: str) -> None:
    bred = noughts.breed(spec, population=6, generations=2, seed=1, against=["random", "best"])
    record, rules = bred.as_dict(), OTHERS[spec].rules
    losses: dict[str, int] = {}
    bot = cast(dict[str, str], record["bot"])
    for player, odds in zip("XO", bred.chances["random"], strict=True):
        chances, plies = bred_ends(spec, player, bot)
        assert (odds.win, odds.draw) == (chances[player], chances["draw"])
        losses |= {} if plies is None else {player: plies}
    assert bred.never_loses == (not losses)
    if bred.loss is not None:
        assert len(bred.loss.moves) == losses[bred.loss.player] == min(losses.values())
        at = "." * rules.cells
        for move in bred.loss.moves:
            assert not rules.outcome(at)
            assert move in rules.moves(at)
            at = rules.play(at, move)
        assert rules.outcome(at) == naive.other(bred.loss.player)
    value = naive.ends(rules, "." * rules.cells)[0]
    assert bred.can_be_held == (value == 0)
    for data in (record, bred.bot.as_dict()):
        found = noughts.match(spec, x=data, o="random")
        assert (found.x_wins, found.draws) == (bred.chances["random"][0].win, bred.chances["random"][0].draw)


def test_a_bot_is_bred_that_never_loses() -> None:
    """The first player wins wild tic-tac-toe and Notakto on one board, so a bot that plays first can hold."""
    for spec in ("3x3+wild", "3x3+notakto"):
        bred = noughts.breed(spec, as_="X", seed=1, population=100)
        assert (bred.never_loses, bred.stopped) == (True, "never loses")
        assert noughts.match(spec, x=bred, o="best").o_wins == 0
        text = as_text(breed.report(bred), PIPE).partition("Try next")[0]
        assert text.startswith(f"{bred.board}, a bot bred as the first player on ")
        assert not NAMES_A_MARK.search(text), text


def test_words_about_bred_bots_name_the_players_of_the_game() -> None:
    bred = noughts.breed("1x5:3+order", population=6, generations=1, against=["best", "each-other"])
    text = as_text(breed.report(bred), PIPE).partition("Try next")[0]
    assert "bred as Order and Chaos on" in text
    assert not NAMES_A_MARK.search(text), text
    with pytest.raises(InputError, match="bots that play Chaos cannot meet each other"):
        noughts.breed("1x5:3+order", as_="O", against="each-other")


def test_a_saved_bot_plays_through_every_door(run: Callable[..., Result], tmp_path: Path) -> None:
    board, saved = "2x2+wild", str(tmp_path / "bot.json")
    assert run("breed", board, "--population", "6", "--save", saved).code == 0
    engine = [sys.executable, "-m", "noughts", "engine", board, "--strength", saved]
    for words, code, said in (
        (["match", board, "--x", saved, "--o", "best"], 0, "the second player always wins"),
        (["evaluate", saved, "--board", board], 0, "As the second player"),
        (["referee", board, "--as", "O", "--", *engine], 0, "as the second player"),
        (["play", board, "--x", saved, "--o", saved], 0, "has won"),
    ):
        found = run(*words)
        assert (found.code, said in " ".join(found.out.split())) == (code, True), found


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
