"""How people type: boards of several words, moves without quotes, other signs, and words that are nearly right."""

from __future__ import annotations

import importlib

import click
import pytest

from noughts.cli.main import VERBS, command
from noughts.cli.verb import Verb
from noughts.domain.board import Board
from noughts.domain.cells import parse_cell
from noughts.domain.errors import InvalidBoard
from noughts.domain.notation import parse_position
from noughts.domain.spelling import nearby

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("3×3", "3x3:3"),
        ("3 x 3", "3x3:3"),
        ("3 × 4 : 3", "3x4:3"),
        ("３×４：３", "3x4:3"),
        ("3*4", "3x4:3"),
        ("3 by 4", "3x4:3"),
        ("2 x 3 x 4", "2x3x4:2"),
        ("3х4", "3x4:3"),  # the Cyrillic letter
        ("4x4:3 + misère", "4x4:3+misere"),
    ],
)
def test_a_board_is_read_as_people_write_it(text, spec):
    assert Board.parse(text).spec == spec


@pytest.mark.parametrize("text", ["3 3", "33", "3xx3", "3x3x", "x3x3", "3÷3", "3by", "3 x 3 3"])
def test_what_is_no_board_stays_none(text):
    with pytest.raises(InvalidBoard):
        Board.parse(text)


def test_positions_and_cells_are_read_as_people_write_them():
    assert str(parse_position("3x4", "ａ１ ｂ２")) == "X.../.O../...."
    assert str(parse_position("3x4", "a1\u3000b2\u00a0c3")) == "X.../.O../..X."
    assert str(parse_position("3x3", "×·○/···/···")) == "X.O/.../..."
    assert str(parse_position("3x3", "❌⭕⬜/⬜⬜⬜/⬜⬜⬜")) == "XO./.../..."
    assert (parse_cell("3x4", "ｂ２"), parse_cell("3x4", "１２")) == (5, 11)


SAME = [
    (["count", "3", "x", "4", "--same", "choices"], ["count", "3x4", "--same", "choices"]),
    (["count", "--same", "choices", "3x", "4:3"], ["count", "3x4:3", "--same", "choices"]),
    (["count", "3", "×", "4", ":2", "+misere", "--same", "choices"], ["count", "3x4:2+misere", "--same", "choices"]),
    (["positions", "--ply", "2", "3", "x", "3"], ["positions", "--ply", "2", "3x3"]),
    (["solve", "3x3", "a1", "b2"], ["solve", "3x3", "a1 b2"]),
    (["solve", "3", "x", "3", "1", "5"], ["solve", "3x3", "a1 b2"]),
    (["solve", "3x3", "X..", ".O.", "..."], ["solve", "3x3", "X../.O./..."]),
    (["solve", "3x3", "a1", "--line", "b2"], ["solve", "3x3", "a1 b2", "--line"]),
    (["explain", "3", "X", "3", "a1", "b2"], ["explain", "3x3", "a1 b2"]),
    (["count", "3x3", "--from", "a1", "b2", "--end", "full"], ["count", "3x3", "--from", "a1 b2", "--end", "full"]),
    (["openings", "3x3", "--from", "a1", "b2"], ["openings", "3x3", "--from", "a1 b2"]),
    (["tree", "--from", "a1", "b2", "3x3"], ["tree", "3x3", "--from", "a1 b2"]),
    (["tree", "--from=a1 b2", "3x3"], ["tree", "3x3", "--from", "a1 b2"]),
    (["versus", "3x3", "--from", "X..", ".O.", "...", "--x", "win"], ["versus", "--from", "a1 b2", "--x", "win"]),
    (["same", "3", "x", "3", "a1", "c3"], ["same", "3x3", "a1", "c3"]),
    (["blindfold", "3", "x", "3"], ["blindfold", "3x3"]),
    (["COUNT", "3x3", "--same", "CHOICES"], ["count", "3x3", "--same", "choices"]),
    (["positions", "3x3", "--won", "x", "--format", "JSON"], ["positions", "3x3", "--won", "X", "--format", "json"]),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "meant"), SAME, ids=lambda words: " ".join(words))
def test_words_without_quotes_are_read_as_with_them(run, typed, meant):
    found, wanted = run(*typed), run(*meant)
    assert (found.code, found.err) == (0, "")
    assert found.out == wanted.out


def verbs(group=command, path=()):
    for name in group.commands if isinstance(group, click.Group) and group is not command else VERBS:
        found = group.get_command(click.Context(group), name)
        yield (*path, name), found
        if isinstance(found, click.Group):
            yield from verbs(found, (*path, name))


def test_every_verb_reads_several_words():
    assert {path for path, found in verbs() if not isinstance(found, Verb | click.Group)} == set()
    assert len(list(verbs())) >= len(VERBS) + 3


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["cuont", "3x3"], "there is no verb 'cuont': noughts --help lists them; did you mean count?"),
        (["position", "3x3"], "did you mean positions?"),
        (["3x3"], "a verb comes before the board, as in noughts count 3x3"),
        (["xyzzy"], "there is no verb 'xyzzy': noughts --help lists them\n"),
        (["count", "3x3", "--same", "choice"], "one of labelled, symmetry, choices; did you mean choices?"),
        (["count", "3x3", "--moves", "prefect"], "did you mean perfect?"),
        (["count", "3x3", "--column", "x-win"], "did you mean x_wins or"),
        (["count", "3x3", "--engine", "subst"], "did you mean subset?"),
        (["count", "3x3", "--format", "jsn"], "--format 'jsn' is not known: use one of table, json"),
        (["puzzle", "--theme", "Fork"], "use one of light, dark, auto; fork goes with --about"),
        (["count", "3x3", "--same", "perfect"], "symmetry, choices; perfect goes with --moves"),
        (["count", "3x3", "--format", "jsn"], "did you mean json"),
        (["solve", "3x3", "--engine", "retro"], "did you mean retrograde?"),
        (["positions", "3x3", "--label", "X can force a in"], "did you mean X can force a win"),
        (["explain", "3x3", "--theme", "drak"], "use one of light, dark, auto; did you mean dark?"),
        (["tree", "3x3", "--kind", "opening"], "did you mean openings?"),
        (["versus", "3x3", "--x", "blok"], "did you mean block?"),
        (["payoff", "3x3", "--points", "Iland=0-1"], "did you mean Island?"),
        (["export", "3x3", "-o", "x.csv", "--table", "clases"], "did you mean classes?"),
        (["blindfold", "--goal", "never"], "did you mean never-lose?"),
        (["blindfold", "--with", "vlue"], "did you mean value?"),
        (["blindfold", "chekc", "x.json"], "did you mean check?"),
        (["blindfold", "play", "--as", "blnd"], "did you mean blind?"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_what_was_probably_meant_is_offered(run, typed, offered):
    result = run(*typed)
    assert result.code == 2
    assert offered in result.one_sentence()


@pytest.mark.parametrize(
    "call",
    [
        ("count", {"same": "choice"}, "did you mean choices?"),
        ("tree", {"kind": "opening"}, "did you mean openings?"),
        ("positions", {"label": "drow"}, "did you mean draw?"),
        ("solve_blindfold", {"goal": "always"}, "did you mean always-win?"),
    ],
    ids=lambda call: call[0],
)
def test_python_offers_it_too(call):
    name, given, offered = call
    with pytest.raises(ValueError, match="did you mean") as caught:
        getattr(importlib.import_module("noughts"), name)("3x3", **given)
    assert offered in str(caught.value)


def test_blindfold_has_one_help(run):
    whole = run("blindfold", "--help").out
    assert run("blindfold", "solve", "--help").out == whole
    assert whole.startswith("Usage: noughts blindfold [OPTIONS] [BOARD]\n")
    message = run("blindfold", "--nothing").one_sentence()
    assert message.endswith(": see noughts blindfold --help\n")


@pytest.mark.parametrize(
    ("given", "words", "told"),
    [
        ("lined", ["linea", "lineb", "linec"], 2),
        ("re", ["retrograde", "reachability", "reversibly"], 2),
        ("r", ["retrograde"], 0),
        (5, ["5"], 0),
    ],
)
def test_two_words_at_most_are_offered(given, words, told):
    offered = nearby(given, words)
    assert sum(word in offered for word in words) == told
    assert offered.startswith("; did you mean ") if told else not offered
