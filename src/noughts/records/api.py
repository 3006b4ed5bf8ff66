"""The catalogue as one function call."""

from __future__ import annotations

from functools import lru_cache

from noughts.counting.api import ask
from noughts.counting.question import Question
from noughts.counting.words import is_ruled
from noughts.domain.board import Board
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError
from noughts.domain.rules import EndRule, MoveRule
from noughts.records.bounds import (
    ARRAY_CELLS,
    ARRAY_CLASSES,
    about_classes,
    is_for_plain_python,
    require_listable,
)
from noughts.records.catalogue import Catalogue
from noughts.records.small import GraphCatalogue

__all__ = ["catalogue"]


@lru_cache(maxsize=2)
def _catalogue(question: Question) -> Catalogue:
    board = question.board
    require_listable(board)
    if is_ruled(question):
        from noughts.records.ruled import RuledCatalogue

        return RuledCatalogue(question)
    classes = about_classes(board)
    if is_for_plain_python(board, classes):
        return GraphCatalogue(board)
    if classes > ARRAY_CLASSES:
        # A file is written from arrays, layer by layer, and those are made for so many cells only.
        file = "write them to a file with noughts export, or " if board.cells <= ARRAY_CELLS else ""
        raise BudgetError(
            f"{board} has about {roughly(classes)} position classes, and a catalogue in memory holds up to "
            f"{ARRAY_CLASSES:,}: {file}ask about a smaller board"
        )
    from noughts.records.large import LayerCatalogue

    return LayerCatalogue(board)


def catalogue(
    board: Board | str = "3x3",
    *,
    moves: MoveRule = "any",
    x_moves: MoveRule | None = None,
    o_moves: MoveRule | None = None,
    end: EndRule = "line",
) -> Catalogue:
    """Return the catalogue of a board: a record for every position class, made once and kept.

    `moves` (`x_moves` and `o_moves` for one player) and `end` are the rules of play, as in `count`: with them the
    classes are those that such play reaches, and every record is within the rules; `end` is `line` or `decided`.

    Cost: 20 ms for 3x3; large boards of up to 20 cells are kept as arrays, 3 s and 0.3 GB for 4x4:4, and a record is
    made when it is asked for. Raises InvalidBoard, and BudgetError above ARRAY_CLASSES classes, or where the arrays do
    not fit three quarters of the free memory; with rules above LISTED_CLASSES.

    >>> len(catalogue("3x3")), catalogue("3x3")["X.O/.X./..O"].label
    (765, 'either can force a draw')
    >>> len(catalogue("3x3", moves="block", end="decided"))
    230
    """
    return _catalogue(ask(board, same="choices", moves=moves, x_moves=x_moves, o_moves=o_moves, end=end))
