"""Outcomes of the positions of a tree: seen at a look where one look tells, else by an engine."""

from __future__ import annotations

from functools import cached_property

from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Position
from noughts.solving.bounds import surely_drawn
from noughts.solving.solution import Solution
from noughts.strategy.solutions import solution_for

__all__ = ["Outcomes"]


class Outcomes:
    """Outcomes under best play of positions below a start. No engine is asked before one look does not tell."""

    def __init__(self, start: Position) -> None:
        self._start = start

    @cached_property
    def solution(self) -> Solution:
        """The solution, made when it is first asked for. Raises BudgetError where no engine can."""
        return solution_for(self._start)

    def outcome(self, position: Position) -> Outcome:
        """Return who wins under best play. Raises BudgetError where no engine finds it."""
        if position.outcome is not None:
            return position.outcome
        if "solution" not in vars(self) and surely_drawn(position):
            return "draw"
        return self.solution.outcome(position)

    def found(self, position: Position) -> Outcome | None:
        """Return who wins under best play, None where no engine finds it."""
        try:
            return self.outcome(position)
        except BudgetError:
            return None
