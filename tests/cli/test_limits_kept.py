"""Where a board is large, what is suggested has the `--limit` that it takes, and refusals name it."""

from __future__ import annotations

import re
import shlex

import pytest

from noughts.domain import extent
from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.reports.page import PIPE
from noughts.reports.play import place
from noughts.reports.play.patterns import forms
from noughts.strategy.patterns import DrawnPattern, Patterns

pytestmark = pytest.mark.usefixtures("remembered")

ASKED = (
    "patterns 3x3",
    "patterns 3x3 --force Island",
    "patterns 3x3 --from b2 --force Island --by O",
    "payoff 3x3",
    "payoff 3x3 --points X=5-0,draw=1-1",
    "payoff 3x3 --points draw=0-0 --strategy X",
    "payoff 3x3 --points X=1-0 --x random --o random",
    "payoff 3x3 --from b2",
    "payoff 3x3 --fairest 1 --from b2",
    "payoff 3x3 --points X=1-0 --points X=2-0",
    "payoff 3x3 --games 2 --x random --o random --points X=1-0",
    "versus 3x3 --x random --o best",
)


def suggested(out: str) -> list[str]:
    return re.findall(r"^  (noughts .*)$", out.partition("Try next:\n")[2], re.MULTILINE)


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_suggested_is_not_refused(run, asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    short = run(*shlex.split(asked))
    assert short.code == 0, short.err
    assert "--limit" not in short.out
    for module in (extent, place):
        monkeypatch.setattr(module, "LISTED_CLASSES", 10)
    refused = run(*shlex.split(asked))
    if refused.code:
        assert refused.code == 3
        found = re.search(r"wait longer with --limit (\d+)$", refused.one_sentence().strip())
        assert found, refused.err
        answered = run(*shlex.split(asked), "--limit", found[1])
    else:
        answered = refused
    assert answered.code == 0, answered.err
    for command in suggested(answered.out):
        result = run(*shlex.split(command)[1:])
        assert result.code == 0, (command, result.err)
        if "--from" in asked and "payoff" in command:
            assert "--from" in command


@pytest.mark.parametrize("more", ["", "--strategy X", "--x random --o random", "--games 2 --x random --o random"])
def test_what_is_suggested_is_for_the_same_points(run, more):
    for points in ("X=5-0", "X=5-0,draw=1-1"):
        for command in suggested(run("payoff", "3x3", "--points", points, *more.split()).out):
            if " payoff " in command:
                assert "--points X=5-0" in command
                assert ("draw=" in command) == ("draw=" in points)
    assert "--points" not in run("payoff", "3x3", *more.split()).out


def test_a_board_too_large_to_wait_for_suggests_no_points():
    start = Position(Board.parse("4x6:4"))
    found = Patterns(start, (DrawnPattern("pattern 1", start, 1),), None)
    out = str(forms(found, PIPE)["table"]())
    assert "What can be forced is left out" in out
    assert "noughts payoff" not in out
    assert "--limit" not in out


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("3x3", "reduced"),
        ("3x3+misere", "full --depth 2"),
        ("4x4", "full --depth 2"),
        ("4x4 --from 'a1 b2 c3 d4 a2 b3'", "reduced"),
        ("3x5:3", "full --depth 2"),
    ],
)
def test_openings_suggest_a_tree_that_can_be_had(run, asked, kind):
    command = suggested(run("openings", *shlex.split(asked)).out)[-1]
    assert f" --kind {kind}" in command
    result = run(*shlex.split(command)[1:])
    assert result.code == 0, result.err
