"""Boards on pages: what each cell says, where it leads, and how that is written in HTML."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

import pytest

from noughts import Board, Position, parse_position
from noughts.drawing.board import thumbnail
from noughts.web.boards import CellNote, board_view, picture, spoken
from noughts.web.pages.count import bar_of, longest_of
from noughts.web.render import asset, macro
from tests.web.site import page


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


def test_lengths_are_in_proportion_or_as_many_as_the_digits():
    half = bar_of([("all", 500)], 1000)
    assert half.linear == (("all", "0.00%", "50.00%"),)
    assert ends(bar_of([("all", 10)], 1000).logarithmic)[0][2] == pytest.approx(50)
    assert ends(bar_of([("all", 10**60)], 10**90).linear)[0][2] > 0


def test_nothing_has_no_bar_and_something_can_be_seen():
    assert bar_of([("all", 0)], 1000).linear == bar_of([], 1000).logarithmic == ()
    assert bar_of([("all", 1)], 10**9).linear[0][2] == "0.15%"
    assert longest_of([None, 0, 7]) == 7
    assert longest_of([None, 0]) == 1


# What keys say where they do nothing, and what is read aloud after a move.


def data(address: str, name: str) -> str | None:
    found = re.findall(rf' data-{name}="([^"]*)"', page(address))
    return unescape(found[0]) if found else None


@pytest.mark.parametrize("address", ["/", "/3x3/play", "/3x3/play?blind=X", "/3x3"])
def test_nothing_is_said_of_turning_where_it_is_not_offered(address):
    assert data(address, "turn-to") is None
    assert data(address, "no-turn") is None


def test_a_board_that_every_turn_leaves_as_it_is_says_so():
    assert data("/3x3/p/___-___-___", "turn-to") is None
    assert data("/3x3/p/___-___-___", "no-turn") == "Turned or flipped, this board is the same."


@pytest.mark.parametrize("address", ["/3x3/p/X__-_O_-__X?quiz=1", "/3x3/g/a1-b2-c3?quiz=1"])
def test_a_quiz_says_that_its_answers_are_hidden(address):
    for key in ("best", "hint"):
        assert data(address, f"{key}-to") is None
        assert data(address, f"no-{key}") == "The answers are hidden here."
    assert data(address, "hint") is None
    assert data(address.removesuffix("?quiz=1"), "best-to") is not None


def test_the_start_page_says_where_its_hints_are():
    assert "Hints and more" in (data("/", "no-hint") or "")
    assert ">Hints and more</a>" in page("/")
    over = "/?g=a1-a2-b1-b2-c1"
    assert data(over, "no-hint") == "The game is over."
    assert ">Hints and more</a>" not in page(over)


def test_a_hint_is_read_aloud():
    said = data("/3x3/play?o=human&g=a1-a2-b1-b2&hint=1", "live")
    assert said == "Play c1. Complete your line at c1: you win at once."
    assert data("/3x3/play?o=human&g=a1-a2-b1-b2&hint=1", "best-to") is not None


def test_between_two_people_the_move_is_read_aloud():
    assert data("/3x3/play?o=human", "live") == "X begins."
    assert data("/3x3/play?o=human&g=a1-a2", "live") == "O played a2. X is to move."
    assert (data("/3x3/play?o=human&g=a1-a2-b1-b2-c1", "live") or "").startswith("X played c1. X has won")


def test_against_an_opponent_its_last_move_is_read_aloud_too():
    said = data("/3x3/play?o=perfect&g=a1", "live") or ""
    assert re.fullmatch(r"O plays [abc][123]\. Your move: you play X\.", said)
    lost = data("/3x3/play?o=perfect&g=b1-a3-c2", "live") or ""
    assert lost.startswith("O plays ")
