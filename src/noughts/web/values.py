"""The values of boards for pages: kept for each of the last few boards, and searched within the time of a page."""

from __future__ import annotations

from functools import lru_cache

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Solution
from noughts.strategy.solutions import solution_for

__all__ = ["solution_of"]

_SEARCH = SearchBudget(position=400_000, moves=400_000, whole=2_000_000, far=100_000)
"""What a search may spend for one page: about a second."""


@lru_cache(maxsize=4)
def solution_of(board: Board) -> Solution:
    """Return the values of a board's positions, by the cheapest engine that can.

    Raises BudgetError where no engine can; where a search does not settle a position, asking for it does.
    """
    return solution_for(Position(board), _SEARCH)
