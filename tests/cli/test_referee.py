"""`noughts referee` and `noughts engine` as commands: words, exit codes, JSON, and what is wrong with a call."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.bots.programs import playing, program

BOT = [sys.executable, str(Path(__file__).parent.parent.parent / "examples" / "bots" / "centre_first.py")]


def test_a_bot_that_loses_fails_and_is_shown_where(run, tmp_path):
    result = run("referee", "3x3", "--as", "X", "--", *BOT)
    assert result.code == 1
    assert result.out.startswith("centre first on 3x3:3, as X: it failed: it loses 27 of 188 lines.\n")
    assert "moves of its own give value away" in result.out
    assert result.err == ""


@pytest.mark.parametrize("call", [["3x3:2", "--as", "X"], ["--as", "X", "3", "x", "3:2"]])
def test_a_bot_that_cannot_lose_passes(run, call):
    result = run("referee", *call, "--", *BOT)
    assert result.code == 0
    assert "as X: it never loses, in all 8 lines that its answers allow." in result.out
    assert "None of its moves gives value away." in result.out


def test_never_is_said_of_all_lines_only(run, tmp_path):
    sampled = run("referee", "3x3:2", "--as", "X", "--games", "20", "--", *BOT)
    assert sampled.code == 0
    assert "it never loses" not in sampled.out
    assert "it did not lose in the games played, which do not cover every line" in sampled.out
    assert "As X it played 20 games against random replies, not every line." in sampled.out
    varying = program(tmp_path, playing("random.choice(blanks)"))
    found = run("referee", "1x3:1", "--as", "X", "--", *program(tmp_path, playing("random.choice(['a1', 'b1', 'c1'])")))
    assert "it never loses" not in found.out
    assert "As X its answers vary: on the empty board it played" in found.out
    assert run("referee", "--as", "O", "--", *varying).code == 1
