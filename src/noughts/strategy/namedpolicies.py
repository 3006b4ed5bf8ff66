"""The policies that have a name: those that choose uniformly among good moves, and those that err."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from noughts.domain.bits import Cell, Mask, cells_of, mask_of
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Position
from noughts.domain.rules import VALUE_RULES, MoveRule, allowed_cells
from noughts.solving.solution import Solution
from noughts.strategy.choices import perfect_moves, quickest_moves, trapping_moves, worse_moves
from noughts.strategy.policy import Policy

__all__ = ["GRADES", "POLICIES", "ErringPolicy", "NamedPolicy"]

POLICIES = ("random", "win", "block", "fork", "perfect", "quickest", "trap:random", "trap:block")
GRADES = FrozenDict({"easy": Fraction(1, 2), "medium": Fraction(1, 4), "hard": Fraction(1, 10)})
"""The policies that err, and the chance with which they do where there is a mistake to make."""


@dataclass(frozen=True)
class NamedPolicy(Policy):
    """One of POLICIES."""

    name: str

    @property
    def needs_values(self) -> bool:
        """Whether it looks at the values of positions."""
        return self.name in VALUE_RULES or self.name.startswith("trap:")

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells among which the policy chooses."""
        rule = "any" if self.name == "random" else self.name
        if not self.needs_values:
            return allowed_cells(position.board, position.x, position.o, cast(MoveRule, rule))
        assert solution is not None
        best = perfect_moves(position, solution)
        if rule == "quickest":
            return quickest_moves(position, best, solution)
        if rule == "perfect":
            return best
        other = self.name.removeprefix("trap:").replace("random", "any")
        return trapping_moves(position, best, solution, cast(MoveRule, other))


@dataclass(frozen=True)
class ErringPolicy(Policy):
    """Perfect but for mistakes: where some move makes the value worse, one of those with the chance `error`.

    Of the moves that make it worse each is as likely as the others, and so is each of those that keep it. Where no
    move makes it worse (all keep the value, or the position is lost) there is no mistake to make.
    """

    name: str
    error: Fraction
    needs_values = True

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells that it may play."""
        return mask_of(self.probabilities(position, solution))

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play."""
        assert solution is not None
        good, bad = perfect_moves(position, solution), worse_moves(position, solution)
        error = self.error if bad else Fraction(0)
        shares = {cell: (1 - error) / good.bit_count() for cell in cells_of(good)}
        shares |= {cell: error / bad.bit_count() for cell in cells_of(bad)}
        return {cell: shares[cell] for cell in sorted(shares) if shares[cell]}
