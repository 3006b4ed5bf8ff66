"""The kernels of `solving` on small boards against plain Python: compiled, bare and bounds-checked."""

from __future__ import annotations

import numpy as np
import pytest

from noughts.domain.board import Board
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.kernels.search import survey
from noughts.machine.workers import SERIAL, Threads
from noughts.solving.backward import BackwardPass
from noughts.solving.index import PerfectIndex
from noughts.solving.plies import reached
from noughts.solving.searcher import Searcher
from noughts.solving.searching import SearchSolution
from noughts.solving.small import SmallSolution
from tests.workers import Pickled

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
    monkeypatch.setattr("noughts.solving.backward.SLICE_ENTRIES", 50)
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


def test_against_a_fork_only_its_lines_are_of_use() -> None:
    position = parse_position(Board.parse("5x5:4"), "...../..X../..X../X...O/OO...")
    searcher = Searcher(position.board, slots=1 << 6)
    assert position.to_move == "X"
    assert searcher.can_force(position, "X") is True
    breaking = getattr(survey.breaking, "py_func", survey.breaking)  # what kernels call has no door for Python
    lines = np.array([0b0011, 0b0110, 0b11100], np.uint64)
    assert int(breaking(np.uint64(0b0010), lines, 3)) == 0b0111
    assert int(breaking(np.uint64(0), lines, 3)) == (1 << 64) - 1


def test_64_cells() -> None:
    board = Board.grid(8, 8, 3)
    solution = SearchSolution(board, slots=1 << 10)
    assert solution.outcome() == "X"
    last = Position(board, 1 << 63 | 1 << 62, 1 | 2)
    assert solution.outcome(last) == "X"
    assert 61 in solution.best_moves(last)
