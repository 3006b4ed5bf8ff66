"""Which source gives the rows of a board: a catalogue in memory, or layers of arrays for large boards."""

from __future__ import annotations

from collections.abc import Callable

from noughts.domain.board import Board
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError
from noughts.domain.extent import LISTED_CLASSES
from noughts.exporting.rows import MemorySource, Source
from noughts.machine.budget import Limits
from noughts.records.bounds import (
    ARRAY_CELLS,
    about_classes,
    is_for_plain_python,
    require_listable,
)
from noughts.records.small import GraphCatalogue

__all__ = ["source_for"]


def source_for(
    board: Board,
    limits: Limits | None = None,
    *,
    done: Callable[[int, int], None] | None = None,
) -> Source:
    """Return the source of the rows of a board.

    The limits (three quarters of the free memory unless given) bound what may be started.
    Raises BudgetError, with the estimate, for boards that need more, and for boards of more than 20 cells whose classes
    are too many for plain Python.
    """
    require_listable(board)
    classes = about_classes(board)
    if is_for_plain_python(board, classes):
        return MemorySource(GraphCatalogue(board))
    if board.cells > ARRAY_CELLS:
        raise BudgetError(
            f"{board} has about {roughly(classes)} position classes on {board.cells} cells, and those of boards of "
            f"more than {ARRAY_CELLS} cells are listed up to {LISTED_CLASSES:,}: ask about a smaller board"
        )
    from noughts.records.layers import estimate_layers

    limits = Limits.of() if limits is None else limits
    needed = estimate_layers(board, classes)
    if not limits.allow(needed):
        raise BudgetError(
            f"{board} needs {needed}, over the budget of {limits.broken_by(needed)}: raise it, or ask about a smaller "
            "board"
        )
    from noughts.exporting.arrays import LayerSource

    return LayerSource(board, done)
