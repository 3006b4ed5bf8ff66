"""Boards on pages: what each cell says, where it leads, and how that is written in HTML."""

from __future__ import annotations

import re

import pytest

from noughts import Board, Position, parse_position
from noughts.drawing.thumbnail import thumbnail
from noughts.web.assets import asset
from noughts.web.boards import CellNote, board_view, picture, spoken
from noughts.web.render import macro


def test_cells_are_named_by_row_and_column_and_mark():
    view = board_view(parse_position("3x4", "XO../..../...."))
    labels = [cell.label for cell in view.cells]
    assert labels[:3] == ["row 1, column 1, X", "row 1, column 2, O", "row 1, column 3, blank"]
    assert labels[4] == "row 2, column 1, blank"
    assert view.columns == 4
    assert view.said == "X on a1; O on b1; X to move."


def test_cells_of_a_solid_board_have_their_layer():
    view = board_view(parse_position("2x2x2", "X./..|../.O"))
    assert [cell.label for cell in view.cells][-1] == "layer 2, row 2, column 2, O"
    assert [layer.name for layer in view.layers] == ["Layer 1", "Layer 2"]
    assert view.cells[-1].at == (1, 1, 1)


def test_cells_of_a_board_given_by_its_lines_are_numbered():
    board = Board.from_lines(7, [(0, 1, 2), (2, 3, 4)])
    view = board_view(Position(board))
    assert [cell.label for cell in view.cells][:2] == ["cell 1, blank", "cell 2, blank"]
    assert view.layers[0].letters == ()
    assert view.numbered


def test_the_last_move_and_the_completed_line_are_said():
    view = board_view(parse_position("3x3", "XXX/OO./..."), last=2)
    assert view.cells[2].label == "row 1, column 3, X, last move, on the completed line"
    assert view.cells[3].label == "row 2, column 1, O"
    assert view.said == "X on a1, b1, c1; O on a2, b2."


def test_no_cell_leads_on_when_the_game_is_over():
    assert not any(cell.to for cell in board_view(parse_position("3x3", "XXX/OO./..."), to=lambda cell: "/").cells)
    assert [cell.to for cell in board_view(parse_position("3x3", "XX./OO./..."), to=str).cells][2] == "2"


def test_what_happens_on_a_cell_is_read_aloud():
    note = CellNote("value", "3", "win", "X", "wins in")
    view = board_view(parse_position("3x3", "X../.../..O"), says={1: "X wins in 3 moves"}, notes={1: [note]}, to=str)
    assert view.cells[1].label == "row 1, column 2, blank: X wins in 3 moves"
    html = macro("board.html", "board", view)
    assert 'aria-label="row 1, column 2, blank: X wins in 3 moves"' in html
    assert "wins in" in html


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


def test_pictures_have_no_style_attribute_and_keep_their_shape():
    tall = thumbnail((8, 2, 1), "." * 16, "empty board")
    assert "style=" not in tall
    [(width, height, shown_width, shown_height)] = re.findall(
        r'viewBox="-1 -1 (\d+) (\d+)" width="(\d+)" height="(\d+)"', tall
    )
    assert abs(int(shown_width) / int(shown_height) - int(width) / int(height)) < 0.02
    assert ' width="192" ' in thumbnail((1, 40, 1), "." * 40, "empty board")


def test_a_picture_says_its_marks():
    assert spoken(parse_position("3x3", "X.X/.O./...")) == "X on a1, c1; O on b2"
    assert 'aria-label="X on a1, c1; O on b2"' in picture(parse_position("3x3", "X.X/.O./..."))
    assert spoken(Position(Board.parse("3x3"))) == "empty board"


def test_every_number_of_columns_up_to_fifty_has_its_rule():
    sheet = (asset("board.css") or b"").decode()
    assert all(f".n{n} {{ --n: {n}; }}" in sheet for n in range(1, 51))
