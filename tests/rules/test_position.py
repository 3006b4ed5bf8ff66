"""Positions: what play can reach against brute force, every filling; and what a position says of itself."""

from __future__ import annotations

import json
import pickle
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.rules.board import Board
from noughts.rules.cells import Cells, cell_name, cells_as
from noughts.rules.errors import InputError, InvalidCell, InvalidPosition, InvalidType
from noughts.rules.marks import cells_of, mask_of
from noughts.rules.position import Position, completing_cells, parse_position
from tests import naive
from tests.boards import SMALL, Small, small


def filled(board: Board, text: str) -> Position:
    return Position(
        board,
        sum(1 << cell for cell, mark in enumerate(text) if mark == "X"),
        sum(1 << cell for cell, mark in enumerate(text) if mark == "O"),
    )


def check_every_filling(on: Small) -> None:
    reachable = naive.reachable(on.game)
    found = set()
    for marks in product(".XO", repeat=on.board.cells):
        text = "".join(marks)
        if not filled(on.board, text).problems():
            found.add(text)
    assert found == reachable


@pytest.mark.parametrize("name", [name for name in SMALL if small(name).board.cells <= 7])
def test_problems_are_none_exactly_where_play_can_lead(name: str) -> None:
    check_every_filling(small(name))


@pytest.mark.parametrize(
    ("rows", "columns", "k", "torus", "misere"),
    [(3, 3, 3, False, False), (3, 3, 3, True, False), (3, 3, 3, False, True), (3, 3, 2, False, False)],
)
def test_every_filling_of_nine_cells(rows: int, columns: int, k: int, torus: bool, misere: bool) -> None:
    board = Board.grid(rows, columns, k, torus=torus, misere=misere)
    check_every_filling(Small(board, naive.grid(rows, columns, k, 1, torus, misere), ()))


@pytest.mark.slow
def test_every_filling_of_three_by_four() -> None:
    check_every_filling(Small(Board.grid(3, 4, 3), naive.grid(3, 4, 3), ()))


@pytest.mark.parametrize(
    ("spec", "text", "words"),
    [
        ("3x3", "XX./.../...", ["too many X: X has 2 marks and O 0"]),
        ("3x3", "OO./X../...", ["too many O: X has 1 mark and O 2"]),
        ("3x3", "XXX/OOO/...", ["both have a line"]),
        ("3x3", "XXX/OO./..O", ["X has a line and yet O moved after it"]),
        ("3x3", "OOO/XX./XX.", ["O has a line and yet X moved after it"]),
        ("3x4:3", "XXX./OOOO/XXX.", ["too many X", "both have a line", "the lines of X share no cell"]),
        ("3x3", "OOO/OOO/...", ["too many O", "the lines of O share no cell"]),
    ],
)
def test_all_reasons_are_listed(spec: str, text: str, words: list[str]) -> None:
    position = parse_position(Board.parse(spec), text)
    problems = position.problems()
    assert len(problems) == len(words)
    assert all(word in problem for word, problem in zip(words, problems, strict=True))
    with pytest.raises(InvalidPosition, match="cannot arise in play") as caught:
        position.require_reachable()
    assert all(problem in str(caught.value) for problem in problems)


def test_a_double_line_is_reachable() -> None:
    position = parse_position(Board.parse("3x3"), "XXX/XOO/XOO")
    assert position.require_reachable() is position
    assert position.winner == "X"
    assert len(position.completed_lines("X")) == 2


fillings = st.text(".XO", min_size=12, max_size=12)


@given(text=fillings, misere=st.booleans())
def test_what_a_position_says_of_itself(text: str, misere: bool) -> None:
    board = Board.grid(3, 4, 3, misere=misere)
    game = naive.grid(3, 4, 3, misere=misere)
    position = filled(board, text)
    assert eval(repr(position), {"Board": Board, "Position": Position}) == position
    assert position.ply == 12 - text.count(".")
    assert [position.mark_at(cell) or "." for cell in range(12)] == list(text)
    assert list(cells_of(position.blanks)) == naive.blanks(text)
    has = {player: naive.has_line(game, text, player) for player in "XO"}
    for player in ("X", "O"):
        others = [line for line in game.lines if all(text[cell] == player for cell in line)]
        assert sorted(position.completed_lines(player)) == sorted(mask_of(line) for line in others)
        wins = naive.winning_cells(game, text, player)
        if not has[player]:
            assert list(position.threats(player)) == wins
    assert position.is_terminal == (has["X"] or has["O"] or "." not in text)
    if not (has["X"] and has["O"]):
        assert position.outcome == naive.line_outcome(game, text)
    if text.count("X") - text.count("O") in (0, 1):
        assert position.to_move == naive.mover(text)
        for cell in naive.blanks(text):
            if not position.is_terminal:
                assert position.play(cell) == filled(board, naive.play(text, cell))
                assert position.play(cell).is_terminal == filled(board, naive.play(text, cell)).is_terminal
                continue
            with pytest.raises(InvalidPosition, match="the game is over in"):
                position.play(cell)


def test_only_blank_cells_of_the_board_are_played() -> None:
    position = Position(Board.parse("3x3"), 16, 0)
    with pytest.raises(InvalidPosition, match="b2 is not blank"):
        position.play(4)


@pytest.mark.parametrize(("x", "o"), [(1, 1), (512, 0), (0, 512), (0, 1024), (-1, 0), (0, -1)])
def test_sets_that_are_no_position(x: int, o: int) -> None:
    with pytest.raises(InvalidPosition, match="are not a position of 3x3:3"):
        Position(Board.parse("3x3"), x, o)


def test_completing_cells_count_cells_not_lines() -> None:
    board = Board.parse("3x3")
    assert completing_cells(board, mask_of([0, 2, 6, 8]), mask_of([1, 3, 4, 5, 7])) == mask_of([1, 3, 4, 5, 7])
    assert completing_cells(board, mask_of([0, 8]), mask_of([4])) == mask_of([4])


def test_a_player_is_x_or_o():
    at = parse_position("3x3", "a1 b2 a2")
    assert at.threats("X") == (6,)
    wrong: Any
    for wrong in ("x", "Q", 1, None):
        for call in (at.marks, at.threats, at.completed_lines):
            with pytest.raises(InputError, match=r"the player cannot be .*X, O"):
                call(wrong)


def test_a_cell_that_is_none_is_no_taken_cell():
    at = parse_position("3x3", "a1 b2")
    assert [at.mark_at(cell) for cell in ("a1", "5", 8)] == ["X", "O", None]
    wrong: Any
    for call in (at.play, at.mark_at):
        for wrong in (9, -1, "d4"):
            with pytest.raises(InvalidCell, match="3x3:3 has no cell"):
                call(wrong)
        for wrong in (True, None, 1.0):
            with pytest.raises(InvalidType, match="a cell cannot be"):
                call(wrong)


def test_nobody_has_won_where_both_have_a_line() -> None:
    board = Board.parse("2x3:3")
    at = Position(board, 0b000111, 0b111000)
    assert at.winner is None
    assert at.outcome is None
    assert at.is_terminal
    assert at.moves() == ()
    assert Position(board, 0b001011, 0b110100).outcome == "draw"
    assert Position(board, 0b001011, 0b010100).outcome is None
    assert Position(board, 0b001011, 0b010100).moves() == (5,)
    assert [Position(board, x, o).to_move for x, o in ((0, 0), (1, 0), (1, 2), (0, 2), (5, 0))] == list("XOXXO")


def test_moves_are_names_and_numbers_at_once():
    """Printed as names, in the spelling of the context; taken as the index of the cell."""
    at = Position(Board.parse("3x4:3")).play("b2")
    move = at.moves()[-1]
    assert (str(move), repr(move), f"{move}", int(move)) == ("d3", "d3", "d3", 11)
    assert move == 11
    assert pickle.loads(pickle.dumps(move)).board == at.board
    assert json.dumps([move]) == "[11]"
    assert at.play(move) == at.play("d3") == at.play("12") == at.play(11)
    with cells_as("numbers"):
        assert str(move) == "12"


def test_a_position_takes_the_name_of_its_board() -> None:
    assert Position("3x4:3") == Position(Board.parse("3x4"))
    assert Position("3x4:3", 1, 2).board == Board.parse("3x4")
    with pytest.raises(InputError, match="three"):
        Position("three")


# Sets of cells are integers that iterate over their cells and print as names.


@pytest.mark.parametrize("spec", ["3x4:3", "2x2x2", "2x3+wild", "3x3:3+gravity"])
def test_sets_of_cells_are_values(spec: str) -> None:
    board = Board.parse(spec)
    position = Position(board)
    while not position.is_terminal and position.ply < 3:
        position = position.play(position.moves()[-1])
    names = [cell_name(board, cell) for cell in range(board.cells)]
    marks = str(position).replace("/", "").replace("|", "")
    for cells, wanted in (
        (position.blanks, [name for name, mark in zip(names, marks, strict=True) if mark == "."]),
        (position.marks("X"), [name for name, mark in zip(names, marks, strict=True) if mark == "X"]),
        (position.marks("O"), [name for name, mark in zip(names, marks, strict=True) if mark == "O"]),
    ):
        assert [str(cell) for cell in cells] == wanted
        assert str(cells) == f"{cells}" == " ".join(wanted)
        assert repr(cells) == f"{{{', '.join(wanted)}}}"
        assert len(cells) == len(wanted)
        assert list(cells) == list(cells_of(cells))
        assert [name in cells for name in names] == [name in wanted for name in names]
        assert pickle.loads(pickle.dumps(cells)) == cells == int(cells)
        assert type(cells & 1) is int
    assert tuple(position.playable) == position.moves()
    with pytest.raises(InvalidCell, match="has no cell 'z9'"):
        assert "z9" in position.blanks


@pytest.mark.parametrize("cells", [-1, 1 << 12])
def test_a_set_has_cells_of_its_board(cells: int) -> None:
    assert list(Cells("3x4:3", 5)) == [0, 2]
    with pytest.raises(InvalidCell, match=f"{cells} is not a set of cells of 3x4:3: use bits 0 to 11"):
        Cells("3x4:3", cells)
    with pytest.raises(InvalidType, match="a set of cells cannot be a str: give bit i for cell i"):
        Cells(Board.parse("3x4:3"), "a1")  # type: ignore[arg-type]


def test_completed_lines_are_sets_of_cells() -> None:
    position = parse_position("3x4:3", "XXX./OO../....")
    assert [str(line) for line in position.completed_lines("X")] == ["a1 b1 c1"]
    assert position.completed_lines("O") == ()
