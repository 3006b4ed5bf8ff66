"""A policy that is asked once about each position, and answers the same ever after."""

from __future__ import annotations

from fractions import Fraction

from noughts.domain.bits import Cell, Mask, mask_of
from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.solving.solution import Solution
from noughts.strategy.policy import Policy

__all__ = ["RememberingPolicy"]


class RememberingPolicy(Policy):
    """Another policy whose answers are kept: what is slow, or draws lots, is asked once about each position.

    Where the other is symmetric it is asked about one position of each class that it meets. It has the name of the
    other, or one that is given.
    """

    def __init__(self, asked: Policy, name: str | None = None) -> None:
        self.asked = asked
        self.name = asked.name if name is None else name
        self._kept: dict[tuple[Mask, Mask], dict[Cell, Fraction]] = {}

    @property
    def board(self) -> Board | None:
        """The board of the policy that is asked."""
        return self.asked.board

    @property
    def is_symmetric(self) -> bool:
        """Whether the policy that is asked treats symmetric positions alike."""
        return self.asked.is_symmetric

    @property
    def needs_values(self) -> bool:
        """Whether the policy that is asked looks at the values of positions."""
        return self.asked.needs_values

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells among which it chooses."""
        return mask_of(cell for cell, chance in self.probabilities(position, solution).items() if chance)

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell, as it was given the first time."""
        key = (position.x, position.o)
        if key not in self._kept:
            self._kept[key] = dict(self.asked.probabilities(position, solution))
        return self._kept[key]
