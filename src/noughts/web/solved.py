"""What pages ask of the rooms below again and again, kept for a few boards: values, and records of positions."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.game import Marks
from noughts.domain.position import Player, Position
from noughts.records.api import catalogue
from noughts.records.bounds import about_classes, require_listable
from noughts.records.catalogue import Catalogue
from noughts.records.small import GraphCatalogue
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Solution
from noughts.strategy.chances import winning_chances
from noughts.strategy.replying import WHOLE_CELLS, whole_values
from noughts.strategy.solutions import solution_for

__all__ = ["catalogue_of", "chance_of", "is_valued_whole", "soon_values_at", "values_at"]

_SEARCH = SearchBudget(position=200_000, moves=200_000, whole=600_000, far=40_000)
"""What a search may spend for one page."""
_CLASSES = 100_000
"""Classes, by the bound, up to which pages have the record of a position."""


def is_valued_whole(board: Board) -> bool:
    """Tell whether all positions of a board are valued at once, so that its moves may be asked for without a search."""
    return whole_values(board) is not None


def soon_values_at(position: Position) -> Solution:
    """Return the values of a position and of what follows, as far as a page finds them in about a second.

    Where the whole board is valued they are those of `values_at`; elsewhere a search, begun anew, may leave more
    unknown. Raises BudgetError where no engine can value it.
    """
    return whole_values(position.board) or solution_for(position, _SEARCH)


def values_at(position: Position) -> Solution:
    """Return the values of a position and of what follows: those of the whole board where they cost little.

    Raises BudgetError where no engine can value it.
    """
    return whole_values(position.board) or solution_for(position)


@lru_cache(maxsize=4)
def catalogue_of(board: Board) -> Catalogue | None:
    """Return the catalogue of a board; None where it is not made while a reader waits."""
    if board.cells > WHOLE_CELLS:
        return None
    try:
        require_listable(board)
        return catalogue(board) if about_classes(board) <= _CLASSES else None
    except BudgetError:
        return None


@lru_cache(maxsize=8)
def _chances(found: GraphCatalogue, player: Player) -> list[Fraction]:
    return winning_chances(found.graph, player)


def chance_of(found: Catalogue, position: Position, player: Player) -> Fraction | None:
    """Return the greatest chance of a player to win from a position against random play; None on larger boards."""
    if not isinstance(found, GraphCatalogue):
        return None
    return _chances(found, player)[found.graph.number_of(Marks(position.x, position.o))]
