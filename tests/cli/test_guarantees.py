"""Strategies from the command line: sentences, files that versus plays, every form, and what does not fit together."""

from __future__ import annotations

import json
import re

import pytest

from noughts.domain.bits import cells_of
from noughts.domain.position import Position
from noughts.strategy.forcing import force
from noughts.strategy.guarantee import Guarantee
from noughts.strategy.patterns import patterns


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


@pytest.mark.parametrize("convention", ["", "+misere"])
def test_a_win_is_no_alternative_where_it_cannot_come(run, tmp_path, convention):
    def said(*arguments):
        return run("patterns", *arguments).out.split("\n\n")[0].replace("\n", " ")

    def forced(board):
        return said(f"{board}{convention}", "--force", "pattern 1", "--by", "O")

    file = tmp_path / "none.lines"
    file.write_text("cells 4\n")
    assert forced("2x2:3").endswith(": O can force pattern 1: whatever X plays, it is that.")
    assert forced("1x2:2").endswith(": O can force pattern 1: whatever X plays, it is that.")
    prevented = said(str(file), "--force", "pattern 1", "--by", "X")
    assert prevented.endswith("X cannot force pattern 1: O can make sure of another draw.")
    assert said("3x3", "--from", "b2", "--force", "Arrow").endswith("another draw, or of a win of O.")


@pytest.mark.parametrize(("spec", "start"), [("3x3", None), ("3x3", "b2"), ("3x3", "a1 b2 c3"), ("2x4:3", None)])
def test_the_endings_that_a_strategy_allows_are_those_of_its_games(spec, start):
    for name in patterns(spec).names:
        for player in ("X", "O"):
            found = force(spec, start, pattern=name, player=player)
            met = ends_of(found)
            assert met == set(found.allowed), (name, player)
            assert min(found.goal.worth[ending] for ending in met) == found.value


def ends_of(found: Guarantee) -> set[str]:
    """All endings of games in which the player follows the strategy, and plays anything where it is settled."""
    names = {(p.position.x, p.position.o): p.name for p in patterns(found.board).patterns}
    nodes = {(node.position.x, node.position.o): node for node in found.tree.nodes}

    def walk(position: Position, follow: bool) -> set[str]:
        x, o = found.board.group().canonical(position.x, position.o)
        if position.is_terminal:
            return {names[x, o] if position.outcome == "draw" else str(position.outcome)}
        moves = position.blanks
        if follow:
            node = nodes[x, o]
            follow, position, moves = node.end is None, node.position, node.position.blanks
            if follow and position.to_move == found.player:
                moves = found.tree.children[node.id][0].moves
        return {ending for cell in cells_of(moves) for ending in walk(position.play(cell), follow)}

    return walk(found.start, True)
