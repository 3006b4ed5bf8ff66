"""A policy: a rule of play as a value, from a position to moves with exact probabilities."""

from __future__ import annotations

from fractions import Fraction

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.solving.solution import Solution

__all__ = ["Policy"]


class Policy:
    """A rule of play: `moves` gives the cells it chooses among, `probabilities` how often; uniformly, unless it says.

    `is_symmetric` says that symmetric positions get symmetric moves, or moves that lead to the same classes with the
    same probabilities, so that classes may stand for positions.
    """

    name: str

    @property
    def board(self) -> Board | None:
        """The board it is for, None where it plays on any."""
        return None

    @property
    def is_symmetric(self) -> bool:
        """Whether classes may stand for positions."""
        return True

    @property
    def needs_values(self) -> bool:
        """Whether `moves` has to be given a solution."""
        return False

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells of an unfinished position among which the policy chooses; never empty."""
        raise NotImplementedError

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play, in reading order: they sum to 1."""
        cells = list(cells_of(self.moves(position, solution)))
        return dict.fromkeys(cells, Fraction(1, len(cells)))
