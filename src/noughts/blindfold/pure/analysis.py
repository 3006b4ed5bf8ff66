"""What a blind player can guarantee: safe calls, smallest strategies, how many there are, and their trees.

A *plan* says one call for each history that the plan itself can reach. A call is *good* for a goal when every outcome
it can have right away is good, and every knowledge it can lead to has a good call again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Generic, Protocol, TypeVar

from noughts.blindfold.game.calls import Call
from noughts.blindfold.game.plans import Branches, Plan
from noughts.blindfold.game.rules import Goal
from noughts.domain.errors import BudgetError

__all__ = ["Analysis", "CallTree"]

State = TypeVar("State")

STATE_LIMIT = 3_000_000
"""Where listing states in Python ends."""


class CallTree(Protocol[State]):
    """A game tree of the blind player: what can happen before the first call, and on each call."""

    def start(self) -> Call[State]:
        """Return what can happen before the first call."""
        ...

    def each_call(self, state: State) -> Iterator[Call[State]]:
        """Yield what can happen on each possible call, in reading order, worked out as it is asked for."""
        ...

    def calls(self, state: State) -> tuple[Call[State], ...]:
        """Return what can happen on each possible call."""
        ...


class Analysis(Generic[State]):
    """Answers about guarantees in one game for one goal, `never-lose` or `always-win`; everything is remembered.

    Cost: linear in the merged states that the questions touch, times the cells; BudgetError where a search looks at
    more than `budget` of them. With `alike`, which names for each state one that a symmetry takes it to, one of each
    class is looked at.
    """

    def __init__(
        self,
        game: CallTree[State],
        goal: Goal = "never-lose",
        budget: int = STATE_LIMIT,
        alike: Callable[[State], State] | None = None,
    ) -> None:
        self.game = game
        self.goal = goal
        self.budget = budget
        self.alike = alike
        self._alike: dict[State, State] = {}
        self.root = game.start()
        self._can: dict[State, bool] = {}
        self._good: dict[State, tuple[Call[State], ...]] = {}
        self._smallest: dict[State, int] = {}
        self._plans: dict[State, int] = {}
        self._paths: dict[State, int] = {}

    def _ends_well(self, call: Call[State]) -> bool:
        return not call.loses and (self.goal != "always-win" or not call.draws)

    def can(self, state: State) -> bool:
        """Tell whether some call makes the goal certain; no more calls are looked at than are needed to tell.

        Raises BudgetError where that takes more information sets than `budget`.
        """
        if self.alike is not None:
            least = self._alike.get(state)
            if least is None:
                least = self._alike[state] = self.alike(state)
            state = least
        found = self._can.get(state)
        if found is None:
            if len(self._can) >= self.budget:
                raise BudgetError(
                    f"the search looked at {self.budget:,} information sets without an answer: try a smaller board"
                )
            found = self._can[state] = any(self.is_good(call) for call in self.game.each_call(state))
        return found

    def is_good(self, call: Call[State]) -> bool:
        """Tell whether the goal is certain after this call."""
        return self._ends_well(call) and all(self.can(state) for _, state in call.branches)

    def good_calls(self, state: State) -> tuple[Call[State], ...]:
        """Return the calls after which the goal is certain; none where it cannot be guaranteed."""
        found = self._good.get(state)
        if found is None:
            found = self._good[state] = tuple(call for call in self.game.calls(state) if self.is_good(call))
        return found

    def is_possible(self) -> bool:
        """Tell whether the blind player can make sure of the goal from the start of the game."""
        return self.is_good(self.root)

    def reachable(self, *, good_only: bool = False) -> set[State]:
        """Return all states in which the player calls; or those reached when the player makes good calls only.

        Raises BudgetError beyond STATE_LIMIT of them.
        """
        if good_only and not self.is_possible():
            return set()
        found = {state for _, state in self.root.branches}
        frontier = list(found)
        while frontier:
            state = frontier.pop()
            for call in self.good_calls(state) if good_only else self.game.calls(state):
                for _, after in call.branches:
                    if after not in found:
                        found.add(after)
                        frontier.append(after)
            if len(found) > STATE_LIMIT:
                raise BudgetError(f"there are more than {STATE_LIMIT:,} information sets: ask about a smaller board")
        return found

    def histories(self) -> int:
        """Return how many histories of own calls and answers end where the player is to call."""
        return sum(self._histories(state) for _, state in self.root.branches)

    def _histories(self, state: State) -> int:
        found = self._paths.get(state)
        if found is None:
            after = [state for call in self.game.calls(state) for _, state in call.branches]
            found = self._paths[state] = 1 + sum(self._histories(state) for state in after)
        return found

    def smallest(self, state: State) -> int:
        """Return the fewest calls that a plan for the goal needs from here: its places, forced last calls included."""
        found = self._smallest.get(state)
        if found is None:
            found = self._smallest[state] = min(self.smallest_after(call) for call in self.good_calls(state)) + 1
        return found

    def smallest_after(self, call: Call[State]) -> int:
        """Return the fewest places of a plan after a good call."""
        return sum(self.smallest(state) for _, state in call.branches)

    def plans(self, state: State) -> int:
        """Return the number of plans for the goal from here."""
        found = self._plans.get(state)
        if found is None:
            found = self._plans[state] = sum(self.plans_after(call) for call in self.good_calls(state))
        return found

    def plans_after(self, call: Call[State]) -> int:
        """Return the number of plans after a good call: the product over its answers."""
        return prod(self.plans(state) for _, state in call.branches)

    def plan(self, state: State, first: int | None = None) -> Plan:
        """Return a smallest plan for the goal; of equally small ones the first in reading order of its calls."""
        calls = [call for call in self.good_calls(state) if first is None or call.cell == first]
        best = min(calls, key=self.smallest_after)
        return Plan(best.cell, self.branches(best))

    def branches(self, call: Call[State]) -> Branches:
        """Return a smallest plan for each answer to a good call."""
        return {answer: self.plan(state) for answer, state in call.branches}
