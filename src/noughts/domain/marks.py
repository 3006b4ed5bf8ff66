"""Sets of marks as text: `X.O/.X./..O`, rows from the top, layers joined by `|`."""

from __future__ import annotations

from noughts.domain.bits import Mask
from noughts.domain.board import Board

__all__ = ["format_marks"]


def format_marks(board: Board, x: Mask, o: Mask) -> str:
    """Return the one printed form; on a board given by its lines all cells stand in one row."""
    marks = ["X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(board.cells)]
    if board.shape is None:
        return "".join(marks)
    rows, columns, layers = board.shape
    text = ["".join(marks[start : start + columns]) for start in range(0, len(marks), columns)]
    return "|".join("/".join(text[layer * rows : (layer + 1) * rows]) for layer in range(layers))
