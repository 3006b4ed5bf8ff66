"""The catalogue as one function call."""

from __future__ import annotations

from functools import lru_cache

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.records.bounds import (
    ARRAY_CLASSES,
    grouped,
    is_for_plain_python,
    position_bound,
    require_listable,
)
from noughts.records.catalogue import Catalogue
from noughts.records.small import GraphCatalogue

__all__ = ["catalogue"]


@lru_cache(maxsize=2)
def _catalogue(board: Board) -> Catalogue:
    require_listable(board)
    classes = position_bound(board) // board.group().order
    if is_for_plain_python(board, classes):
        return GraphCatalogue(board)
    if classes > ARRAY_CLASSES:
        raise BudgetError(
            f"{board} has about {grouped(classes)} position classes, and a catalogue in memory holds up to "
            f"{ARRAY_CLASSES:,}: write them to a file with noughts export, or ask about a smaller board"
        )
    from noughts.records.large import LayerCatalogue

    return LayerCatalogue(board)


def catalogue(board: Board | str = "3x3") -> Catalogue:
    """Return the catalogue of a board: a record for every position class, made once and kept.

    Cost: 20 ms for 3x3; large boards of up to 20 cells are kept as arrays, 3 s and 0.3 GB for 4x4:4, and a record is
    made when it is asked for. Raises InvalidBoard, and BudgetError above ARRAY_CLASSES classes, or where the arrays do
    not fit three quarters of the free memory.

    >>> len(catalogue("3x3")), catalogue("3x3")["X.O/.X./..O"].label
    (765, 'either can force a draw')
    """
    return _catalogue(Board.parse(board))
