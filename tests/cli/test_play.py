"""Play in the terminal, by scripted input: orders, opponents, ends of input, boards of all kinds, and the review."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import noughts
from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.review import review

BOT = Path(__file__).parent.parent.parent / "examples" / "bots" / "centre_first.py"


@pytest.fixture
def typed(run, monkeypatch):
    """Run `noughts play` with lines typed."""

    def play(*words, lines):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", *words)

    return play


def test_a_game_to_its_end_is_reviewed(typed):
    result = typed("3x3", "--o", "human", lines=["a1", "b1", "a2", "a3", "b2", "c1", "c2"])
    assert (result.code, result.err) == (0, "")
    assert "X has won with the line a2-b2-c2." in result.out
    for sentence in review("3x3", "a1 b1 a2 a3 b2 c1 c2").sentences:
        assert sentence in " ".join(result.out.split())
    assert "no.  who  move" in result.out


def test_orders_hint_why_undo_board_help_and_what_is_none(typed):
    lines = ["u", "w", "h", "zz", "", "a1", "a1", "b1", "why", "h", "undo", "b2", "B", "?", "q"]
    result = typed("3x3", "--o", "human", lines=lines)
    out = " ".join(result.out.split())
    assert (result.code, result.err) == (0, "")
    assert "You have no move to take back." in out
    assert "The game has no moves yet." in out
    assert "Type a cell, or ? for help." in out
    assert "has no cell 'zz'" in out
    assert "a1 is not blank: choose another cell." in out
    assert "O b1: loses (X wins in 3 moves). Move 2, O on b1, lost: only b2 would have held the draw." in out
    assert explain("3x3", "a1 b1").sentences[0] in out
    assert "X on a1; O on b2." in out
    assert "u or undo: take back your last move" in out
    assert "Game left after 2 moves." in out
    assert "Neither player has made a mistake so far." in out


@pytest.mark.parametrize(
    ("cell", "read"), [("b 2", True), ("2b", True), ("2 B", True), ("1 3", False), ("a1 b2", False)]
)
def test_a_cell_is_read_with_a_blank_in_it_or_its_row_first(typed, cell, read):
    out = typed("3x3", "--o", "human", lines=[cell, "q"]).out
    assert ("2 . X ." in out) == read
    assert (f"has no cell '{cell}'" in out) != read


def test_a_file_and_a_program_play(typed, tmp_path):
    table = noughts.crib("3x3", as_="O").as_dict()
    path = tmp_path / "o.json"
    path.write_text(json.dumps(table))
    assert typed("3x3", "--o", str(path), lines=["a1", "q"]).code == 0
    refused = typed("3x3", "--x", str(path), lines=[])
    assert refused.code == 2
    assert "cannot play X, as it has no moves for" in refused.err
    result = typed("3x3", "--o", f"program:{sys.executable} {BOT}", lines=["a1", "q"])
    assert "O plays b2." in result.out


@pytest.mark.parametrize("board", ["3x3+misere", "3x3+torus", "2x2x2", "1x1", "1x2", "3x3:4", "4x4"])
def test_boards_of_all_kinds_are_played_to_the_end(typed, board):
    opponent = "perfect" if board != "4x4" else "random"
    result = typed(board, "--x", "random", "--o", opponent, "--seed", "3", lines=[])
    assert (result.code, result.err) == (0, "")
    assert "has won" in result.out or "drawn" in result.out


def test_the_end_of_the_input_is_one_sentence(typed):
    result = typed("3x3", "--seed", "0", lines=["a1"])
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith("Game left after 2 moves.\n")


def test_control_c_ends_with_one_sentence():
    command = [sys.executable, "-m", "noughts", "play", "3x3", "--seed", "0"]
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ}
    )
    try:
        assert child.stdout is not None
        while b"you play X" not in child.stdout.readline():
            pass
        child.send_signal(signal.SIGINT)
        child.wait(timeout=60)  # its input stays open, as the end of the input would end the game too
        _, err = child.communicate()
        assert (child.returncode, err.decode().strip()) == (130, "noughts: interrupted")
    finally:
        child.kill()
