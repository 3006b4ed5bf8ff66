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
    assert labels[:3] == ["a1, row 1, column 1, X", "b1, row 1, column 2, O", "c1, row 1, column 3, blank"]
    assert labels[4] == "a2, row 2, column 1, blank"
    assert view.columns == 4
    assert view.said == "X on a1; O on b1; X to move."


def test_cells_of_a_solid_board_have_their_layer():
    view = board_view(parse_position("2x2x2", "X./..|../.O"))
    assert [cell.label for cell in view.cells][-1] == "b2.2, layer 2, row 2, column 2, O"
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
    assert view.cells[2].label == "c1, row 1, column 3, X, last move, on the completed line"
    assert view.cells[3].label == "a2, row 2, column 1, O"
    assert view.said == "X on a1, b1, c1; O on a2, b2."


def test_no_cell_leads_on_when_the_game_is_over():
    assert not any(cell.to for cell in board_view(parse_position("3x3", "XXX/OO./..."), to=lambda cell: "/").cells)
    assert [cell.to for cell in board_view(parse_position("3x3", "XX./OO./..."), to=str).cells][2] == "2"


def test_what_happens_on_a_cell_is_read_aloud():
    notes = [CellNote("value", "3", "win", "X", "wins in", "X wins in 3 moves"), CellNote("alike", "B", said="kind B")]
    position = parse_position("3x3", "X../.../..O")
    view = board_view(position, notes={1: notes}, threats={"O": [1]}, forks={"X": [1]}, to=str)
    assert view.cells[1].label == "b1, row 1, column 2, blank"
    html = macro("board.html", "board", view)
    assert (
        '<span class="unseen">b1, row 1, column 2, blank<span class="said in-value">: X wins in 3 moves</span>'
        '<span class="said in-alike">: kind B</span>'
        '<span class="said tactics">, O completes a line here, X makes a fork here</span></span>'
    ) in html
    assert "wins in" in html


def test_what_is_read_aloud_is_that_of_the_overlay_that_is_shown():
    position_sheet, board_sheet = ((asset(name) or b"").decode() for name in ("position.css", "board.css"))
    assert ".said { display: none; }" in board_sheet
    for overlay in ("plies", "games", "chance", "alike"):
        assert f"main:has(#show-{overlay}:checked) .said.in-{overlay}" in position_sheet
    assert (
        "main:has([name=show]:not(#show-value):checked) :is(.note, .said).in-value { display: none; }" in position_sheet
    )


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
