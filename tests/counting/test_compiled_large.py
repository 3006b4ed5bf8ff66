"""Boards beyond the lead table and up to the last bit of a word, against sums over the class graph in plain Python."""

from __future__ import annotations

import random
from math import comb, perm

import pytest

from noughts.counting.layers.classsums import class_rows
from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.question import SAMENESSES, Question
from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.domain.rules import END_RULES, MISERE_MOVE_RULES, MOVE_RULES
from noughts.kernels.layers.geometry import LEAD_TABLE_CELLS


@pytest.mark.parametrize(("spec", "to_ply"), [("3x9:2", 3), ("9x3:3", 3), ("8x8:8", 2), ("3x3x3", 3), ("1x64:2", 2)])
def test_first_plies_of_wide_boards(spec: str, to_ply: int) -> None:
    board = Board.parse(spec)
    assert board.cells > LEAD_TABLE_CELLS
    for same in SAMENESSES:
        for end in ("line", "full"):
            question = Question(board, same, "win", "block", end, to_ply=to_ply)
            assert compiled_rows(question) == class_rows(question), question


def nearly_full(board: Board, blanks: int, rng: random.Random) -> Position:
    """A position without a line that random play has led to, with so many cells left."""
    while True:
        start = Position(board)
        while not start.is_terminal and board.cells - start.ply > blanks:
            start = start.play(rng.choice([cell for cell in range(board.cells) if start.blanks >> cell & 1]))
        if not start.is_terminal:
            return start


@pytest.mark.parametrize("spec", ["3x9:4", "7x7:6", "8x8:6", "2x4x4:4", "6x5:5+torus", "8x8:7+misere"])
def test_endgames_of_wide_boards(spec: str) -> None:
    """To the end, where values and settled outcomes are needed; cell 64 is among the blank ones or the marks."""
    board = Board.parse(spec)
    rng = random.Random(spec)
    rules = MISERE_MOVE_RULES if board.misere else MOVE_RULES
    for end in END_RULES:
        for same in SAMENESSES:
            start = nearly_full(board, 6, rng)
            question = Question(board, same, rng.choice(rules), rng.choice(rules), end, start=start)
            assert compiled_rows(question) == class_rows(question), question


def test_counts_in_closed_form_on_64_cells() -> None:
    rows = compiled_rows(Question(Board.parse("8x8:5"), to_ply=4))
    for row in rows:
        x, o = (row.ply + 1) // 2, row.ply // 2
        assert row.paths == perm(64, row.ply)
        assert row.positions == comb(64, x) * comb(64 - x, o)
