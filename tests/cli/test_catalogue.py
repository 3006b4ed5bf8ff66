"""The verbs positions, same, export and query, as a user calls them."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests import naive
from tests.cli.conftest import Result

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.mark.parametrize(("columns", "boards"), [(20, 2), (100, 12), (200, 25), (3, 1)])
def test_the_width_of_the_terminal_decides(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int, boards: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("noughts.cli.sink.sys.stdout.isatty", lambda: True)
    lines = run("positions", "3x3", "--ply", "5", "--won", "x", "--limit", "60").out.splitlines()
    row = next(line for line in lines if line.startswith("X won"))
    assert row.count("X won") == min(boards, 21)


def test_json_has_every_fact(run: Run) -> None:
    found = json.loads(run("positions", "3x3", "--ply", "4", "--label", "X can force a win", "--format", "json").out)
    assert found["board"] == "3x3:3"
    assert found["where"] == {"ply": 4, "label": "X can force a win"}
    assert int(found["count"]) == len(found["positions"]) > 0
    for record in found["positions"]:
        assert record["label"] == "X can force a win"
        assert isinstance(record["ways"], str)
    assert json.loads(run("positions", "3x3", "--ply", "0", "--won", "X", "--format", "json").out)["positions"] == []


def test_rows_have_the_columns_of_the_tables(run: Run) -> None:
    classes = list(csv.DictReader(io.StringIO(run("positions", "3x3", "--fork", "--format", "csv").out)))
    assert {row["fork"] for row in classes} == {"1"}
    lines = run("positions", "3x3", "--ply", "2", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["ply"] for line in lines] == [2] * 12
    assert run("positions", "3x3", "--ply", "1", "--format", "markdown").out.count("\n") == 5


def test_a_sheet_is_written_whole(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "endings.svg"
    assert run("positions", "3x3", "--terminal", "--format", "svg", "-o", str(path)).code == 0
    root = ElementTree.fromstring(path.read_text())
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 1 + 138
    assert run("positions", "3x3", "--drawn", "--format", "png", "-o", str(tmp_path / "d.png")).code == 0
    assert (tmp_path / "d.png").read_bytes().startswith(b"\x89PNG")
    assert run("positions", "3x3", "--format", "pdf", "-o", str(tmp_path / "all.pdf")).code == 0
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_a_sheet_of_no_positions_has_its_heading_only(run: Run, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"none.{form}"
    assert run("positions", "3x3", "--ply", "4", "--terminal", "--format", form, "-o", str(path)).code == 0
    assert path.stat().st_size > 0


def test_export_says_what_it_wrote_and_replaces_what_is_there(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "3x3.sqlite"
    assert "wrote 8,339 rows" in " ".join(run("export", "3x3", "-o", str(path)).out.split())
    before = path.read_bytes()
    assert run("export", "2x2:2", "-o", str(path)).code == 0
    assert path.read_bytes() != before
    assert run("export", "3x3", "-o", str(path)).code == 0
    assert path.read_bytes() == before
    with sqlite3.connect(path) as connection:
        assert connection.execute("select count(*) from moves").fetchone() == (2096,)
    connection.close()


def test_query_in_every_format(run: Run) -> None:
    sql = "select ply, outcome, count(*) as n from classes where ply < 3 group by 1, 2"
    assert run("query", "3x3", sql).out.splitlines()[2].split() == ["0", "draw", "1"]
    assert json.loads(run("query", "3x3", sql, "--format", "json").out)[0] == {"ply": 0, "outcome": "draw", "n": 1}
    assert run("query", "3x3", sql, "--format", "csv").out.splitlines()[:2] == ["ply,outcome,n", "0,draw,1"]
    assert run("query", "3x3", sql, "--format", "markdown").out.startswith("| ply | outcome | n |")
    assert json.loads(run("query", "3x3", sql, "--format", "jsonl").out.splitlines()[-1])["n"] == 5


def test_positions_of_players_bound_by_rules(run: Run) -> None:
    found = " ".join(run("positions", "3x3", "--moves", "block", "--end", "decided", "--terminal").out.split())
    assert found.startswith("3x3:3: 138 of 230 position classes (both complete a line when they can, else block one; ")
    assert "the number of games under these rules that pass through it (by choices, of 1,145)" in found
    for ply, classes in ((3, "38"), (4, "54"), (7, "10")):
        record = json.loads(
            run("positions", "3x3", "--moves", "block", "--end", "decided", "--ply", str(ply), "--format", "json").out
        )
        assert record["count"] == classes
        assert (record["x_moves"], record["o_moves"], record["end"]) == ("block", "block", "decided")
    won = [run("positions", "3x3", "--moves", "block", "--won", who, "--limit", "0").out for who in "XO"]
    assert [int(text.split()[1]) for text in won] == [45, 15]


def test_same_compares_games(run: Run) -> None:
    text = " ".join(run("same", "3x3", "a1 b2 c1 b1", "c3 b2 a3 b3").out.split())
    assert text.startswith("They are the same game on 3x3:3 by symmetry and by choices, but not by labels.")
    assert "By symmetry: the same: turn by 180 degrees." in text
    text = " ".join(run("same", "3x3", "a1 b2 c3 b1", "a1 b2 c3 b3").out.split())
    assert text.startswith("They are the same game on 3x3:3 by choices, but not by labels or by symmetry.")
    assert "moves 1 to 3 are the same; then they first differ at move 4: O plays b1 in the first game and b3" in text
    assert "The boards they lead to are the same: turn by 180 degrees." in text
    text = " ".join(run("same", "3x3", "a1 b2 c1 b1", "c3 b2 a3").out.split())
    assert text.startswith("No, they are different games on 3x3:3, by labels, by symmetry and by choices.")
    assert "in the first game O plays b1, and the second stops" in text
    assert run("same", "3x3", "a1b2", "a1 b2").out.startswith("Yes, they are the same game on 3x3:3, move by move.")
    assert run("same", "3x3", "a1", "X../.../...").out.startswith("Yes, they are the same on 3x3:3")
    record = json.loads(run("same", "3x3", "a1 b2 c3", "a1 b2 c1", "--format", "json").out)
    assert record["same"] is False
    assert record["games"]["part"]["choices"]["moves"] == ["c3", "c1"]


def boards_under(text: str, heading: str) -> list[str]:
    """The boards of five in a row below a heading, each as its rows with slashes between."""
    part = text.split(f"\n{heading}\n\n")[1].split("\n\n")
    found = []
    for block in part:
        rows = [line.split("   ") for line in block.split("\n")]
        if not set(block) <= set("XO- \n"):
            break
        assert len(rows[0]) <= 5
        found += ["/".join(board) for board in zip(*rows, strict=True)]
    return found


def test_endings_as_an_article_prints_them(run: Run) -> None:
    """By the oracle: every class once, won ones before drawn ones, with dashes for blank cells."""
    text, game, group = (
        run("positions", "3x3", "--terminal", "--layout", "dashes").out,
        naive.grid(3, 3, 3),
        naive.isometries(3, 3),
    )
    wanted: dict[bool, set[str]] = {True: set(), False: set()}
    for at in naive.reachable(game):
        lined = naive.has_line(game, at, "X") or naive.has_line(game, at, "O")
        if lined or "." not in at:
            wanted[lined].add(naive.position_class(at, group))
    for heading, lined in (("Won: 135", True), ("Drawn: 3", False)):
        boards = boards_under(text, heading)
        classes = [naive.position_class(board.replace("/", "").replace("-", "."), group) for board in boards]
        assert len(classes) == len(set(classes)) == len(wanted[lined])
        assert set(classes) == wanted[lined]
    assert text.startswith("3x3:3: 138 of 765 position classes")
    assert " ".join(text.split()).count("won by") == 2
    misere = run("positions", "3x3+misere", "--terminal", "--layout", "dashes", "--limit", "7").out
    assert len(boards_under(misere, "Won: 135, 7 of them shown")) == 7
    unfinished = run("positions", "3x3", "--ply", "1", "--layout", "dashes").out
    assert len(boards_under(unfinished, "Ply 1: 3")) == 3


def test_boards_with_lines_between_the_cells(run: Run) -> None:
    drawn = [" X | O |   ", "---+---+---", "   | X |   ", "---+---+---", "   |   | O "]
    for verb in (("draw", "3x3", "XO./.X./..O", "--format", "text"), ("positions", "3x3", "--ply", "4")):
        text = run(*verb, "--layout", "lines").out
        assert all(row.strip() in text for row in drawn)
    assert "---+---+---+---\n" in run("draw", "3x4", "--layout", "lines", "--format", "text").out
    assert "\nX--\n-O-\n---\n" in run("draw", "3x3", "a1 b2", "--layout", "dashes", "--format", "text").out
    assert run("draw", "3x3", "a1 b2", "--layout", "dashes").out == "3x3:3: X to move.\n\nX--\n-O-\n---\n"
    for name, *rest in (("draw", "--format", "svg"), ("positions", "--format", "svg"), ("draw", "-o", "board.svg")):
        refused = run(name, "3x3", "--layout", "lines", *rest)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err == "noughts: --layout is for text: add --format text, or remove --layout\n"


@pytest.mark.parametrize("verb", [["explain"], ["openings", "--from"], ["draw", "--format", "text"], ["solve"]])
@pytest.mark.parametrize("board", ["-OX,---,XO-", "-ox/---/xo-", "--X,-O-,---", "---,-X-,---", "---/---/---"])
def test_a_board_that_begins_with_a_dash_is_a_board(run, verb, board):
    """In the notation of dashes half of all boards begin like an option."""
    on = ["3x3", *verb[1:]]
    dashed, pointed = (run(verb[0], *on, text) for text in (board, board.replace("-", ".")))
    assert (dashed.code, dashed.out) == (0, pointed.out)


def test_rows_of_dashes_are_a_board_without_a_verb_and_options_stay_options(run):
    assert run("3x3", "---", "-X-", "---").out == run("explain", "3x3", ".../.X./...").out
    assert run("same", "3x3", "XO-,---,-OX", "-OX,---,XO-").out.startswith("Yes")
    assert run("explain", "3x3", "-xo").err == "noughts: unknown option '-x': noughts explain --help lists all\n"
    assert "echo -X-" in run("referee", "3x3", "--", "echo", "-X-").err


def test_full_grids_are_listed(run: Run) -> None:
    text = run("positions", "3x3", "--end", "full", "--ply", "9", "--same", "labelled").out
    assert " ".join(text.split()).startswith("3x3:3: 126 of 6,046 positions")
    assert (text.count("drawn"), text.count("both lined"), text.count("O lined")) == (16 + 1, 36, 12)
    assert "If both have, the first won." in text
    assert "the first lost." in run("positions", "3x3+misere", "--end", "full", "--ply", "9").out
    tied = run("positions", "3x3", "--end", "full", "--drawn", "--same", "labelled", "--layout", "dashes").out
    assert len(boards_under(tied, "Drawn: 16")) == 16
    rows = list(
        csv.DictReader(io.StringIO(run("positions", "3x3", "--end", "full", "--ply", "9", "--format", "csv").out))
    )
    assert (len(rows), {row["lines"] for row in rows}) == (23, {"X", "O", "both", "neither"})
    assert run("positions", "3x3", "--end", "full", "--limit", "0", "--format", "csv").out.startswith("position,class,")
