"""Cells, positions and moves as text: parse and format are inverse, every spelling is read, mistakes are explained."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InputError, InvalidCell, InvalidPosition
from noughts.domain.notation import format_position, parse_position
from noughts.domain.position import Position
from tests.boards import FLOWER

boards = st.sampled_from(
    [Board.parse(spec) for spec in ("3x3", "3x4", "4x3", "1x5", "5x1", "1x1", "2x3x4", "3x2x1", "1x1x2", "2x30", "8x8")]
    + [Board.from_lines(*FLOWER)]
)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    board = draw(boards)
    text = draw(st.text(".XO", min_size=board.cells, max_size=board.cells))
    x, o = (sum(1 << cell for cell, mark in enumerate(text) if mark == player) for player in "XO")
    return Position(board, x, o)


@given(positions())
def test_positions_are_read_as_printed(position: Position) -> None:
    text = format_position(position)
    assert str(position) == text
    assert parse_position(position.board, text) == position


@given(positions(), st.sampled_from("-_ "), st.sampled_from(["/", ",", "", "\n", "\r\n"]), st.booleans())
def test_every_spelling_of_a_position_is_read(position: Position, blank: str, joint: str, lower: bool) -> None:
    text = format_position(position).replace(".", blank).replace("/", joint)
    assert parse_position(position.board, text.lower() if lower else text) == position
    assert parse_position(position.board, text.replace("|", "" if joint == "" else joint)) == position


@given(boards, st.data())
def test_cells_are_read_as_printed(board: Board, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, board.cells - 1))
    name = cell_name(board, cell)
    assert parse_cell(board, name) == parse_cell(board, f" {name.upper()} ") == cell
    assert parse_cell(board, str(cell + 1)) == cell


@given(boards, st.randoms(use_true_random=False), st.sampled_from([" ", ",", ", ", "\n", ";"]))
def test_moves_lead_to_the_position_they_play(board: Board, random: Random, joint: str) -> None:
    position = Position(board)
    names: list[str] = []
    while not position.is_terminal and (not names or random.random() < 0.8):
        blank = [cell for cell in range(board.cells) if position.blanks >> cell & 1]
        cell = random.choice(blank)
        names.append(cell_name(board, cell))
        position = position.play(cell)
    assert parse_position(board, joint.join(names)) == position
    if board.shape is not None and not board.is_solid:
        assert parse_position(board, "".join(names)) == position


@pytest.mark.parametrize(
    ("spec", "name", "cell"),
    [
        ("3x3", "a1", 0),
        ("3x3", "c1", 2),
        ("3x3", "a2", 3),
        ("3x4", "d3", 11),
        ("4x3", "c4", 11),
        ("3x3x3", "a1.2", 9),
        ("2x3x4", "c2.4", 23),
        ("1x60", "az1", 51),
        ("1x60", "ba1", 52),
        ("3x3", "9", 8),
        ("3x3", "a1.1", 0),
        ("3x3x1:3", "b2", 4),
    ],
)
def test_names_of_cells(spec: str, name: str, cell: int) -> None:
    assert parse_cell(Board.parse(spec), name) == cell


@pytest.mark.parametrize(
    "name", ["", "d1", "a4", "a0", "0", "10", "1a", "a", "a1.2", "é1", "a" * 10_000, "a1 b2", "-1", "²"]
)
def test_unknown_cells_get_one_sentence(name: str) -> None:
    with pytest.raises(InvalidCell) as caught:
        parse_cell(Board.parse("3x3"), name)
    message = str(caught.value)
    assert "\n" not in message
    assert "3x3:3" in message
    assert "a1" in message
    assert len(message) < 200


def test_a_cell_of_a_solid_board_needs_its_layer() -> None:
    with pytest.raises(InvalidCell, match=r"add the layer, as in a1\.1"):
        parse_cell(Board.parse("3x3x3"), "a1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "X",
        "X.O/.X.",
        "X.O/.X./..OO",
        "X.O|.X.|..O",
        "XYO/.X./..O",
        "X.O/.X./..Ø",
        "." * 10,
        "x" * 10_000,
        "a1 a1",
        "a1 d4",
        "a1 a2 b1 b2 c1 c2",
        "a1b",
        "10",
        "\x00" * 9,
        "X.O//.X.",
        "a1 é2",
    ],
)
def test_what_is_no_position_gets_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_position(Board.parse("3x3"), text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.isascii()
    assert len(message) < 250
    assert caught.value.exit_code == 2


def test_moves_after_the_end_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="plays c2 after the game was over: leave out the moves from c2 on"):
        parse_position(Board.parse("3x3"), "a1 a2 b1 b2 c1 c2")


def test_a_position_of_marks_may_be_unreachable() -> None:
    assert parse_position(Board.parse("3x3"), "XXX/OOO/...").problems()
