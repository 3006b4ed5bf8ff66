from __future__ import annotations

import random

import numpy as np
import pytest

from noughts.domain.board import Board
from noughts.domain.position import completing_cells as completing_cells_in_python
from noughts.domain.rules import forking_cells as forking_cells_in_python
from noughts.kernels.bits import completing_cells, has_line
from noughts.kernels.layers.moves import forking_cells

BOARDS = ["3x4:3", "4x3:3", "8x8:8", "4x4x4", "1x3:1", "3x3+torus", "2x2:3"]


def marks(board: Board, rng: random.Random, chance: float) -> tuple[int, int]:
    own = sum(1 << cell for cell in range(board.cells) if rng.random() < chance)
    other = sum(1 << cell for cell in range(board.cells) if rng.random() < 0.3) & ~own
    return own, board.full & ~own & ~other


@pytest.mark.parametrize("spec", BOARDS)
def test_lines_and_threats_are_those_of_the_domain(spec: str) -> None:
    board = Board.parse(spec)
    lines = np.array(board.line_masks, np.uint64)
    rng = random.Random(1)
    for chance in (0.2, 0.5, 0.8, 0.8, 0.95, 1.0):
        own, blank = marks(board, rng, chance)
        found = completing_cells(np.uint64(own), np.uint64(blank), lines)
        assert int(found) == completing_cells_in_python(board, own, blank)
        assert bool(has_line(np.uint64(own), lines)) == board.has_line(own)
        forks = forking_cells(np.uint64(own), np.uint64(blank), lines)
        assert int(forks) == forking_cells_in_python(board, own, blank)


def test_masks_stay_unsigned() -> None:
    """The last of 64 cells is the top bit: an int64 on the way would make the mask negative."""
    board = Board.parse("8x8:8")
    lines = np.array(board.line_masks, np.uint64)
    diagonal = sum(1 << 9 * i for i in range(8))
    found = completing_cells(np.uint64(diagonal ^ 1 << 63), np.uint64(1 << 63), lines)
    assert type(found) in (np.uint64, int)
    assert int(found) == 1 << 63
    assert has_line(np.uint64(diagonal), lines)
