"""Cells, positions and moves as text: parse and format are inverse, every spelling is read, mistakes are explained."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import BudgetError, InputError, InvalidCell, InvalidPosition
from noughts.domain.notation import format_position, format_start, parse_game, parse_position
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
    with pytest.raises(InvalidPosition, match="plays c2 after the game was over, won by X with a1-b1-c1: leave out"):
        parse_position(Board.parse("3x3"), "a1 a2 b1 b2 c1 c2")
    with pytest.raises(InvalidPosition, match="after the game was over, won by O as X completed a1-b1-c1: leave out"):
        parse_position(Board.parse("3x3+misere"), "a1 a2 b1 b2 c1 c2")
    with pytest.raises(InvalidPosition, match="plays a1 after the game was over, drawn on the full board: leave out"):
        parse_position(Board.parse("2x2:3"), "a1 a2 b1 b2 a1")


@pytest.mark.parametrize("cell", [-1, 9])
def test_a_cell_beyond_the_board_has_no_name(cell: int) -> None:
    with pytest.raises(InvalidCell, match="as integers the cells are 0 to 8"):
        cell_name("3x3", cell)


def test_a_sign_of_no_notation_is_in_no_move() -> None:
    with pytest.raises(InvalidPosition, match="is no position of 3x3:3"):
        parse_position("3x3", "a1 é2")


def test_marks_are_no_moves() -> None:
    with pytest.raises(InvalidPosition, match=r"is a position, and moves are wanted"):
        parse_game(Board.parse("3x3"), "X../.O./...")


@pytest.mark.parametrize("text", ["X", "a1", 5])
def test_positions_of_boards_too_large_to_count_are_refused(text: object) -> None:
    with pytest.raises(BudgetError, match="has 4,100 cells: ask about a board of up to 4,096"):
        parse_position(Board.parse("82x50"), text)  # type: ignore[arg-type]  # 5 is no text
    with pytest.raises(BudgetError, match="has 4,100 cells"):
        parse_game(Board.parse("82x50"), "a1")


def test_the_start_is_named_where_it_is_not_the_empty_board() -> None:
    assert format_start(Position(Board.parse("3x3"))) == ""
    assert format_start(parse_position("3x3", "a1")) == " from X../.../..."


def test_a_position_of_marks_may_be_unreachable() -> None:
    assert parse_position(Board.parse("3x3"), "XXX/OOO/...").problems()


def drawn(position: Position, *, rule: str = "", spaces: bool = True, border: bool = False, cut: bool = False) -> str:
    """Draw a board with bars between its cells, layer below layer; written from the marks alone."""
    shape = position.board.shape
    assert shape is not None
    rows, columns, layers = shape
    marks = [position.mark_at(cell) or " " for cell in range(position.board.cells)]
    lines = []
    for row in range(rows * layers):
        cells = marks[row * columns : (row + 1) * columns]
        line = " | ".join(cells) if spaces else "|".join(cells)
        line = f"| {line} |" if border else line
        lines.append(line.rstrip() if cut else line)
    return f"\n{rule}\n".join(lines) if rule else "\n".join(lines)


@given(
    positions(),
    st.sampled_from(["", "---+---+---", "-----------", "---|---|---", "+===+"]),
    st.booleans(),
    st.booleans(),
)
def test_boards_drawn_with_bars_are_read(position: Position, rule: str, spaces: bool, border: bool) -> None:
    shape = position.board.shape
    if shape is None or shape[1] < 2:
        return
    text = drawn(position, rule=rule, spaces=spaces, border=border)
    for spelling in (text, text.lower(), text.replace("\n", "\r\n"), f"\n{text}\n"):
        assert parse_position(position.board, spelling) == position
    if not border:
        assert parse_position(position.board, drawn(position, rule=rule, cut=True)) == position


def test_shourds_rows_are_read_on_one_line_and_with_lines_of_a_box() -> None:
    expected = parse_position("3x3", "XO./.X./..O")
    for text in (
        "X | O |   /   | X |   /   |   | O",
        "x|o|,|x|,||o",
        "X │ O │  \n──┼───┼──\n  │ X │  \n──┼───┼──\n  │   │ O",
    ):
        assert parse_position("3x3", text) == expected
    assert parse_position("2x2", "- | x\no | -") == parse_position("2x2", ".X/O.")
    assert parse_position("3x3", "x|-|-\n-|-|-\n-|-|o") == parse_position("3x3", "X../.../..O")
    assert parse_position("3x3", "x|-|-|\n-|-|-|\n-|-|o|") == parse_position("3x3", "X../.../..O")
    assert parse_position("3x3", "|x|-|-\n|-|-|-\n|-|-|o") == parse_position("3x3", "X../.../..O")
    for rule in ("=|=|=", "-+|+-", "--|--|--", "---"):
        assert parse_position("2x2", f"x|o\n{rule}\n |x") == parse_position("2x2", "XO/.X")


def test_bars_between_layers_mean_what_they_did() -> None:
    board = Board.parse("2x2x2")
    assert str(parse_position(board, "XO/..|../.X")) == "XO/..|../.X"
    assert str(parse_position(board, "X|O\n | \n\n | \n |X")) == "XO/..|../.X"
    assert str(parse_position("1x1x3:3", "X|O| ")) == "X|O|."


@pytest.mark.parametrize(
    "text", ["X | O", "X | O | X | O\n | | \n | | ", "| X | O |\n | | \n | | ", "XX|O|\n||\n||", "X|O|Z\n||\n||"]
)
def test_drawings_of_other_boards_are_refused(text: str) -> None:
    with pytest.raises(InvalidPosition, match="is no position of 3x3:3: write 3 rows of 3"):
        parse_position("3x3", text)
