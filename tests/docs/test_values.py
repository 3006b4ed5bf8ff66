"""The values of 5x5 on their page: as many position classes at every ply as the counting engines give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import noughts
from noughts.known import load

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "values-by-ply.md"
BOARDS = {"5x5, four in a row": "5x5:4", "5x5, five in a row": "5x5:5"}


def tables() -> dict[str, list[list[int]]]:
    """Return by board the rows of its table: ply, X wins, draws, O wins, classes."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading = section.split("\n", 1)[0]
        if heading in BOARDS:
            rows = re.findall(r"^\| (\d+) \| (.*) \|$", section, flags=re.MULTILINE)
            found[BOARDS[heading]] = [
                [int(ply), *(int(cell.replace(",", "")) for cell in cells.split(" | "))] for ply, cells in rows
            ]
    return found


def test_rows_add_up() -> None:
    assert set(tables()) >= {"5x5:4"}
    for rows in tables().values():
        assert [row[0] for row in rows] == list(range(26))
        assert all(sum(row[1:4]) == row[4] for row in rows)
        assert rows[0] == [0, 0, 1, 0, 1]


def test_the_page_shows_what_is_known() -> None:
    known = {table["board"]: table["rows"] for table in load("values.toml")["table"]}
    assert known == {board: [row[:4] for row in rows] for board, rows in tables().items()}


@pytest.mark.slow
@pytest.mark.parametrize("board", sorted(tables()))
def test_classes_are_as_many_as_are_counted(board: str) -> None:
    census = noughts.count(board, same="symmetry")
    assert [(row.ply, row.positions) for row in census.plies] == [(row[0], row[4]) for row in tables()[board]]
