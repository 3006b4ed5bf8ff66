"""What a blind player can guarantee: safe calls, smallest strategies, how many there are, and their trees.

A *plan* says one call for each history that the plan itself can reach. A call is *good* for a goal when every outcome
it can have right away is good, and every knowledge it can lead to has a good call again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import prod
from typing import Any, Generic, Protocol, TypeVar

from noughts.blindfold.beliefs import Knowledge, Listed, ListGame, MergedGame
from noughts.blindfold.game import Answer, BlindRules, Branches, Call, Goal, Plan
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Mask, cells_of

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


# What the blind player could get with open eyes: an upper bound on what can be got blindfold.
#
# The player sees all marks and still makes the same calls; with `lose-turn` that includes the deliberate call of a
# taken cell, which passes. The opponent's best replies are a pure strategy that holds a blind player to the same
# value.

Truth = tuple[Mask, Mask, Mask]


class Informed:
    """Minimax over (own marks, opponent's marks, cells that may not be called again); -1, 0, 1 for the player.

    Cost: all positions in the worst case; BudgetError after `budget` of them.
    """

    def __init__(self, board: Board, rules: BlindRules, budget: int = 2_000_000) -> None:
        self.board, self.rules, self.budget = board, rules, budget
        self._values: dict[Truth, int] = {}
        self._replies: dict[Truth, int] = {}

    def value(self, opening: Cell | None = None) -> int:
        """Return the value of the game, or after X's opening, told to a blind O."""
        if self.rules.blind == "X":
            return self.call_value((0, 0, 0))
        openings = range(self.board.cells) if opening is None else (opening,)
        return min(self._settled(0, 1 << cell, 1 << cell if self.rules.opening_told else 0) for cell in openings)

    def _settled(self, own: Mask, other: Mask, barred: Mask) -> int:
        if self.board.has_line(other):
            return 1 if self.board.misere else -1
        return 0 if own | other == self.board.full else self.call_value((own, other, barred))

    def call_value(self, truth: Truth) -> int:
        """Return the value for the blind player, who is to call: +1, 0 or -1.

        Raises BudgetError where that takes more positions than the budget.
        """
        found = self._values.get(truth)
        if found is None:
            if len(self._values) > self.budget:
                raise BudgetError(
                    f"the value needs more than {self.budget:,} positions of {self.board}: ask about a smaller board"
                )
            found = -1
            for after in self._calls(truth):
                found = max(found, after if isinstance(after, int) else self.reply_value(after))
                if found == 1:
                    break
            self._values[truth] = found
        return found

    def _calls(self, truth: Truth) -> list[int | Truth]:
        own, other, barred = truth
        results: list[int | Truth] = []
        for cell in cells_of(self.board.full & ~(own | other)):
            marks = own | 1 << cell
            if self.board.has_line(marks):
                results.append(-1 if self.board.misere else 1)
            elif marks | other == self.board.full:
                results.append(0)
            else:
                results.append((marks, other, barred))
        if self.rules.loses_turn:
            results += [(own, other, barred | 1 << cell) for cell in cells_of(other & ~barred)]
        return results

    def reply_value(self, truth: Truth) -> int:
        """Return the value with the sighted player to move."""
        found = self._replies.get(truth)
        if found is None:
            own, other, barred = truth
            found = 1
            for cell in cells_of(self.board.full & ~(own | other)):
                found = min(found, self._settled(own, other | 1 << cell, barred))
                if found == -1:
                    break
            self._replies[truth] = found
        return found


# Counting information sets: all and those under good calls, labelled and up to the symmetries of the board.


def count_sets(board: Board, rules: BlindRules, analysis: Analysis[Any]) -> dict[str, int | None]:
    """Return `all`, `safe`, `all_classes` and `safe_classes`.

    Where the player is told something an information set is what the player knows: `Knowledge`. Where nothing is told
    it is the list of calls so far.
    """
    pairs = {name: _count(board, rules, analysis, good_only=name == "safe") for name in ("all", "safe")}
    labelled: dict[str, int | None] = {name: pair[0] for name, pair in pairs.items()}
    return labelled | {f"{name}_classes": pair[1] for name, pair in pairs.items()}


def _count(board: Board, rules: BlindRules, analysis: Analysis[Any], *, good_only: bool) -> tuple[int, int | None]:
    if hasattr(analysis, "sets"):
        found: tuple[int, int] = analysis.sets(good_only=good_only)
        return found
    if good_only and not analysis.is_possible():
        return 0, 0
    if rules.told == "nothing":
        return _lists(board, analysis, good_only=good_only)
    states = analysis.reachable(good_only=good_only)
    return len(states), _classes(board, states)


def _classes(board: Board, states: Iterable[Knowledge]) -> int:
    images = board.group().images

    def canonical(state: Knowledge) -> tuple[Mask, Mask, Mask, int]:
        return (*min([(image(state.own), image(state.known), image(state.last)) for image in images]), state.hidden)

    return len({canonical(state) for state in states})


def _lists(board: Board, analysis: Analysis[Any], *, good_only: bool) -> tuple[int, int]:
    """Count lists so far, and their orbits: a symmetry fixes a list when it fixes each of its cells (Burnside)."""
    group = board.group()
    total = sum(_fixed(board, analysis, element, good_only) for element in group.elements)
    everything = _fixed(board, analysis, tuple(range(board.cells)), good_only)
    return everything, total // group.order


def _fixed(board: Board, analysis: Analysis[Any], element: tuple[int, ...], good_only: bool) -> int:
    fixed = sum(1 << cell for cell in range(board.cells) if element[cell] == cell)
    seen: dict[Any, int] = {}

    def count(state: Any) -> int:
        if state not in seen:
            calls = analysis.good_calls(state) if good_only else analysis.game.calls(state)
            seen[state] = 1 + sum(
                count(after) for call in calls if fixed >> call.cell & 1 for _, after in call.branches
            )
        return seen[state]

    starts = analysis.root.branches
    return sum(count(state) for answer, state in starts if all(fixed >> c & 1 for c in cells_of(answer.told)))


# How often a blind player can win against an opponent who replies uniformly at random, as exact fractions.
#
# In a merged state every set of opponent's marks that is possible is equally likely (docs/explanation/blindfold.md), so
# the chances need sizes of beliefs only. The *mass* of a state is the sum, over those sets, of the chance to win.


class Chances:
    """Largest chances to win, from each state: over all calls, or over the good calls of an analysis only.

    Cost: linear in the merged states, times the cells.
    """

    def __init__(self, game: MergedGame, guarantee: Analysis[Knowledge] | None = None) -> None:
        self.game = game
        self.guarantee = guarantee
        self._masses: dict[Knowledge, Fraction] = {}

    def _calls(self, state: Knowledge) -> tuple[Call[Knowledge], ...]:
        return self.game.calls(state) if self.guarantee is None else self.guarantee.good_calls(state)

    def possible_sets(self, state: Knowledge) -> int:
        """Return how many sets of marks the opponent can have."""
        return self.game.families.count(state.own, state.known, state.hidden)

    def chance(self, state: Knowledge, cell: int | None = None) -> Fraction:
        """Return the largest chance to win from here, or with this call next."""
        if cell is None:
            return self.mass(state) / self.possible_sets(state)
        return self.mass_after(state, cell) / self.possible_sets(state)

    def mass(self, state: Knowledge) -> Fraction:
        """Return the sum of the chances over the possible sets, with the best calls."""
        found = self._masses.get(state)
        if found is None:
            found = max(self.mass_after(state, call.cell) for call in self._calls(state))
            self._masses[state] = found
        return found

    def mass_after(self, state: Knowledge, cell: int) -> Fraction:
        """Return the sum of the chances over the possible sets, after a call."""
        return self._free(state, 1 << cell) + self._taken(state, 1 << cell)

    def _free(self, state: Knowledge, cell: Mask) -> Fraction:
        families, own = self.game.families, state.own | cell
        sets = families.count(own, state.known, state.hidden)
        if not sets:
            return Fraction()
        if families.has_line(own):
            return Fraction(0 if self.game.board.misere else sets)
        if own.bit_count() + state.hidden == self.game.board.cells:
            return Fraction()
        return self._reply(own, state.known, state.hidden)

    def _taken(self, state: Knowledge, cell: Mask) -> Fraction:
        total = Fraction()
        lasts = state.hidden - state.known.bit_count()
        share = Fraction(1, lasts) if self.game.rules.told == "last-move" and not state.last and lasts else Fraction(1)
        for _, known, last in self.game.told(state, cell):
            if self.game.rules.loses_turn:
                total += share * self._reply(state.own, known, state.hidden)
            else:
                total += share * self.mass(Knowledge(state.own, known, state.hidden, last))
        return total

    def _reply(self, own: Mask, known: Mask, hidden: int) -> Fraction:
        """Return the mass when the opponent moves next, at random, from each set of `hidden` marks around `known`."""
        families, cells = self.game.families, self.game.board.cells
        blanks = cells - own.bit_count() - hidden
        origins = hidden + 1 - known.bit_count()
        mass = Fraction()
        if self.game.board.misere:
            quiet = origins * families.count(own, known, hidden + 1)
            mass += Fraction(families.count(own, known, hidden) * blanks - quiet, blanks)
        if blanks > 1 and families.exists(own, known, hidden + 1):
            mass += Fraction(origins, blanks) * self.mass(Knowledge(own, known, hidden + 1))
        return mass

    def plan(self, state: Knowledge, first: int | None = None) -> Plan:
        """Return a plan that attains the largest chance; among equals the first call in reading order."""
        calls = [call for call in self._calls(state) if first is None or call.cell == first]
        best = max(calls, key=lambda call: self.mass_after(state, call.cell))
        return Plan(best.cell, self.branches(best))

    def branches(self, call: Call[Knowledge]) -> Branches:
        """Return a best plan for each answer to a call."""
        return {answer: self.plan(state) for answer, state in call.branches}


_Weighted = tuple[Listed, tuple[Fraction, ...]]


class ListChances:
    """The same for a player who hears nothing: the chance of each possible set of own marks is carried along.

    Cost: at worst all lists, cells! of them; many fall together.
    """

    def __init__(self, game: ListGame, guarantee: Analysis[Listed] | None = None) -> None:
        self.game = game
        self.guarantee = guarantee
        self._found: dict[_Weighted, tuple[Fraction, int]] = {}

    def start_weight(self) -> Fraction:
        """Return the chance of each single opening of X; 1 where X is blind."""
        return Fraction(1, self.game.board.cells) if self.game.rules.blind == "O" else Fraction(1)

    def best(self, state: Listed, weights: tuple[Fraction, ...]) -> tuple[Fraction, int]:
        """Return the largest chance to win and the next entry of the list that gives it."""
        key = (state, weights)
        found = self._found.get(key)
        if found is None:
            calls = self.game.calls(state) if self.guarantee is None else self.guarantee.good_calls(state)
            chances = [(self.chance(state, weights, call.cell), -call.cell) for call in calls]
            most, cell = max(chances)
            found = self._found[key] = (most, -cell)
        return found

    def chance(self, state: Listed, weights: tuple[Fraction, ...], cell: int) -> Fraction:
        """Return the chance to win with this entry next; `weights` are per set of the opponent's marks."""
        won, after = self._after(state, weights, 1 << cell)
        if not after:
            return won
        owns = tuple(sorted(after))
        following = Listed(state.called | 1 << cell, owns, state.opening)
        return won + self.best(following, tuple(after[own] for own in owns))[0]

    def _after(self, state: Listed, weights: tuple[Fraction, ...], cell: Mask) -> tuple[Fraction, dict[Mask, Fraction]]:
        game, families = self.game, self.game.families
        won, after = Fraction(), dict[Mask, Fraction]()
        for own, weight in zip(state.owns, weights, strict=True):
            known, hidden = state.called & ~own | state.opening, game.hidden(state, own)
            sets = families.count(own | cell, known, hidden)
            if sets and families.has_line(own | cell):
                won += 0 if game.board.misere else weight * sets
            elif sets and own.bit_count() + 1 + hidden < game.board.cells:
                won += self._reply(own | cell, known, hidden, weight, after)
            if families.exists(own, known | cell, hidden):
                if game.rules.loses_turn:
                    won += self._reply(own, known | cell, hidden, weight, after)
                else:
                    after[own] = after.get(own, Fraction()) + weight
        return won, after

    def _reply(self, own: Mask, known: Mask, hidden: int, weight: Fraction, after: dict[Mask, Fraction]) -> Fraction:
        families = self.game.families
        blanks = self.game.board.cells - own.bit_count() - hidden
        origins = hidden + 1 - known.bit_count()
        sets = families.count(own, known, hidden + 1)
        if sets and blanks > 1:
            after[own] = after.get(own, Fraction()) + weight * Fraction(origins, blanks)
        if not self.game.board.misere:
            return Fraction()
        return weight * (families.count(own, known, hidden) - Fraction(origins * sets, blanks))

    def branches(self) -> Branches:
        """Return a best list for each thing that can happen before the first call."""
        weight = self.start_weight()
        return {answer: self.plan(state, (weight,)) for answer, state in self.game.start().branches}

    def plan(self, state: Listed, weights: tuple[Fraction, ...], first: int | None = None) -> Plan:
        """Return a best list from here, as a plan."""
        cell = self.best(state, weights)[1] if first is None else first
        _, after = self._after(state, weights, 1 << cell)
        if not after:
            return Plan(cell)
        owns = tuple(sorted(after))
        following = Listed(state.called | 1 << cell, owns, state.opening)
        return Plan(cell, {Answer("next"): self.plan(following, tuple(after[own] for own in owns))})
