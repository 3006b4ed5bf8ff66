"""A board from a file of lines, wherever a BOARD is asked; what is wrong with it is said with its row."""

from __future__ import annotations

import json
import shlex

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


LOSING = "1\n2 3\nmisere\n"


@pytest.mark.parametrize("words", [["solve"], ["openings"], ["count"], ["tree", "--kind", "full"], ["explain"]])
def test_what_is_suggested_on_a_misere_board_can_be_typed(run, monkeypatch, tmp_path, words):
    """The file says itself that a completed line loses: no board is called s1m.lines+misere."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s1m.lines").write_text(LOSING, encoding="utf-8")
    found = run(words[0], "s1m.lines", *words[1:])
    assert (found.code, "lines+misere" in found.out) == (0, False)
    after = found.out.partition("Try next:")[2]
    assert "noughts " in after
    for line in after.splitlines():
        if (typed := shlex.split(line)) and typed[0] == "noughts" and "-o" not in typed:
            assert run(*typed[1:]).code == 0, line


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


_FANO = "1 2 3\n1 4 5\n1 6 7\n2 4 6\n2 5 7\n3 4 7\n3 5 6\n"
_PATH = "1 2 3\n3 4 5\nsymmetry 5 4 3 2 1\n"


def test_the_cells_of_a_board_of_lines_are_numbered_where_it_is_drawn(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fano.lines").write_text(_FANO, encoding="utf-8")
    for verb in ("solve", "explain", "draw"):
        form = ["--format", "text"] if verb == "draw" else []
        assert "X 2 3 4 5 6 7" in run(verb, "fano.lines", "1", *form).out
        assert "a b c" not in run(verb, "fano.lines", "1", *form).out
    plain, grid = (run("draw", board, "--format", "svg").out for board in ("fano.lines", "1x7"))
    with_numbers = run("draw", "1x7", "--cells", "numbers", "--format", "svg").out
    assert plain.count("<path") == with_numbers.count("<path") != grid.count("<path")


def test_symmetries_of_a_board_of_lines_in_words(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fano.lines").write_text(_FANO, encoding="utf-8")
    (tmp_path / "path.lines").write_text(_PATH, encoding="utf-8")
    for board, alike in (
        ("fano.lines", "The board has no symmetry but to leave it as it is, so every board counts."),
        ("path.lines", "Boards alike up to a symmetry of the board count once."),
        ("3x3+torus", "Boards alike up to a turn, flip or shift count once."),
    ):
        assert alike in " ".join(run("positions", board, "--ply", "2").out.split())
    told = " ".join(run("same", "fano.lines", "1 2", "3 4").out.split())
    assert "1 symmetries" not in told
    assert "turned" not in told
    assert "which has no symmetry" in " ".join(run("same", "fano.lines", "X......", ".X.....").out.split())
    assert "under each of the 2 symmetries" in " ".join(run("same", "path.lines", "1 2", "3 4").out.split())
    assert "under each of the 8 symmetries" in " ".join(run("same", "3x3", "a1 b1", "c3 b2").out.split())


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
        assert run("versus", board, "--x", "policy.json").code == 0
    for board in ("other.lines", "3x3"):
        assert "is for path.lines, not for" in run("menace", board, "--load", "machine.json").one_sentence()
        assert "is for path.lines, not for" in run("versus", board, "--x", "policy.json").one_sentence()


@pytest.mark.parametrize(
    ("given", "called"),
    [("3x3", True), ("3x3:3", True), ("3 by 3", True), ("3x3+misere", False), ("3x4:3", False), ("three.lines", False)],
)
def test_the_names_of_a_board_of_sizes(given: str, called: bool) -> None:
    assert noughts.Board.parse("3x3").is_called(given) is called


def test_the_names_of_a_board_of_lines() -> None:
    flower = noughts.Board.from_lines(4, [(0, 1), (2, 3)], name="flower")
    assert flower.is_called("flower")
    assert not flower.is_called("2x2:2")
    with pytest.raises(noughts.InputError, match="is no board"):
        flower.is_called("rose")


def test_where_no_file_is_read_it_is_said(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        noughts.InputError, match="names a file of lines, and here a board is named by its sizes: write"
    ):
        noughts.count("path.lines")
    (tmp_path / "path.lines").write_text("1 2\n2 3\n", encoding="utf-8")
    assert run("crib", "path.lines", "-o", "crib.json").code == 0
    judged = run("check", "crib.json")
    assert judged.code == 2
    assert "'path.lines' names a file of lines, and here a board is named by its sizes" in judged.err
