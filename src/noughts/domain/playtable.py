"""The moves that somebody may make, position by position: what a way of play comes to, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field

from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Position

__all__ = ["PlayTable"]


@dataclass(frozen=True)
class PlayTable:
    """Who plays, as sentences have it, and for each position (the sets of X and of O) the cells that may be played.

    The positions are labelled: one says nothing of its images under symmetries. Hashable and picklable.
    """

    name: str
    board: Board
    cells: FrozenDict[tuple[Mask, Mask], Mask] = field(repr=False)

    def at(self, x: Mask, o: Mask) -> Mask:
        """Return the cells that may be played. Raises InputError where the table does not say."""
        found = self.cells.get((x, o))
        if not found:
            position = Position(self.board, x, o)
            raise InputError(f"{self.name} was not asked about {position}: ask again, with this position within reach")
        return found
