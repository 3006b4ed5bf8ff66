"""Boards: specifications, lines against the oracle, boards given by their lines."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.rules.board import (
    Board,
    Specification,
    format_infinite,
    format_specification,
    infinite_k,
    is_infinite,
    parse_specification,
)
from noughts.rules.errors import InputError, InvalidBoard, InvalidType
from noughts.rules.play import MISERE, NORMAL
from tests import naive
from tests.boards import FLOWER


def lines_of(board: Board) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(line) for line in board.lines)


@pytest.mark.parametrize("torus", [False, True])
def test_lines_are_those_of_the_oracle(torus: bool) -> None:
    for rows, columns, k in product(range(1, 6), range(1, 6), range(1, 7)):
        board = Board.grid(rows, columns, k, torus=torus)
        assert lines_of(board) == naive.grid(rows, columns, k, torus=torus).lines, board
    for rows, columns, layers, k in product(range(1, 4), range(1, 4), range(1, 4), range(1, 5)):
        board = Board.grid(rows, columns, k, layers, torus=torus)
        assert lines_of(board) == naive.grid(rows, columns, k, layers, torus).lines, board


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("3x3", 8),
        ("4x4:4", 10),
        ("4x4:3", 24),
        ("3x4:3", 14),
        ("4x3:3", 14),
        ("3x3x3", 49),
        ("4x4x4", 76),
        ("3x3+torus", 12),
        ("4x4+torus", 16),
        ("1x5:3", 3),
        ("2x2:3", 0),
        ("5x5:6", 0),
    ],
)
def test_known_numbers_of_lines(spec: str, count: int) -> None:
    board = Board.parse(spec)
    assert len(board.lines) == count
    assert list(board.lines) == sorted(set(board.lines))
    assert all(list(line) == sorted(set(line)) for line in board.lines)
    assert [sum(1 << cell for cell in line) for line in board.lines] == list(board.line_masks)
    for cell, masks in enumerate(board.lines_through):
        assert list(masks) == [mask for mask in board.line_masks if mask >> cell & 1]
    assert len(board.lines_through) == board.cells


@given(
    sides=st.lists(st.integers(1, 1000), min_size=2, max_size=3),
    k=st.integers(1, 2000),
    torus=st.booleans(),
    misere=st.booleans(),
)
def test_specifications_are_read_as_printed(sides: list[int], k: int, torus: bool, misere: bool) -> None:
    said = Specification(tuple(sides), k, torus, MISERE if misere else NORMAL)
    text = format_specification(said)
    assert parse_specification(text) == said
    assert parse_specification(f"  {text.upper()} ") == said
    board = Board.parse(text)
    assert str(board) == board.spec == text
    assert Board.parse(board) is board
    assert eval(repr(board), {"Board": Board}) == board


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("3x3", "3x3:3"),
        ("4x5", "4x5:4"),
        ("5x4", "5x4:4"),
        ("3x4x5", "3x4x5:3"),
        ("3X3+MISERE+Torus", "3x3:3+torus+misere"),
        ("1x7", "1x7:1"),
        ("2x2:1000", "2x2:1000"),
    ],
)
def test_one_spelling_is_printed(text: str, spec: str) -> None:
    assert Board.parse(text).spec == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "3y3",
        "0x3",
        "3x0",
        "999999x999999",
        "2x2x2x2",
        "3",
        "3x3:0",
        "3x3:",
        "3x3:x",
        "x",
        "3x-3",
        "3x3+",
        "3x3+cylinder",
        "3x3+torus+torus",
        "3x3 torus",
        "3x3:3:3",
        "³x³",
        "٣x٣",
        "3x3\n4x4",
        "1001x1",
        "x" * 10_000,
        "3x3:9999999",
        "9" * 90 + "x3",
        "3.0x3",
        "+misere",
    ],
)
def test_bad_specifications_get_one_sentence_with_a_remedy(text: str) -> None:
    with pytest.raises(InvalidBoard) as caught:
        Board.parse(text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.isascii()
    assert len(message) < 300
    assert "3x3" in message or "there are" in message or "once" in message
    assert caught.value.exit_code == 2


def test_boards_are_values() -> None:
    assert Board.parse("3x4") == Board.grid(3, 4) == Board.grid(3, 4, 3)
    assert hash(Board.parse("3x4")) == hash(Board.grid(3, 4, 3))
    assert Board.parse("3x4") != Board.parse("4x3")
    assert Board.parse("3x3") != Board.parse("3x3+misere")
    assert Board.parse("3x3") != Board.from_lines(9, Board.parse("3x3").lines)
    text: object = "3x3:3"
    assert Board.parse("3x3") != text


def test_attributes_of_grids() -> None:
    flat, solid = Board.parse("4x5:3+torus"), Board.parse("2x3x4+misere")
    assert (flat.cells, flat.shape, flat.k, flat.torus, flat.misere, flat.is_solid) == (
        20,
        (4, 5, 1),
        3,
        True,
        False,
        False,
    )
    assert (solid.cells, solid.shape, solid.k, solid.misere, solid.is_solid) == (24, (2, 3, 4), 2, True, True)
    assert flat.full == 2**20 - 1


def test_boards_from_lines() -> None:
    cells, lines = FLOWER
    board = Board.from_lines(cells, [list(reversed(line)) for line in lines] + [lines[0]])
    assert board.lines == tuple(sorted(lines))
    assert (board.cells, board.shape, board.k, board.torus, board.misere) == (7, None, None, False, False)
    assert board.group().order == 1
    assert str(board) == "7 cells, 4 lines"
    assert str(Board.from_lines(cells, lines, name="flower", misere=True)) == "flower+misere"
    assert eval(repr(board), {"Board": Board}) == board
    mirrored = Board.from_lines(3, [(0, 1), (1, 2)], [(2, 1, 0)], name="path", misere=True)
    assert mirrored.group().order == 2
    assert eval(repr(mirrored), {"Board": Board}) == mirrored


@pytest.mark.parametrize(
    ("cells", "lines", "symmetries", "words"),
    [
        (0, [], None, "give 1 or more"),
        (3, [(0, 3)], None, "number the cells from 0"),
        (3, [(-1, 0)], None, "number the cells from 0"),
        (3, [()], None, "not a set of cells"),
        (3, [(0, 1)], [(0, 1)], "must permute the cells"),
        (3, [(0, 1)], [(2, 1, 0)], "keep the lines"),
    ],
)
def test_bad_lines_are_refused(
    cells: int, lines: list[tuple[int, ...]], symmetries: list[tuple[int, ...]] | None, words: str
) -> None:
    with pytest.raises(InvalidBoard, match=words):
        Board.from_lines(cells, lines, symmetries)


@pytest.mark.parametrize("sides", [(0, 3, 3), (3, 1001, 3), (3, 3, 0)])
def test_bad_sides_are_refused(sides: tuple[int, int, int]) -> None:
    with pytest.raises(InvalidBoard, match="sides are 1 to 1000"):
        Board.grid(*sides)


def test_a_board_has_sides_or_lines():
    for wrong in ((None, 3), ("3x3", 9), (Board.parse("3x3").specification, 9, ((0, 1, 2),))):
        with pytest.raises(InvalidBoard, match=r"make one with Board\.parse"):
            Board(*wrong)


def test_sides_are_whole_numbers() -> None:
    make: Any = Board
    for sides, what in ((("3", 3), "rows"), ((3, 3.0), "columns"), ((3, 3, True), "k"), ((3, 3, 3, "2"), "layers")):
        with pytest.raises(InvalidType, match=f"^{what} cannot be a"):
            make.grid(*sides)
    with pytest.raises(InvalidType, match="the number of cells cannot be a float"):
        make.from_lines(3.0, [])
    for lines, symmetries in (([0], None), ([(0, "1")], None), (None, None), ([], [0]), ([], [(0.5,)])):
        with pytest.raises(InvalidType, match="lists of lists of cells"):
            make.from_lines(3, lines, symmetries)
    with pytest.raises(InputError, match="the symmetry cannot be 'cells'"):
        make.parse("3x3").group("cells")


def test_who_wins_by_the_lines() -> None:
    for misere in (False, True):
        board = Board.grid(2, 3, 3, misere=misere)
        top, bottom = 0b000111, 0b111000
        assert [board.has_line(marks) for marks in (0, 0b11, 0b100110, top, 0b1111)] == [False] * 3 + [True] * 2
        assert [board.line_outcome(player) for player in ("X", "O")] == (["O", "X"] if misere else ["X", "O"])
        assert board.winner(top, 0b11000) == board.line_outcome("X")
        assert board.winner(0b1011, bottom & ~0b1000 | 0b100) is None
        assert board.winner(0b11, bottom) == board.line_outcome("O")
        assert board.winner(top, bottom) is None, "both have one: nobody knows which was first"


# How the infinite board is written, and that it is not a board with sides.


@pytest.mark.parametrize("text", ["9+infinite", "infinite:9", " 9 + Infinite", "INFINITE:9", "９+infinite"])
def test_it_is_read(text: str) -> None:
    assert is_infinite(text)
    assert infinite_k(text) == 9
    assert infinite_k(format_infinite(9)) == 9


@pytest.mark.parametrize(
    "text",
    ["9x9+infinite", "9x9:9+infinite", "9+infinite+torus", "9+misere+infinite", "infinite", "+infinite", "-1+infinite",
     "0+infinite", "1000001+infinite", "9" * 400 + "+infinite", "infinite:9:9", "3x3", ""],
)  # fmt: skip
def test_what_is_none_gets_one_sentence(text: str) -> None:
    with pytest.raises(
        InvalidBoard, match=r"write (only how many in a row win|1 to 1,000,000), as in 9\+infinite"
    ) as caught:
        infinite_k(text)
    assert "\n" not in str(caught.value)
