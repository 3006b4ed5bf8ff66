"""Up to how many cells boards are looked at: asked before lines, masks or groups are built."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError

__all__ = ["COUNTED_CELLS", "PLAYED_CELLS", "require_playable", "require_size"]

COUNTED_CELLS = 4096
"""Cells of the largest board that is counted, and whose positions are read."""
PLAYED_CELLS = 400
"""Cells of the largest board on which play is looked into."""


def require_size(board: Board) -> None:
    """Raise BudgetError on boards of more than COUNTED_CELLS cells."""
    if board.cells > COUNTED_CELLS:
        raise BudgetError(f"{board} has {board.cells:,} cells: ask about a board of up to {COUNTED_CELLS:,}")


def require_playable(board: Board) -> None:
    """Raise BudgetError on boards of more than PLAYED_CELLS cells."""
    if board.cells > PLAYED_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells, and play is looked into on boards of up to {PLAYED_CELLS}: "
            "ask about a smaller board"
        )
