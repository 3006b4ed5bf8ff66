"""Tables over the pairs of marks, against merged states in plain Python and against the definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.pure.tables import Tables
from noughts.domain.board import Board
from noughts.kernels.blindfold.pairs import fill_counts
from tests.blindfold.test_engines import compare_with_tables

BOARDS = ["2x2:2", "2x2:2+misere", "1x4:2", "1x5:1", "2x2:3"]


@pytest.mark.parametrize("spec", BOARDS)
def test_plans_and_chances(spec: str) -> None:
    compare_with_tables(spec)


@pytest.mark.parametrize("spec", BOARDS)
def test_sets_between(spec: str) -> None:
    board = Board.parse(spec)
    tables = Tables(board, BlindRules())
    counts = [np.empty(3**board.cells, np.int32) for _ in range(board.cells + 1)]
    for size, found in enumerate(counts):
        fill_counts(size, tables.pairs, found)
    free = [mask for mask in range(1 << board.cells) if not board.has_line(mask)]
    for digits in product(range(3), repeat=board.cells):
        barred, known = (sum(1 << cell for cell, digit in enumerate(digits) if digit == kind) for kind in (1, 2))
        number = sum(digit * 3**cell for cell, digit in enumerate(digits))
        between = [mask.bit_count() for mask in free if mask & known == known and not mask & barred]
        assert [int(found[number]) for found in counts] == [between.count(size) for size in range(board.cells + 1)]
        assert tables.largest[number] == (-1 if board.has_line(known) else max(between))
