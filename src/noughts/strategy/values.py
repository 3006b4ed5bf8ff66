"""Values of positions as the rooms of this package need them: outcome, remoteness, decided, for any position.

Small boards are answered by one backward pass over the class graph in plain Python, larger ones by the engines of
`solving`. Nobody here needs to know which.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import comb
from typing import Protocol

from noughts.domain.bits import Mask
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Position
from noughts.solving.classgraph import ClassGraph
from noughts.solving.values import backward_decided, backward_remoteness

__all__ = ["PLAIN_LIMIT", "GraphValues", "Values", "class_bound", "outcome_value", "require_plain", "values_for"]

PLAIN_LIMIT = 120_000
"""Position classes, by the bound, up to which the class graph in plain Python is used."""

VALUES_LIMIT = 400_000
"""Position classes, by the bound, up to which positions are valued in plain Python."""

_OUTCOMES: dict[int, Outcome] = {1: "X", 0: "draw", -1: "O"}


class Values(Protocol):
    """What is known about the positions of a board under best play."""

    def outcome(self, x: Mask, o: Mask) -> Outcome:
        """Return who wins under best play; of a finished game, who won."""

    def remoteness(self, x: Mask, o: Mask) -> int:
        """Return the plies to the end: the winner hurries, the loser delays, a draw fills the board."""

    def decided(self, x: Mask, o: Mask) -> bool:
        """Return whether every continuation has the same outcome."""


class GraphValues:
    """Values of all positions that play from a start reaches, over their classes. Cost: that of the class graph."""

    def __init__(self, start: Position) -> None:
        self.graph = ClassGraph(start.board, start=start)

    def outcome(self, x: Mask, o: Mask) -> Outcome:
        """Return who wins under best play."""
        return _OUTCOMES[self.graph.values[self.graph.number_of(x, o)]]

    def remoteness(self, x: Mask, o: Mask) -> int:
        """Return the plies to the end."""
        return self._remoteness[self.graph.number_of(x, o)]

    def decided(self, x: Mask, o: Mask) -> bool:
        """Return whether every continuation has the same outcome."""
        return self._decided[self.graph.number_of(x, o)] is not None

    @cached_property
    def _remoteness(self) -> list[int]:
        return backward_remoteness(self.graph)

    @cached_property
    def _decided(self) -> list[Outcome | None]:
        allowed = self.graph.allowed("any")
        return backward_decided(self.graph, allowed, allowed)


def outcome_value(outcome: Outcome) -> int:
    """Return the value for X of an outcome: +1, 0 or -1."""
    return {"X": 1, "draw": 0, "O": -1}[outcome]


def class_bound(start: Position) -> int:
    """Return about how many position classes play from a start can reach: all ways to mark on, over the symmetries."""
    blanks, ply = start.blanks.bit_count(), start.ply
    total = 0
    for more in range(blanks + 1):
        mine = (more + 1) // 2 if ply % 2 == 0 else more // 2
        total += comb(blanks, mine) * comb(blanks - mine, more - mine)
    keep = start.board.group().order if ply == 0 else 1
    return -(-total // keep)


def require_plain(start: Position, what: str, limit: int = PLAIN_LIMIT) -> None:
    """Raise BudgetError where the class graph from a position is too large for plain Python."""
    bound = class_bound(start)
    if bound > limit:
        raise BudgetError(
            f"{what} on {start.board} from {start} may meet {bound:,} position classes, and up to {limit:,} are "
            "listed: ask about a smaller board or a later position"
        )


@lru_cache(maxsize=8)
def values_for(start: Position) -> Values:
    """Return the values of the positions that play from `start` reaches, by the cheapest engine that can.

    Raises BudgetError where no engine can.
    """
    require_plain(start, "solving", VALUES_LIMIT)
    return GraphValues(start)
