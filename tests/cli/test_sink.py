"""One sink for all verbs: the form, the file, the message, and what does not fit together."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import click
import pytest

from noughts.cli.main import command_for
from noughts.verbs.table import VERBS
from tests.cli.conftest import Result

pytestmark = pytest.mark.usefixtures("remembered")

BOT = Path(__file__).parent.parent.parent / "examples" / "bots" / "centre_first.py"
CALLS = {
    "count": ["count", "3x3", "--same", "choices"],
    "solve": ["solve", "3x3", "--by-ply"],
    "whatis": ["whatis", "765"],
    "explain": ["explain", "3x3", "a1"],
    "openings": ["openings", "2x3:2"],
    "tree": ["tree", "3x3", "--kind", "openings"],
    "patterns": ["patterns", "3x3"],
    "payoff": ["payoff", "3x3"],
    "breed": ["breed", "2x3:2", "--population", "8"],
    "match": ["match", "3x3", "--x", "random"],
    "evaluate": ["evaluate", "block", "--board", "2x3:2"],
    "menace": ["menace", "2x3", "--games", "20"],
    "crib": ["crib", "3x3"],
    "positions": ["positions", "3x3", "--ply", "2"],
    "same": ["same", "3x3", "a1", "c3"],
    "puzzle": ["puzzle", "3x3", "--number", "2"],
    "sheet": ["sheet", "3x3", "--number", "2", "--seed", "1"],
    "review": ["review", "3x3", "a1", "b1", "a2", "a3"],
    "draw": ["draw", "3x3", "a1"],
    "query": ["query", "3x3"],
    "blindfold": ["blindfold", "3x3"],
    "referee": ["referee", "3x3:2", sys.executable, str(BOT), "--as", "X"],
    "check": ["check", str(files("noughts.known").joinpath("proofs", "3x3-3.proof"))],
    "verify": ["verify", "--time", "10ms"],
}
"""A quick call of every verb that answers; `site` and `export` write files of their own, `draw` only
pictures, `serve` serves, and `engine` answers what it is asked."""
ENDINGS = {
    "table": "txt",
    "text": "txt",
    "bfile": "txt",
    "oeis": "txt",
    "markdown": "md",
    "latex": "tex",
}
MAGIC = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<svg", "dot": b"digraph"}


def forms(verb: str) -> list[str]:
    """Return the forms that a verb says it can write."""
    found = command_for(verb)
    assert isinstance(found, click.Command)
    return next(str(option.metavar).split("|") for option in found.params if option.name == "form")


def test_every_verb_that_answers_is_called_here():
    assert CALLS.keys() == VERBS.keys() - {"site", "export", "serve", "engine", "play"}


@pytest.mark.parametrize("verb", sorted(CALLS.keys() - {"verify"}))
def test_every_form_is_written_to_a_file_and_said_once(run, tmp_path, verb):
    for form in forms(verb):
        path = tmp_path / f"{form}.{ENDINGS.get(form, form)}"
        result = run(*CALLS[verb], "--format", form, "-o", str(path))
        assert (result.code, result.out, result.err) == (0, "", f"wrote {path}\n")
        assert path.read_bytes().startswith(MAGIC.get(form, b""))
        assert path.stat().st_size > 0
        if form == "json":
            json.loads(path.read_text())


@pytest.mark.parametrize("verb", sorted(CALLS.keys() - {"verify"}))
def test_a_file_says_what_the_terminal_says_and_replaces_what_was_there(run, tmp_path, verb):
    path = tmp_path / "answer"
    path.write_text("old")
    assert run(*CALLS[verb], "-o", str(path)).code == 0
    assert path.read_text() == run(*CALLS[verb]).out
    assert [each.name for each in tmp_path.iterdir()] == ["answer"]


@pytest.mark.parametrize("verb", sorted(CALLS))
@pytest.mark.parametrize("name", ["answer.bmp", "answer.tar.gz", "svg.old"])
def test_an_ending_that_nobody_writes_names_those_that_are(run, verb, name):
    message = run(*CALLS[verb], "-o", name).one_sentence()
    assert f"cannot tell the format from '{name}'" in message
    assert all(f".{ENDINGS.get(form, form)}" in message for form in forms(verb))
    assert "--format" in message


@pytest.mark.parametrize("verb", sorted(CALLS))
def test_an_ending_of_another_form_is_refused(run, verb):
    known = {ENDINGS.get(form, form) for form in forms(verb)}
    for ending in {"svg", "png", "pdf", "dot", "csv", "jsonl", "md", "tex"} - known:
        result = run(*CALLS[verb], "-o", f"answer.{ending}")
        assert result.code == 2
        assert f"answer.{ending}" in result.one_sentence()
        assert all(f".{each}" in result.err for each in known)
    form = "text" if verb == "draw" else "json"
    result = run(*CALLS[verb], "--format", form, "-o", "answer.svg")
    assert result.code == 2
    assert f"--format {form} contradicts the name 'answer.svg'" in result.one_sentence()


@pytest.mark.parametrize("verb", ["explain", "positions", "count", "blindfold"])
@pytest.mark.parametrize("form", ["png", "pdf"])
def test_bytes_do_not_go_to_a_terminal(run, monkeypatch, verb, form):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    result = run(*CALLS[verb], "--format", form)
    assert result.code == 2
    assert "-o FILE" in result.one_sentence()


@pytest.mark.parametrize("verb", ["explain", "positions"])
def test_bytes_go_through_a_pipe(verb):
    asked = [sys.executable, "-m", "noughts", *CALLS[verb], "--format", "png"]
    assert subprocess.run(asked, capture_output=True, check=True).stdout.startswith(MAGIC["png"])


def test_where_a_file_goes_is_known_before_the_work_starts(run):
    assert "the folder '/nowhere' does not exist" in run("solve", "9x9:5", "-o", "/nowhere/answer.txt").one_sentence()


def test_a_device_is_written_to():
    done = subprocess.run(
        [sys.executable, "-m", "noughts", "explain", "3x3", "--format", "png", "-o", "/dev/fd/1"],
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"\x89PNG")


# The verb draw, as a user calls it.


@pytest.mark.parametrize("option", ["--caption", "--title"])
def test_what_cannot_be_drawn_is_refused(run: Callable[..., Result], option: str) -> None:
    refused = run("draw", "3x3", option, "see 日本 and ♞")
    assert refused.code == 2
    assert f"the {option[2:]} has 日, 本, ♞, and pictures are written in Latin letters" in refused.one_sentence()
