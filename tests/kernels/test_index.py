"""Ranks, subsets and half-board tables against plain loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from noughts.kernels.index import ranks
from noughts.kernels.index.ranks import canonical_images, images
from noughts.machine.workers import SERIAL, Threads
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.index import PerfectIndex
from noughts.solving.retrograde import SmallSolution
from noughts.solving.search import SearchSolution
from noughts.solving.tables import BackwardPass
from noughts.solving.values import reached
from tests.workers import Pickled


def sets(n: int, q: int) -> list[int]:
    return sorted(sum(1 << cell for cell in chosen) for chosen in combinations(range(n), q))


@pytest.mark.parametrize("n", range(9))
def test_subsets_and_their_ranks(n: int) -> None:
    for q in range(n + 1):
        masks = sets(n, q)
        assert ranks.subsets(n, q).tolist() == masks
        low, low_table, high_table = ranks.half_ranks(n, q)
        assert [low_table[m & ((1 << low) - 1)] + high_table[m >> low] for m in masks] == list(range(len(masks)))


@pytest.mark.parametrize("n", range(8))
def test_supersets(n: int) -> None:
    for q in range(n + 1):
        bigger = sets(n, q + 1)
        table = ranks.supersets(n, q)
        assert table.dtype == np.int32
        for row, mask in zip(table.tolist(), sets(n, q), strict=True):
            assert row == [bigger.index(mask | 1 << cell) for cell in range(n) if not mask >> cell & 1]


def test_images_of_all_sets_of_a_row_of_five() -> None:
    mirror = np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]], np.int64)
    tables = images(mirror)
    assert (tables.low.shape, tables.high.shape) == ((2, 4), (2, 8))
    every = np.arange(32, dtype=np.int64)
    least, element = canonical_images(every, tables)
    for mask in range(32):
        mirrored = int(f"{mask:05b}"[::-1], 2)
        assert least[mask] == min(mask, mirrored)
        assert (mask, mirrored)[int(element[mask])] == least[mask]


# The kernels of `solving` on small boards against plain Python: compiled, bare and bounds-checked.

BOARDS = ["3x3", "2x3:2", "2x4:3", "1x7:3", "2x3:3+misere", "2x3:2+torus", "1x2x3:2", "2x2:3", "1x1:1", "3x3:2"]


@pytest.mark.parametrize("spec", BOARDS)
@pytest.mark.parametrize("packed", [False, True])
def test_layers(spec: str, packed: bool) -> None:
    board = Board.parse(spec)
    tables = BackwardPass(PerfectIndex(board), packed=packed).layers()
    assert reached(table.counts for table in tables) == SmallSolution(board).plies()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x5:3+misere"])
def test_workers_make_no_difference(spec: str, packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    index = PerfectIndex(Board.parse(spec))
    one = [(table.data.tobytes(), table.counts) for table in BackwardPass(index, packed=packed).layers()]
    monkeypatch.setattr("noughts.solving.tables.SLICE_ENTRIES", 50)
    for workers in (SERIAL, Threads(2), Threads(3), Threads(7), Pickled()):
        tables = BackwardPass(index, packed=packed, workers=workers).layers()
        assert [(table.data.tobytes(), table.counts) for table in tables] == one


@pytest.mark.parametrize("spec", BOARDS)
def test_search(spec: str) -> None:
    board = Board.parse(spec)
    small, searched = SmallSolution(board), SearchSolution(board, slots=1 << 6)
    waiting = [Position(board)]
    for position in waiting:
        assert searched.outcome(position) == small.outcome(position)
        if position.outcome is None and position.ply < 3:
            waiting += [position.play(cell) for cell in range(board.cells) if position.blanks >> cell & 1]


def test_64_cells() -> None:
    board = Board.grid(8, 8, 3)
    solution = SearchSolution(board, slots=1 << 10)
    assert solution.outcome() == "X"
    last = Position(board, 1 << 63 | 1 << 62, 1 | 2)
    assert solution.outcome(last) == "X"
    assert 61 in (solution.best_moves(last) or ())
