"""Any function as a policy: asked about each position, it returns a cell, cells, or the chances of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from noughts.domain.bits import Cell, Mask, mask_of
from noughts.domain.position import Position
from noughts.solving.solution import Solution
from noughts.strategy.policy import Policy
from noughts.strategy.weights import Moment, Weights, read_weights

__all__ = ["CallablePolicy"]


@dataclass(frozen=True)
class CallablePolicy(Policy):
    """Any function from a position to what `read_weights` takes: it may treat symmetric positions differently."""

    name: str
    function: Callable[[Position], object] = field(repr=False)

    @property
    def is_symmetric(self) -> bool:
        """Nobody knows: every position is asked about."""
        return False

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells that the function may play. Raises InputError unless they are blank."""
        return mask_of(self._asked(position))

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chances that the function gives. Raises InputError unless they sum to 1, on blank cells."""
        return dict(self._asked(position))

    def _asked(self, position: Position) -> Weights:
        at = Moment(f"the policy {self.name}", str(position), position.board, position.blanks)
        return read_weights(self.function(position), at)
