"""Gravity: which positions play can lead to, from the list of all games, and which boards cannot have it."""

from __future__ import annotations

from itertools import product

import pytest

from noughts.rules.board import Board
from noughts.rules.errors import InvalidBoard
from noughts.rules.position import Position
from tests import naive


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("rows", "columns", "k"), [(3, 3, 3), (2, 4, 2), (3, 2, 2), (2, 2, 2), (1, 5, 3), (4, 2, 3)])
def test_positions_are_reachable_as_the_list_of_games_says(rows: int, columns: int, k: int, misere: bool) -> None:
    board = Board.grid(rows, columns, k, gravity=True, misere=misere)
    games = naive.listed(naive.gravity(rows, columns, k))
    reached = {path.positions[-1] for layer in games for path in layer}
    for marks in product(".XO", repeat=board.cells):
        x, o = (sum(1 << cell for cell, mark in enumerate(marks) if mark == player) for player in "XO")
        assert (not Position(board, x, o).problems()) == ("".join(marks) in reached), marks


@pytest.mark.parametrize("spec", ["3x3x3+gravity", "3x3+gravity+torus", "4x4:3+torus+gravity+misere"])
def test_boards_that_cannot_have_gravity(spec: str) -> None:
    with pytest.raises(InvalidBoard, match=r"cannot be played: marks fall"):
        Board.parse(spec)


def test_only_the_mirror_keeps_the_rules() -> None:
    for spec in ("4x4:4+gravity", "3x5:3+gravity+misere"):
        assert Board.parse(spec).group().order == Board.parse(spec).group("lines").order == 2
    assert Board.parse("3x1:2+gravity").group().order == 1
