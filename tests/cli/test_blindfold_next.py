"""`noughts blindfold`: what it suggests is the game and the strategy that were asked for."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from fractions import Fraction

import click
import pytest

import noughts
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.session import opposing
from noughts.cli.blindfold.verb import play, solve
from noughts.reports.blindfold import answer
from noughts.reports.page import PIPE

pytestmark = pytest.mark.usefixtures("remembered")


ASKED = {
    "told": "nothing",
    "collision": "lose-turn",
    "opening_told": "",
    "blind": "O",
    "goal": "always-win",
    "safe": "",
    "first": "a2",
    "opening": "a2",
    "parts": "smallest_strategy",
}
"""A value for every option of the verb that is no way to write the answer."""
BESIDE = {"opening_told": "--blind O", "opening": "--blind O --opening-told", "safe": "--goal win-often"}
OTHERS = ("", "--goal win-often")


def _strategy_of(run, arguments):
    words = arguments if isinstance(arguments, list) else shlex.split(arguments)
    result = run(*words, "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)["strategy"]


@pytest.mark.parametrize("option", [option for option in solve.params if isinstance(option, click.Option)])
@pytest.mark.parametrize("board", ["2x3:2", "2x3+misere"])
def test_what_to_try_next_keeps_every_option_that_changes_the_strategy(run, option, board):
    if option.name in ("form", "output", "theme", "paper", "proof"):
        return
    value = ASKED[option.name]
    for other in OTHERS if option.name not in ("goal", "safe") else ("",):
        asked = f"blindfold {board} {BESIDE.get(option.name, '')} {option.opts[0]} {value} {other}"
        tried = run(*asked.split()).out.split("Try next:\n")[1].splitlines()
        shown = _strategy_of(run, asked)
        if shown is None:
            often = [command for command in tried if "--goal win-often" in command]
            assert all(f"{option.opts[0]} {value}".strip() in each or option.name == "goal" for each in often)
            continue
        kept, _, check = tried[0].partition(" && ")
        assert check == "noughts blindfold check strategy.json"
        assert _strategy_of(run, shlex.split(kept)[1:-4]) == shown
        for line in tried[1:]:
            assert line.startswith("  noughts blindfold play ")
            command = play.make_context("play", shlex.split(line)[3:])
            rules = [command.params[name] for name in ("blind", "opening_told", "collision", "told")]
            found = opposing(noughts.Board.parse(board), BlindRules(*rules), command.params["goal"])
            assert found.as_dict() == shown


def _said(board, parts=()):
    """What is said where both are blind and the bounds leave the value open, on small boards too."""
    found = noughts.solve_blindfold(board, BlindRules("both", told="last-move"), parts=parts)
    left_out = () if parts else ("value",)
    loose = replace(found, value=None, value_bounds=(Fraction(0), Fraction(1)), left_out=left_out)
    return " ".join(str(answer.forms(loose, PIPE)["table"]()).split())


def test_both_blind_suggest_what_is_not_yet_known():
    asked = "--blind both --told last-move --with value"
    assert asked in _said("1x4:2")
    assert "--blind both" not in _said("1x4:2", parts=["value"])
    known = noughts.solve_blindfold("1x4:2", BlindRules("both"))
    assert known.left_out == ()


def test_a_value_that_takes_minutes_is_said_to(monkeypatch):
    assert "minutes" not in _said("1x4:2")
    monkeypatch.setattr(answer, "_LONG", 4)
    assert "Ask --with value, which may take minutes." in _said("1x4:2")
