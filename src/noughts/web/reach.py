"""Which pages of a board can be had while a reader waits, told from its size before any work is done."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.extent import LISTED_CLASSES, class_bound
from noughts.domain.position import Position
from noughts.records.bounds import about_classes
from noughts.strategy.puzzles.api import MOST_CELLS
from noughts.strategy.puzzles.finding import is_listed, listed_settings
from noughts.strategy.puzzles.setting import LEAST_BLANKS, PuzzleGoal
from noughts.worksheets.exercise import MOST_PRINTED

__all__ = ["is_in_reach", "require_reach"]

_CLASSES = 100_000
"""Classes of positions, by the bound, up to which a page lists them."""
_CELLS = 36
"""Cells up to which a page searches all first moves and the replies to each."""
_LISTS = ("endings", "positions")
_CRIB = 30_000
"""Classes of positions, by the bound, up to which a page looks for the smallest table."""
_BOXES = 3_000
"""Classes of positions, by the bound, up to which a page has a matchbox for each."""


def is_in_reach(page: str, board: Board) -> bool:
    """Tell whether a kind of page is had of a board: from its size alone, False where that is sure to be too much."""
    if page in _LISTS:
        return board.cells <= _CELLS and about_classes(board) <= _CLASSES
    if page == "crib":
        return board.cells <= _CELLS and about_classes(board) <= _CRIB
    if page == "puzzles":
        return _has_puzzles(board)
    if page == "sheets":
        return board.shape is not None and board.cells <= MOST_PRINTED and _has_puzzles(board, "win")
    if page == "menace":
        return board.cells <= _CELLS and about_classes(board) <= _BOXES
    return page != "openings" or board.cells <= _CELLS


def _has_puzzles(board: Board, goal: PuzzleGoal | None = None) -> bool:
    """Tell whether puzzles are looked for on a board, and where all are listed whether there are any with the goal."""
    if not LEAST_BLANKS <= board.cells <= MOST_CELLS or not board.lines:
        return False
    return not is_listed(board) or any(goal in (None, each.goal) for each in listed_settings(board)[0])


def require_reach(page: str, board: Board) -> None:
    """Raise BudgetError where a kind of page is not had of a board."""
    if is_in_reach(page, board):
        return
    if page in _LISTS:
        raise BudgetError(
            f"{board} may have more than {_CLASSES:,} classes of positions, too many to list while a page is waited "
            "for: list them on the command line, or ask about a smaller board"
        )
    if page == "crib":
        listed = board.cells <= _CELLS and class_bound(Position(board)) <= LISTED_CLASSES
        way = "on the command line" if listed else "from a later position on the command line"
        raise BudgetError(
            f"{board} may have more than {_CRIB:,} classes of positions, too many for a smallest table while a page is "
            f"waited for: ask {way}, or about a smaller board"
        )
    if page == "menace":
        raise BudgetError(
            f"{board} may have more than {_BOXES:,} classes of positions, too many boxes for a page: ask on the "
            "command line, or about a smaller board"
        )
    raise BudgetError(
        f"the replies to all first moves of {board} are not searched while a page is waited for, which is done for up "
        f"to {_CELLS} cells: ask on the command line, or for a smaller board"
    )
