"""The search on bit columns uncompiled: the scores that plain minimax in this file gives; what completes a line."""

from __future__ import annotations

import random

import numpy as np
import pytest

from noughts.kernels.search import columns
from noughts.rules.board import Board
from noughts.rules.marks import Mask, cells_of
from noughts.rules.position import Position, completing_cells
from noughts.solving.columns import ColumnSearcher
from tests.kernels.plain import plain


def minimax(at: Position) -> int:
    if at.outcome is not None:
        sign = 0 if at.outcome == "draw" else 1 if at.outcome == at.to_move else -1
        return sign * ((at.board.cells + 2 - at.ply) // 2)
    return -min(minimax(at.play(move)) for move in at.moves())


@pytest.mark.parametrize("spec", ["3x3:3+gravity", "3x3:3+gravity+misere", "2x4:4+gravity", "4x2:3+gravity"])
def test_scores(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board, dice = Board.parse(spec), random.Random(1)
    monkeypatch.setattr(columns, "search", plain(columns.search))
    searcher = ColumnSearcher(board)
    for _ in range(10):
        at = Position(board)
        while at.ply < 3 or (at.outcome is not None):
            at = Position(board) if at.outcome is not None else at.play(dice.choice(at.moves()))
        assert searcher.score(at) == minimax(at), at


@pytest.mark.parametrize("spec", ["3x3:3", "4x5:4", "3x5:4", "6x7:4", "5x4:5", "2x6:6", "4x4:1", "3x4:5", "7x3:4"])
def test_cells_that_complete_a_line(spec: str) -> None:
    board, dice = Board.parse(spec + "+gravity"), random.Random(2)
    searcher = ColumnSearcher(board)

    def word(cells: Mask) -> Mask:
        return sum(searcher._bit[cell] for cell in range(board.cells) if cells >> cell & 1)

    for _ in range(20):
        own = other = 0
        for _ in range(dice.randrange(board.cells)):  # marks fall, and lines do not end this
            cell = dice.choice(list(cells_of(board.rules.moves(board, own, other))))
            own, other = (own | 1 << cell, other) if dice.random() < 0.6 else (own, other | 1 << cell)
        blank = board.full & ~(own | other)
        found = plain(columns.completing)(np.uint64(word(own)), searcher._ground)
        assert int(found) & word(blank) == word(completing_cells(board, own, blank)), (own, other)
