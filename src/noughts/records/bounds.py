"""How many position classes a board may have, and up to where they are listed."""

from __future__ import annotations

from math import comb

from noughts.counting.sets.linefree import line_free_sets
from noughts.domain.board import Board
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError
from noughts.domain.extent import LISTED_CLASSES, least_classes, least_positions, position_bounds
from noughts.domain.position import Position

__all__ = [
    "ARRAY_CELLS",
    "ARRAY_CLASSES",
    "CELL_LIMIT",
    "GRAPH_CLASSES",
    "about_classes",
    "is_for_plain_python",
    "least_by_ply",
    "position_bound",
    "require_listable",
]

GRAPH_CLASSES = 4_000
"""Classes, by the bound, up to which nothing is gained by arrays."""
ARRAY_CELLS = 20
"""Cells up to which a large board is kept as arrays: counts are at most N!, which fits 63 bits."""
ARRAY_CLASSES = 3_000_000
"""Classes, by the bound, up to which a catalogue is kept in memory; 4x4:4 has 1.2 million."""
CELL_LIMIT = 64
"""Cells up to which positions are listed."""


def position_bound(board: Board) -> int:
    """Return at least the number of reachable positions, and rarely twice as many.

    Cost: that of counting the line-free sets, or nothing where they are too many to count.
    """
    try:
        free: tuple[int, ...] = line_free_sets(board)
    except BudgetError:
        free = tuple(comb(board.cells, size) for size in range(board.cells + 1))
    return sum(position_bounds(board, free))


def about_classes(board: Board) -> int:
    """Return about how many position classes a board has: `position_bound` less what its symmetries make alike."""
    return -(-position_bound(board) // board.group().order)


def least_by_ply(board: Board) -> list[int]:
    """Return for each ply a number of position classes that there surely are; zeros where the cheap bound fails."""
    try:
        free = line_free_sets(board)
    except BudgetError:
        return [0] * (board.cells + 1)
    order = board.group().order
    return [-(-positions // order) for positions in least_positions(board, free)]


def require_listable(board: Board) -> None:
    """Raise BudgetError for boards whose positions nobody lists, before any time is spent on a bound.

    There are at least as many classes as `least_classes` sees at once.
    """
    if board.cells > CELL_LIMIT:
        raise BudgetError(
            f"{board} has {board.cells:,} cells and positions are listed on boards of up to {CELL_LIMIT}: "
            "ask about a smaller board"
        )
    if board.cells <= ARRAY_CELLS:
        return
    least = least_classes(Position(board))
    if least > LISTED_CLASSES:
        raise BudgetError(
            f"{board} has at least {roughly(least)} position classes on {board.cells} cells, and those of boards of "
            f"more than {ARRAY_CELLS} cells are listed up to {LISTED_CLASSES:,}: ask about a smaller board"
        )


def is_for_plain_python(board: Board, classes: int) -> bool:
    """Tell whether a board of so many classes, by the bound, is listed in plain Python: few, or no arrays for them."""
    return classes <= GRAPH_CLASSES or (classes <= LISTED_CLASSES and board.cells > ARRAY_CELLS)
