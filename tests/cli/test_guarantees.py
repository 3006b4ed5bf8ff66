"""Strategies from the command line: sentences, files that versus plays, every form, and what does not fit together."""

from __future__ import annotations

import json
import re

import pytest


def test_the_command_writes_what_versus_plays(run, tmp_path):
    file = tmp_path / "arrow.json"
    said = run("patterns", "3x3", "--force", "Arrow", "--save", str(file))
    assert said.out.startswith("3x3:3: X can force an Arrow: whatever O plays, it is that, or X wins.")
    assert "X plays a1." in said.out
    match = json.loads(run("versus", "3x3", "--x", str(file), "--o", "best", "--format", "json").out)
    assert (match["o_wins"], match["draws"]) == ("0", "1")
    run("patterns", "3x3", "--from", "b2", "--force", "Arrow", "--by", "X", "--save", str(file))
    match = json.loads(run("versus", "3x3", "--from", "b2", "--o", str(file), "--format", "json").out)
    assert match["x_wins"] == "0"
    points = ["payoff", "3x3", "--from", "b2", "--points", "X=0-0,O=0-1,draw=0-1,Arrow=0-0", "--format", "json"]
    assert json.loads(run(*points, "--o", str(file)).out)["difference"] == "-1", "never an Arrow, never X"
    run("payoff", "3x3", "--from", "a1", "--strategy", "O", "--save", str(file))
    assert (
        json.loads(run("payoff", "3x3", "--from", "a1", "--o", str(file), "--format", "json").out)["difference"] == "-1"
    )


@pytest.mark.parametrize("verb", [["patterns", "3x3", "--force", "Arrow"], ["payoff", "3x3", "--strategy", "O"]])
def test_every_form(run, verb, tmp_path):
    record = json.loads(run(*verb, "--format", "json").out)
    assert record["policy"]["board"] == record["board"] == "3x3:3"
    assert run(*verb, "--format", "svg").out.startswith("<svg")
    assert run(*verb, "--format", "dot").out.startswith("digraph")
    assert "wins" in run(*verb, "--format", "text").out
    for ending_ in ("png", "pdf"):
        assert run(*verb, "-o", str(tmp_path / f"strategy.{ending_}")).code == 0


def test_every_suggested_command_runs(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for asked_ in (
        ["patterns", "3x3", "--from", "b2", "--force", "Arrow"],
        ["patterns", "2x4:3", "--force", "pattern 1"],
        ["payoff", "3x3", "--strategy", "X"],
        ["patterns", "3x3", "--from", "a1"],
        ["payoff", "3x3", "--from", "a1 b2", "--x", "random"],
    ):
        lines = run(*asked_).out.split("Try next:")[1].splitlines()
        for line in filter(None, map(str.strip, lines)):
            words = re.findall(r"'[^']*'|\S+", line)
            assert run(*[word.strip("'") for word in words[1:]]).code == 0, line


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["patterns", "3x3", "--by", "X"], "add --force NAME"),
        (["patterns", "3x3", "--save", "x.json"], "add --force NAME"),
        (["patterns", "3x3", "--force", "Arrow", "--save", "arrow.txt"], "end its name in .json"),
        (["patterns", "3x3", "--force", "Arrow", "--by", "Y"], "use one of X, O"),
        (["payoff", "3x3", "--save", "x.json"], "add --strategy X or --strategy O"),
        (["payoff", "3x3", "--strategy", "X", "--o", "random"], "leave out --x and --o"),
        (["versus", "3x3", "--x", "best", "--save", "best.txt"], "end its name in .json"),
    ],
)
def test_what_does_not_fit_together(run, arguments, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.code == 2
    assert part in result.one_sentence()
    assert not list(tmp_path.iterdir())
