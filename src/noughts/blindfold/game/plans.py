"""Strategies as trees of calls: one plan for each thing that can happen before the first call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.rules import BlindRules, Goal
from noughts.domain.bits import Cell
from noughts.domain.board import Board

__all__ = ["Branches", "Plan", "Strategy"]


@dataclass(frozen=True)
class Plan:
    """Call `call`, and go on as the branch of the answer says; without a branch the game is over by then."""

    call: Cell
    branches: Branches = field(default_factory=dict)

    def places(self) -> int:
        """Return how many places of the plan say what to call."""
        return 1 + sum(plan.places() for plan in self.branches.values())

    def depth(self) -> int:
        """Return the largest number of calls in one game."""
        return 1 + max((plan.depth() for plan in self.branches.values()), default=0)

    def walk(self) -> Iterator[Plan]:
        """Yield this plan and all plans below it."""
        yield self
        for plan in self.branches.values():
            yield from plan.walk()


Branches = dict[Answer, Plan]


@dataclass(frozen=True)
class Strategy:
    """A complete strategy of the blind player, and what it claims.

    `branches` has one plan for `start`, or one for each opening that is told. `goal` is the claim that the judge
    checks: `never-lose`, `always-win`, or `win-often`, which claims nothing but what is counted.
    """

    board: Board
    rules: BlindRules
    goal: Goal
    branches: Branches

    def places(self) -> int:
        """Return how many places of the strategy say what to call."""
        return sum(plan.places() for plan in self.branches.values())
