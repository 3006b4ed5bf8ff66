"""The games by choices of larger boards on their page: rows add up, and a second engine gives as many classes."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import noughts
from noughts.domain.board import Board
from noughts.known import load

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "games-by-choices.md"
KNOWN = {
    table["board"]: [[int(count) for count in row] for row in table["rows"]] for table in load("choices.toml")["table"]
}


def test_the_page_shows_what_is_known() -> None:
    shown = []
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        rows = re.findall(r"^\| (\d+) \| (.*) \|$", section, flags=re.MULTILINE)
        shown.append([[int(ply), *(int(cell.replace(",", "")) for cell in cells.split(" | "))] for ply, cells in rows])
        said = [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d(?= (?:games|won|drawn))", section)]
        x_wins, o_wins, draws = (sum(row[column] for row in shown[-1]) for column in (3, 4, 5))
        assert said == [x_wins + o_wins + draws, x_wins, o_wins, draws]
    assert shown == list(KNOWN.values())


@pytest.mark.parametrize("board", KNOWN)
def test_rows_are_of_games(board: str) -> None:
    """Each class is reached, and what is not finished goes on: at most to as many children as there are blank cells."""
    rows, cells = KNOWN[board], Board.parse(board).cells
    assert [row[0] for row in rows] == list(range(len(rows)))
    for ply, classes, paths, *finished in rows:
        assert classes <= paths
        assert sum(finished) <= paths
        assert not finished[ply % 2]
    for (ply, _, paths, *finished), (_, _, following, *_) in pairwise(rows):
        assert following <= (cells - ply) * (paths - sum(finished))
    assert rows[-1][2] == sum(rows[-1][3:])


@pytest.mark.parametrize("board", KNOWN)
def test_few_plies_are_as_layered_has_them(board: str) -> None:
    census = noughts.count(board, same="choices", to_ply=5, engine="layered")
    found = [[row.ply, row.positions, row.paths, row.x_wins, row.o_wins, row.draws] for row in census.plies]
    assert found == KNOWN[board][:6]


@pytest.mark.slow
@pytest.mark.parametrize("board", KNOWN)
def test_ten_plies_are_as_layered_has_them(board: str) -> None:
    """As far as the page says it: listing takes up to 1.6 GB, of 7.6 that it is let have."""
    census = noughts.count(board, same="choices", to_ply=10, engine="layered", memory="8GB")
    found = [[row.ply, row.positions, row.paths, row.x_wins, row.o_wins, row.draws] for row in census.plies]
    assert found == KNOWN[board][:11]


@pytest.mark.slow
@pytest.mark.parametrize("board", KNOWN)
def test_classes_are_as_many_as_a_second_engine_counts(board: str) -> None:
    census = noughts.count(board, same="symmetry", engine="subset")
    assert [(row.ply, row.positions) for row in census.plies] == [(row[0], row[1]) for row in KNOWN[board]]
