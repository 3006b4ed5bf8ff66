"""A board from a file of lines, wherever a BOARD is asked; what is wrong with it is said with its row."""

from __future__ import annotations

import json

import pytest

import noughts
from noughts.domain.linefile import board_of_lines

FANO = "# The Fano plane\n1 2 3\n1,4,5\n1 6 7\n2 4 6\n2 5 7\n3 4 7\n3 5 6\n"
LINES = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]


def test_a_file_is_the_board_of_its_lines() -> None:
    board = board_of_lines(FANO, "fano.lines")
    assert (board.cells, board.lines, board.spec) == (7, tuple(LINES), "fano.lines")
    more = board_of_lines("cells 4\nmisere\nsymmetry 2 1 3 4\n1 2", "two.lines")
    assert (more.cells, more.misere, more.group().order) == (4, True, 2)


@pytest.mark.parametrize(
    "words",
    [["count"], ["count", "--same", "labelled"], ["solve"], ["explain"], ["openings"], ["tree", "--kind", "full"],
     ["versus"], ["positions", "--ply", "1"], ["patterns"]],
    ids=" ".join,
)  # fmt: skip
def test_every_verb_takes_it(run, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fano.lines").write_text(FANO)
    result = run(words[0], "fano.lines", *words[1:])
    assert (result.code, result.err) == (0, "")
    assert "fano.lines" in result.out


def test_it_counts_what_python_counts(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fano.lines").write_text(FANO)
    told = json.loads(run("count", "fano.lines", "--same", "labelled", "--format", "json").out)
    census = noughts.count(noughts.Board.from_lines(7, LINES))
    assert told["totals"]["finished"] == str(census.totals.finished)


@pytest.mark.parametrize(
    ("text", "said"),
    [("1 2\n1 x", "row 2 of 'bad.lines' is '1 x'"), ("", "has no lines"), ("0 1", "row 1"), ("cells 2\n1 3", "number")],
)
def test_what_is_wrong_is_said(run, monkeypatch, tmp_path, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.lines").write_text(text)
    result = run("count", "bad.lines")
    assert result.code == 2
    assert said in result.one_sentence()


def test_a_file_that_is_not_there_is_named(run):
    assert "nowhere.lines" in run("solve", "nowhere.lines").one_sentence()
