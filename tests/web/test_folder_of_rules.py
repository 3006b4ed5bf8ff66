"""The words on the pages of pruned play: nobody has won a board without a line, and best play is within the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import noughts
from noughts.domain.rules import EndRule, MoveRule
from noughts.exporting.site.classes import ended, short
from noughts.records.api import catalogue


@pytest.mark.parametrize(
    ("spec", "moves", "end"),
    [
        ("3x3", "block", "decided"),
        ("2x3:2+misere", "any", "decided"),
        ("2x3:2", "any", "decided"),
        ("2x2:3", "any", "decided"),
        ("2x3:2", "win", "line"),
        ("3x3+torus", "win", "line"),
    ],
)
def test_who_has_no_line_has_not_won(spec: str, moves: MoveRule, end: EndRule) -> None:
    for record in catalogue(spec, moves=moves, end=end):
        said, position = short(record, end), record.position
        lined = bool(position.completed_lines("X") or position.completed_lines("O"))
        assert ("has won" in said) == lined
        if record.is_terminal:
            assert said == ended(record)
            assert said.startswith("decided") == (not lined and position.blanks != 0)
        elif end == "decided" and record.outcome != "draw":
            assert "decided in" in said


def test_pages_of_pruned_play(tmp_path: Path) -> None:
    noughts.site("3x3", tmp_path / "site", moves="block", end="decided")
    pages = {str(p.relative_to(tmp_path / "site")): p.read_text() for p in (tmp_path / "site").rglob("*.html")}
    for name, page in pages.items():
        for board in re.findall(r"<li>.*?</li>", page):
            assert "has won" not in board or "decided" not in board, name
    index, endings = pages["index.html"], pages["endings.html"]
    assert "With best play within them the game is a draw" in index
    assert "With best play the game" not in index
    assert "decided for the player who wins" in index
    assert "Decided for X (" in endings
    assert "X has won (" not in endings
    page = pages["class/OOX-X__-___.html"]  # X makes a fork: nobody can complete a line in one ply
    assert "X wins (decided in 1 ply)" in page
    assert "X wins in 1 ply" not in page
    assert "Game over: decided for X (" in pages["ply/3.html"]
