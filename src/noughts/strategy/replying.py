"""By which values somebody replies who keeps nobody waiting: those of a whole board, else of a short search."""

from __future__ import annotations

from functools import lru_cache

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.machine.budget import Limits
from noughts.machine.progress import silent
from noughts.machine.workers import workers_for
from noughts.solving.engines import offers
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.retrograde import NAME
from noughts.solving.solution import Solution
from noughts.strategy.solutions import searched_from

__all__ = ["WHOLE_CELLS", "reply_values_at", "whole_values"]

_SECONDS = 1.5
"""A whole board is valued, for all its positions, where that takes no longer; else each position by itself."""
_REPLY = SearchBudget(position=200_000, moves=200_000, whole=400_000, far=200_000)
"""What a search may spend for the reply of an opponent."""
WHOLE_CELLS = 20
"""Cells up to which it is reckoned whether a whole board can be valued; the reckoning alone takes time."""


@lru_cache(maxsize=4)
def whole_values(board: Board) -> Solution | None:
    """Return the values of all positions of a board, None where they take long; kept for a few boards."""
    if board.cells > WHOLE_CELLS:
        return None
    problem = Problem(board, Position(board), remoteness=True, remoteness_preferred=True)
    offer, _ = offers(problem, Limits.of("200MB", _SECONDS), engine=NAME)
    return None if offer is None else offer.solve(workers_for(), silent)


def reply_values_at(position: Position) -> Solution:
    """Return the values by which an opponent replies in a position: of the whole board, else of a search begun anew.

    Raises BudgetError where the board is too large for a search.
    """
    return whole_values(position.board) or searched_from(position, _REPLY)
