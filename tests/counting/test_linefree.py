"""Sets of cells without a line, by size: against trying all sets."""

from __future__ import annotations

import pytest

from noughts.counting.sets import linefree
from noughts.counting.sets.linefree import line_free_sets
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from tests.boards import SMALL, small


def by_trying(board: Board) -> tuple[int, ...]:
    found = [0] * (board.cells + 1)
    for cells in range(1 << board.cells):
        found[cells.bit_count()] += all(cells & line != line for line in board.line_masks)
    return tuple(found)


BOARDS = [small(name).board for name in SMALL] + [
    Board.parse(spec) for spec in ("3x3", "3x3:2", "3x4:3", "2x6:2", "2x2x3:2", "1x11:4", "3x3+torus", "3x4:2+torus")
]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_sets_without_a_line_are_those_that_trying_all_finds(board: Board) -> None:
    assert line_free_sets(board) == by_trying(board)


def test_states_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 1x4:2 it matters only whether the last cell is in the set: two states at most, three of 1x5:3."""
    for spec, states in (("1x4:2", 2), ("1x5:3", 3)):
        monkeypatch.setattr(linefree, "_STATE_LIMIT", states)
        line_free_sets.cache_clear()
        assert line_free_sets(Board.parse(spec)) == by_trying(Board.parse(spec))
        monkeypatch.setattr(linefree, "_STATE_LIMIT", states - 1)
        line_free_sets.cache_clear()
        with pytest.raises(BudgetError, match=f"needs over {states - 1} states"):
            line_free_sets(Board.parse(spec))
    line_free_sets.cache_clear()
