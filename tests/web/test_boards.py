"""Boards on pages: what each cell says, where it leads, and how that is written in HTML."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from noughts import Board, Position
from noughts.rules import parse_position
from noughts.rules.cells import cell_name
from noughts.web.boards import CellNote, board_view
from noughts.web.pages.count import bar_of
from noughts.web.render import macro
from tests.web.site import page


def test_cells_are_named_by_row_and_column_and_mark():
    view = board_view(parse_position("3x4", "XO../..../...."))
    labels = [cell.label for cell in view.cells]
    assert labels[:3] == ["a1, row 1, column 1, X", "b1, row 1, column 2, O", "c1, row 1, column 3, blank"]
    assert labels[4] == "a2, row 2, column 1, blank"
    assert view.columns == 4
    assert view.aloud == "X on a1; O on b1; X to move."


@pytest.mark.parametrize("spec", ["3x3", "3x4", "1x5", "2x3x4:2", "3x3+torus", "1x1"])
def test_a_board_is_a_grid_of_rows_of_cells(spec):
    board = Board.parse(spec)
    html = macro("board.html", "board", board_view(Position(board), to=lambda cell: f"/to/{cell}"))
    assert board.shape is not None
    rows, _, layers = board.shape
    assert html.count('role="grid"') == layers
    assert html.count('role="row"') == rows * layers
    assert html.count('role="gridcell"') == board.cells
    assert len(set(re.findall(r' id="([^"]+)"', html))) == board.cells
    assert [int(to) for to in re.findall(r'href="/to/(\d+)"', html)] == list(range(board.cells))
    assert "style=" not in html
    assert ("Dashed edges" in html) == board.torus


def test_what_a_board_is_given_is_escaped():
    hostile = '"><script>alert(1)</script>'
    html = macro(
        "board.html",
        "board",
        board_view(
            Position(Board.parse("2x2")),
            to=lambda cell: hostile,
            says={0: hostile},
            notes={0: [CellNote("value", hostile, "win", "X", hostile)]},
            label=hostile,
            live=hostile,
            hint=hostile,
            keys={"undo": hostile},
        ),
    )
    assert "<script" not in html


# Bars: their lengths follow the numbers, their parts fill them, and what is there can be seen.


def ends(parts):
    return [(name, float(at.rstrip("%")), float(at.rstrip("%")) + float(long.rstrip("%"))) for name, at, long in parts]


@pytest.mark.parametrize("parts", [[("x", 81792), ("draw", 46080), ("o", 0)], [("x", 1), ("draw", 1), ("o", 2)]])
def test_parts_follow_each_other_and_fill_the_bar(parts):
    whole = sum(number for _, number in parts)
    made = bar_of(parts, whole)
    for scale in (made.linear, made.logarithmic):
        found = ends(scale)
        assert [name for name, _, _ in found] == [name for name, number in parts if number]
        assert found[0][1] == 0
        assert found[-1][2] == pytest.approx(100, abs=0.01)
        for (_, _, end), (_, begin, _) in pairwise(found):
            assert end == pytest.approx(begin, abs=0.01)


# What keys say where they do nothing, and what is read aloud after a move.


def test_a_click_in_a_column_drops_a_mark() -> None:
    """Every blank cell of a column leads to its lowest one; a full column leads nowhere."""
    position = parse_position("3x3:3+gravity", "a b a a")
    view = board_view(position, to=lambda cell: f"to {cell_name(position.board, cell)}")
    shown = {cell.name: (cell.to, cell.lands) for cell in view.cells if not cell.mark}
    assert shown == {
        "b1": ("to b2", False),
        "b2": ("to b2", True),
        **{f"c{row}": ("to c3", row == 3) for row in (1, 2, 3)},
    }
    (high,) = (cell for cell in view.cells if cell.name == "c1")
    assert high.label.endswith("blank: a mark falls to c3")


def test_a_wide_number_breaks_after_a_comma_only() -> None:
    html = page("/5x5")
    assert "<dd>1,<wbr>515,<wbr>494,<wbr>161,<wbr>462,<wbr>432,<wbr>403,<wbr>656,<wbr>800</dd>" in html
    assert "<dd>31,896</dd>" in page("/3x3")
