"""A board from a file of lines, wherever a BOARD is asked; what is wrong with it is said with its row."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable

import pytest

import noughts
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.linefiles import board_of_lines
from noughts.rules.position import parse_position
from tests.cli.conftest import Result
from tests.effort import counted_calls

FANO = "# The Fano plane\n1 2 3\n1,4,5\n1 6 7\n2 4 6\n2 5 7\n3 4 7\n3 5 6\n"
LINES = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]


def test_a_file_is_the_board_of_its_lines() -> None:
    board = board_of_lines(FANO, "fano.lines")
    assert (board.cells, board.lines, board.spec) == (7, tuple(LINES), "fano.lines")
    more = board_of_lines("cells 4\nmisere\nsymmetry 2 1 3 4\n1 2", "two.lines")
    assert (more.cells, more.misere, more.group().order) == (4, True, 2)


LOSING = "1\n2 3\nmisere\n"


def test_a_file_that_becomes_misere_is_another_board(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    answers = []
    for text in (LOSING, LOSING.replace("misere\n", "")):
        board = board_of_lines(text, "s1m.lines")
        assert board.spec == "s1m.lines"
        answers.append(noughts.query(board, "select * from positions").rows)
    assert answers[0] != answers[1]


@pytest.mark.parametrize(
    "words",
    [["count"], ["count", "--same", "labelled"], ["solve"], ["explain"], ["openings"], ["tree", "--kind", "full"],
     ["match", "--x", "random"], ["positions", "--ply", "1"], ["patterns"]],
    ids=" ".join,
)  # fmt: skip
def test_every_verb_takes_it(run, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fano.lines").write_text(FANO)
    result = run(words[0], "fano.lines", *words[1:])
    assert (result.code, result.err) == (0, "")
    assert "fano.lines" in result.out


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


@pytest.mark.parametrize("text", ["1 2\n2 3\n", "1 2\n2 3\nmisere\n"])
def test_what_is_saved_of_such_a_board_is_read_again(run, monkeypatch, tmp_path, text):
    """By the name of its file, wherever that lies; on other boards it is refused."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    for name in ("path.lines", "elsewhere/path.lines", "other.lines"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run("menace", "path.lines", "--save", "machine.json").code == 0
    policy = {"board": "path.lines", "moves": {}, "otherwise": "random"}
    (tmp_path / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    for board in ("path.lines", "elsewhere/path.lines"):
        assert run("menace", board, "--load", "machine.json").code == 0
        assert run("match", board, "--x", "policy.json").code == 0
    for board in ("other.lines", "3x3"):
        assert "is for path.lines, not for" in run("menace", board, "--load", "machine.json").one_sentence()
        assert "is for path.lines, not for" in run("match", board, "--x", "policy.json").one_sentence()


# Boards of any size in every verb: an answer, or a short refusal, soon, before lines or groups are built.

GUARD = 6
"""Seconds of processor time: a refusal takes a tenth of it, kernels being loaded; these commands took 10 and more."""

VERBS_SIZES = (
    "count BOARD --same choices --end decided", "count BOARD --from a1", "solve BOARD", "solve BOARD a1",
    "explain BOARD", "openings BOARD", "tree BOARD", "tree BOARD --kind full", "patterns BOARD", "payoff BOARD",
    "match BOARD --x random --o block", "match BOARD random block", "evaluate BOARD random", "menace BOARD",
    "breed BOARD", "crib BOARD", "positions BOARD --limit 3", "export BOARD -o nowhere.csv",
    "query BOARD select+1", "site BOARD -o nowhere", "blindfold BOARD", "referee BOARD -- cat",
)  # fmt: skip


@pytest.mark.parametrize("board", ["1000x1000", "100x100x100", "20x20"])
@pytest.mark.parametrize("verb", VERBS_SIZES)
def test_a_large_board_is_refused_at_once(run: Callable[..., Result], board: str, verb: str) -> None:
    if board == "20x20" and verb.startswith("solve"):
        verb = "tree BOARD --kind openings --limit 5"
    begun = time.process_time()
    result = run(*(word.replace("BOARD", board).replace("+", " ") for word in verb.split()))
    assert result.code == 3, result.err
    assert len(result.one_sentence()) < 500
    assert time.process_time() - begun < GUARD


@pytest.mark.parametrize(
    "text",
    [
        "1" + "a" * 3999, "a" * 4000, "a" * 3999 + "1", "1" * 4000, "a1" * 2000, "a1." * 1333, " " * 4000,
        "1 " * 2000, "|" * 4000, "/" * 4000, "X|" * 2000, "-+" * 2000,
    ],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_no_text_takes_long_to_refuse(text: str) -> None:
    """One that is as long again ten times takes ten times the work, and a hundred times no more than milliseconds."""
    board = Board.parse("3x3")
    begun, calls = time.process_time(), []
    for times in (1, 10):
        with counted_calls() as effort, pytest.raises(InputError):
            parse_position(board, text * times)
        calls.append(effort.calls)
    assert calls[1] < 12 * calls[0]
    assert time.process_time() - begun < GUARD, "searches within a text are no calls: these took 13 s"


def test_a_long_game_is_read_in_time_that_grows_with_it() -> None:
    """Whether it is over is asked of the lines through the last cell: 780 moves, and 13,000 lines."""
    board = Board.parse("64x64:10")
    cells = random.Random(3).sample(range(1, 4097), 780)
    parse_position(board, "1 2 3")  # the lines are made once
    with counted_calls() as effort:
        assert parse_position(board, " ".join(map(str, cells))).ply == len(cells)

    assert effort.calls < 100 * len(cells)


# How people type: boards of several words, moves without quotes, other signs, and words that are nearly right.

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


SAME = [
    (["count", "3", "x", "4", "--same", "choices"], ["count", "3x4", "--same", "choices"]),
    (["count", "--same", "choices", "3x", "4:3"], ["count", "3x4:3", "--same", "choices"]),
    (["count", "3", "×", "4", ":2", "+misere", "--same", "choices"], ["count", "3x4:2+misere", "--same", "choices"]),
    (["positions", "--ply", "2", "3", "x", "3"], ["positions", "--ply", "2", "3x3"]),
    (["solve", "3x3", "a1", "b2"], ["solve", "3x3", "a1 b2"]),
    (["solve", "3", "x", "3", "1", "5"], ["solve", "3x3", "a1 b2"]),
    (["solve", "2", "x2", "+wild", "x1"], ["solve", "2x2+wild", "Xa1"]),
    (["solve", "3x3", "X..", ".O.", "..."], ["solve", "3x3", "X../.O./..."]),
    (["solve", "3x3", "a1", "--line", "b2"], ["solve", "3x3", "a1 b2", "--line"]),
    (["explain", "3", "X", "3", "a1", "b2"], ["explain", "3x3", "a1 b2"]),
    (["count", "3x3", "--from", "a1", "b2", "--end", "full"], ["count", "3x3", "--from", "a1 b2", "--end", "full"]),
    (["openings", "3x3", "--from", "a1", "b2"], ["openings", "3x3", "--from", "a1 b2"]),
    (["tree", "--from", "a1", "b2", "3x3"], ["tree", "3x3", "--from", "a1 b2"]),
    (["tree", "--from=a1 b2", "3x3"], ["tree", "3x3", "--from", "a1 b2"]),
    (["match", "3x3", "--from", "X..", ".O.", "...", "--x", "win"], ["match", "--from", "a1 b2", "--x", "win"]),
    (["same", "3", "x", "3", "a1", "c3"], ["same", "3x3", "a1", "c3"]),
    (["blindfold", "3", "x", "3"], ["blindfold", "3x3"]),
    (["COUNT", "3x3", "--same", "CHOICES"], ["count", "3x3", "--same", "choices"]),
    (["3x3", "--same", "choices"], ["count", "3x3", "--same", "choices"]),
    (["3", "x", "3", "a1", "b2"], ["explain", "3x3", "a1 b2"]),
    (["2x3", "a1 b2"], ["explain", "2x3", "a1 b2"]),
    (["26,830"], ["whatis", "26830"]),
    (["solve", "Noughts and Crosses"], ["solve", "3x3"]),
    (["solve", "qubic"], ["solve", "4x4x4"]),
    (["positions", "3x3", "--won", "x", "--format", "JSON"], ["positions", "3x3", "--won", "X", "--format", "json"]),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "meant"), SAME, ids=lambda words: " ".join(words))
def test_words_without_quotes_are_read_as_with_them(run, typed, meant):
    found, wanted = run(*typed), run(*meant)
    assert (found.code, found.err) == (0, "")
    assert found.out == wanted.out


# Cells as numbers on request, in the output of every verb, and from Python.

Run = Callable[..., Result]

VERBS_CELLS = [
    ["explain", "3x3", "a1", "b2", "c3"],
    ["explain", "3x3", "a1", "a2", "b1", "b2", "c1"],
    ["explain", "3x3+torus", "a1"],
    ["openings", "3x3"],
    ["solve", "3x3", "a1", "b2", "--line"],
    ["blindfold", "3x3"],
    ["blindfold", "3x3", "--format", "text"],
    ["same", "3x3", "a1", "c3"],
    ["positions", "3x3", "--ply", "1", "--format", "json"],
    ["explain", "3x3", "a1", "b2", "--format", "json"],
    ["openings", "3x3", "--format", "json"],
    ["solve", "3x3", "--format", "json"],
    ["blindfold", "3x3", "--format", "json"],
    ["explain", "3x4", "a1", "--format", "dot"],
]
NAME = re.compile(r"(?<![\w.])[a-d][1-4](?![\w.])")


@pytest.mark.parametrize("verb", VERBS_CELLS, ids=" ".join)
def test_no_verb_prints_a_name_where_numbers_are_asked_for(run: Run, verb: list[str]) -> None:
    found = run(*verb, "--cells", "numbers")
    assert found.code == 0
    assert not NAME.findall(found.out)
    assert run("--cells", "numbers", *verb).out == found.out
    names = run(*verb)
    assert run(*verb, "--cells", "names").out == names.out
    assert NAME.findall(names.out) or "dot" in verb or verb[0] == "same"


def test_another_word_is_refused_and_nothing_stays(run: Run) -> None:
    refused = run("explain", "3x3", "--cells", "roman")
    assert refused.code == 2
    assert "use one of names, numbers" in refused.one_sentence()
    with pytest.raises(noughts.InputError, match="choose from names, numbers"):
        noughts.rules.cells_as("roman")  # type: ignore[arg-type]
    run("explain", "3x3", "--cells", "numbers")
    assert noughts.rules.cell_name("3x3", 4) == "b2"
