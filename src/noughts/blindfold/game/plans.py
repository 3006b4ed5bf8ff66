"""Strategies as trees of calls: one plan for each thing that can happen before the first call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.rules import BlindRules, Goal
from noughts.blindfold.game.spelling import FORMAT, names
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import FrozenDict, short

__all__ = ["Branches", "Plan", "Strategy"]


@dataclass(frozen=True, repr=False)
class Plan:
    """Call `call`, and go on as the branch of the answer says; without a branch the game is over by then."""

    call: Cell
    branches: Branches = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", FrozenDict(self.branches))

    def __repr__(self) -> str:
        return f"<Plan that calls cell {self.call}, {self.places():,} places>"

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


Branches = Mapping[Answer, Plan]


@dataclass(frozen=True, repr=False)
class Strategy:
    """A complete strategy of the blind player, and what it claims.

    `branches` has one plan for `start`, or one for each opening that is told. `goal` is the claim that the judge
    checks: `never-lose`, `always-win`, or `win-often`, which claims nothing but what is counted.
    """

    board: Board
    rules: BlindRules
    goal: Goal
    branches: Branches

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", FrozenDict(self.branches))

    def __repr__(self) -> str:
        return f"<Strategy of a blind {self.rules.blind} on {short(self.board)}, {self.goal}: {self.places():,} places>"

    def places(self) -> int:
        """Return how many places of the strategy say what to call."""
        return sum(plan.places() for plan in self.branches.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the strategy as a certificate has it: the rules, the claim, and the plan as nested calls.

        Each place is `{"call": cell, "free": place or null, "taken": place or null}`: null where the game is over by
        then or the answer is impossible. Where more is told upon a collision, `taken` is an object from the cells told
        to the place; where nothing is told there is one branch, `next`; where X's opening is told, `plan` is
        `{"openings": {cell: place}}`.
        """
        rules = self.rules
        return {
            "format": FORMAT,
            "version": 1,
            "board": self.board.spec,
            "blind": rules.blind,
            "opening_told": rules.opening_told,
            "collision": rules.collision,
            "told": rules.told,
            "goal": self.goal,
            "plan": _roots_to_json(self),
        }


def _roots_to_json(strategy: Strategy) -> dict[str, Any] | None:
    board, branches = strategy.board, strategy.branches
    if strategy.rules.opening_told:
        return {
            "openings": {names(board, a.told): _plan_to_json(board, strategy.rules, p) for a, p in branches.items()}
        }
    plan = branches.get(Answer("start"))
    return None if plan is None else _plan_to_json(board, strategy.rules, plan)


def _plan_to_json(board: Board, rules: BlindRules, plan: Plan) -> dict[str, Any]:
    place: dict[str, Any] = {"call": cell_name(board, plan.call)}
    after = {answer: _plan_to_json(board, rules, below) for answer, below in plan.branches.items()}
    if rules.told == "nothing":
        return {**place, "next": after.get(Answer("next"))}
    place["free"] = after.get(Answer("free"))
    if rules.told == "collision":
        return {**place, "taken": after.get(Answer("taken"))}
    told = {names(board, answer.told): below for answer, below in after.items() if answer.kind == "taken"}
    return {**place, "taken": told or None}
