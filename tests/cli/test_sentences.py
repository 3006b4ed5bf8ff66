"""Every verb on boards of every kind: sentences that read well, suggestions that work and are not what was asked."""

from __future__ import annotations

import re
import shlex

import pytest

import noughts

pytestmark = pytest.mark.usefixtures("remembered")

BOARDS = ("3x3", "3x3+misere", "3x3+torus", "2x2", "1x3", "1x1", "3x3:4", "2x2:1", "2x4:3")
VERBS = (
    "explain {}",
    "openings {}",
    "solve {}",
    "solve {} --line",
    "solve {} --by-ply",
    "versus {}",
    "versus {} --x best --o random",
    "versus {} --x random --o best",
    "positions {} --limit 3",
    "positions {} --won X --limit 3",
    "tree {} --kind full --depth 2",
    "patterns {}",
    "payoff {}",
    "payoff {} --x random --o random",
    "count {} --same choices",
    "blindfold {}",
)
PLACES = (
    "explain 3x3 'a1 b1'",
    "explain 3x3 'a1 b1 a2 b2 a3'",
    "explain 3x3+misere a1",
    "explain 3x3 XX./OO./X..",
    "explain 3x3+torus a1",
    "openings 3x3 --from a1",
    "openings 3x3 --from X.O/.../...",
    "solve 3x3 'a1 b1'",
    "solve 3x3 'a1 b1 a2 b2 a3'",
    "solve 3x3+misere XXX/OO./...",
    "tree 3x3",
    "tree 2x2",
    "tree 1x3",
    "tree 3x3:4",
    "tree 3x3 --from 'a1 b1'",
    "tree 3x3+torus --from a1",
    "same 3x3 a1 c3",
    "same 3x3 a1 b1",
    "count 3x3 --explain",
    "count 3x3 --same choices --explain",
    "count 3x3 --same symmetry --explain",
    "count 3x3 --moves win --explain --from b2",
    "positions 3x3 --terminal --limit 1",
)
ASKED = [verb.format(board) for verb in VERBS for board in BOARDS] + list(PLACES)
AWKWARD = {
    "a number of one with a plural": r"\b(?<![,./-])1 (nodes|moves|places|boards|replies|edges|games|plies|points)\b",
    "one thing that `are`": r"\bkeep this are\b|moves are [a-z]\d[,.]? ?$|moves are [a-z]\d\.",
    "a probability that is no chance": r"probability [01](?![/\d])|, O with [01](?![/\d])|and [01] are draws",
    "the empty board spelt out": r"from \.+(/\.+)*(?=[\s:])",
    "an old heading": r"(?<!Try )\b[Nn]ext:",
    "none of them said as a number": r"\b0 of them\b",
    "a length in plies": r"wins.* in \d+ pl(y|ies)|plies left|\d more\)",
    "a first one that `are`": r"[Ff]irst 1 (of|are)",
    "two dots": r"(?<![./XO|])\.\.(?![./XO|])",
}


def normal(command: str) -> str:
    """A command with its board written in full, so that equal ones are the same text."""
    words = shlex.split(command)
    words = words[1:] if words[0] == "noughts" else words
    place = 2 if words[1] in ("play", "check", "solve") else 1
    words[place] = str(noughts.Board.parse(words[place]))
    return " ".join(words)


@pytest.mark.parametrize("asked", ASKED)
def test_sentences_read_well_and_suggestions_are_new(run, asked):
    answer = run(*shlex.split(asked))
    assert answer.code == 0, answer.err
    for what, pattern in AWKWARD.items():
        found = re.search(pattern, answer.out, re.MULTILINE)
        assert not found, f"{what}: {found[0]!r}" if found else ""
    assert not ("X won " in answer.out and "X wins " in answer.out and "count" in asked)
    for command in suggestions(answer.out):
        assert normal(command) != normal(asked)


def suggestions(out: str) -> list[str]:
    """The commands under `Try next:`, each up to a `&&`."""
    found = re.findall(r"^  (noughts .*)$", out.partition("Try next:\n")[2], re.MULTILINE)
    return [command.partition(" && ")[0] for command in found]


@pytest.mark.parametrize("asked", [*PLACES, *(verb.format("3x3+misere") for verb in VERBS)])
def test_suggestions_work(run, asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in suggestions(run(*shlex.split(asked)).out):
        if " play " not in command:
            assert run(*shlex.split(command)[1:]).code == 0, command
