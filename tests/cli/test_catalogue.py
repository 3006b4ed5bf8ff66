"""The verbs positions, same, export and query, as a user calls them."""

from __future__ import annotations

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
