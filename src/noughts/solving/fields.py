"""How much room a position takes: the bits of its cells, and the boards that fit into a word."""

from __future__ import annotations

from noughts.rules.board import Board

WORD_BITS, CLASS_CELLS, CLASS_SYMMETRIES, SEARCHED_CELLS = 64, 32, 400, 60
"""Bits of a word; limits on cells and symmetries where kernels list classes; most cells of a searched board."""


def bits_of(board: Board) -> list[int]:
    """Return the bit of each cell: its number, or with gravity columns side by side, the bottom cell lowest.

    Each column has one bit more than it has rows.
    """
    if not board.rules.by_column:
        return list(range(board.cells))
    rows, columns, _ = board.shape or (1, board.cells, 1)
    return [cell % columns * (rows + 1) + rows - 1 - cell // columns for cell in range(board.cells)]


def bits_below(board: Board) -> tuple[int, list[int]]:
    """Return the bottom row of a board with gravity, and the bits with 1, 2, 4, ... more bits above in the column."""
    rows, columns, _ = board.shape or (1, board.cells, 1)
    bottom = sum(1 << column * (rows + 1) for column in range(columns))
    return bottom, [bottom * ((1 << rows + 1 - (1 << step)) - 1) for step in range(rows.bit_length())]


def fits_word(board: Board) -> bool:
    """Tell whether the columns of a board with gravity, with a bit more for each, fit into a word."""
    return max(bits_of(board)) + 2 <= WORD_BITS


def is_searched(board: Board) -> bool:
    """Tell whether a board with gravity is small enough for the engine `columns`."""
    return fits_word(board) and board.cells <= SEARCHED_CELLS


def why_not_listed(board: Board) -> str | None:
    """Return which boards have their classes listed by kernels, as the end of a clause, where a board is not one."""
    if board.rules.by_column and not fits_word(board):
        return f"up to {WORD_BITS} bits, a bit a column more than its rows"
    if (board.cells > CLASS_CELLS and not board.rules.by_column) or board.part.group().order > CLASS_SYMMETRIES:
        return f"up to {CLASS_CELLS} cells and {CLASS_SYMMETRIES} symmetries"
    return None
