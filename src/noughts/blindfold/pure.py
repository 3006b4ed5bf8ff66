"""What a blind player can guarantee, and how often a blind player can win against random replies.

A *plan* gives one call for each history that the plan itself can reach. A call is *good* for a goal if two conditions
hold. Every outcome before the next call satisfies the goal. Every state after the call has a good call again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain
from math import prod
from typing import Any, Generic

from noughts.blindfold.beliefs import CallTree, InfoSet, Listed, ListGame, MergedGame, State, remembered
from noughts.blindfold.game import PAYOFF, Answer, BlindRules, Call, Goal, History, Plan, Referee, Truth
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Mask, cells_of
from noughts.rules.symmetry import Permutation

STATE_LIMIT = 3_000_000
"""The most states that are listed in Python."""


def plan_by(choose: Callable[[State], Call[State]], state: State) -> Plan:
    """Return the plan from a state on that makes the chosen call in each state."""
    call = choose(state)
    return Plan(call.cell, {answer: plan_by(choose, after) for answer, after in call.branches})


class Analysis(Generic[State]):
    """Answers about guarantees in one game for one goal, `never-lose` or `always-win`; all results are cached.

    Cost: linear in the visited states, times the cells. Raises BudgetError where a search visits more than `budget`
    states. `alike` returns one representative for all symmetric states; then only representatives are visited.
    """

    def __init__(
        self,
        game: CallTree[State],
        goal: Goal = "never-lose",
        budget: int = STATE_LIMIT,
        alike: Callable[[State], State] | None = None,
    ) -> None:
        self.game, self.goal, self.budget = game, goal, budget
        self.alike: Callable[[State], State] = (lambda state: state) if alike is None else cache(alike)
        self.root = game.start()
        self._can: dict[State, bool] = {}

    def can(self, state: State) -> bool:
        """Return whether some call guarantees the goal; stop at the first such call.

        Raises BudgetError where this needs more information sets than `budget`.
        """
        state = self.alike(state)
        found = self._can.get(state)
        if found is None:
            if len(self._can) >= self.budget:
                raise BudgetError(
                    f"the search visited {self.budget:,} information sets without an answer: try a smaller board"
                )
            found = self._can[state] = any(self.is_good(call) for call in self.game.each_call(state))
        return found

    def is_good(self, call: Call[State]) -> bool:
        """Return whether this call guarantees the goal."""
        ends_well = not call.loses and (self.goal != "always-win" or not call.draws)
        return ends_well and all(self.can(state) for _, state in call.branches)

    @remembered
    def good_calls(self, state: State) -> tuple[Call[State], ...]:
        """Return the calls that guarantee the goal."""
        return tuple(call for call in self.game.calls(state) if self.is_good(call))

    def is_possible(self) -> bool:
        """Return whether the blind player can guarantee the goal from the start."""
        return self.is_good(self.root)

    def reachable(
        self, *, good_only: bool = False, alike: Callable[[State], State] = lambda state: state
    ) -> set[State]:
        """Return all states in which the player calls; with `good_only` those that good calls reach.

        `alike` returns one representative for all symmetric states; then the result has one state of each class. Raises
        BudgetError beyond STATE_LIMIT states.
        """
        if good_only and not self.is_possible():
            return set()
        found = {alike(state) for _, state in self.root.branches}
        frontier = list(found)
        while frontier:
            state = frontier.pop()
            for call in self.good_calls(state) if good_only else self.game.calls(state):
                for after in (alike(after) for _, after in call.branches):
                    if after not in found:
                        found.add(after)
                        frontier.append(after)
            if len(found) > STATE_LIMIT:
                raise BudgetError(f"the game has more than {STATE_LIMIT:,} information sets: try a smaller board")
        return found

    def histories(self) -> int:
        """Return the number of histories of own calls and answers after which the player calls."""
        return sum(self._histories(self.alike(state)) for _, state in self.root.branches)

    @remembered
    def _histories(self, state: State) -> int:
        following = (after for call in self.game.calls(state) for _, after in call.branches)
        return 1 + sum(self._histories(self.alike(after)) for after in following)

    @remembered
    def smallest(self, state: State) -> int:
        """Return the fewest places of a plan for the goal from here, forced last calls included."""
        return 1 + min(self.smallest_after(call) for call in self.good_calls(state))

    def smallest_after(self, call: Call[State]) -> int:
        """Return the fewest places of a plan after a good call."""
        return sum(self.smallest(self.alike(state)) for _, state in call.branches)

    @remembered
    def plans(self, state: State) -> int:
        """Return the number of plans for the goal from here."""
        return sum(self.plans_after(call) for call in self.good_calls(state))

    def plans_after(self, call: Call[State]) -> int:
        """Return the number of plans after a good call: the product over its answers."""
        return prod(self.plans(self.alike(state)) for _, state in call.branches)

    def plan(self, state: State) -> Plan:
        """Return a smallest plan for the goal; of several, the first in reading order of its calls."""
        return plan_by(lambda state: min(self.good_calls(state), key=self.smallest_after), state)

    def sets(self, *, good_only: bool) -> tuple[int, int]:
        """Return the number of information sets, labelled and up to symmetry; with `good_only` those of good calls.

        An information set is what the player knows, an `InfoSet`. Where the referee says nothing it is the list of
        calls so far.
        """
        if good_only and not self.is_possible():
            return 0, 0
        group = self.game.board.group()
        if isinstance(self.game, ListGame):
            # by Burnside's lemma: a symmetry fixes a list if it fixes each of its cells; lists that begin alike are
            # images of each other under symmetries that fix these first cells
            roots: list[Any] = [state for _, state in self.root.branches]
            begun = list(cells_of(roots[0].barred)) if len(roots) == 1 else []
            elements = [element for element in group.elements if all(element[cell] == cell for cell in begun)]
            fixed = [self._lists(element, good_only) for element in elements]
            return fixed[0], sum(fixed) // len(elements)

        found = self._counted(good_only=good_only)
        return sum(found.values()), len(set(map(self._least, found)))

    def _counted(self, *, good_only: bool) -> dict[State, int]:
        """Return the reachable information sets, or one of each class with their number if the starts are symmetric."""
        starts = {state for _, state in self.root.branches}
        if all(self._images(state) <= starts for state in starts):
            classes = self.reachable(good_only=good_only, alike=self._least)
            return {state: len(self._images(state)) for state in classes}
        return dict.fromkeys(self.reachable(good_only=good_only), 1)

    @remembered
    def _images(self, state: Any) -> set[Any]:
        """Return the images of an information set under the symmetries of the board."""
        own, known, hidden, last = state
        images = self.game.board.group().images
        return {InfoSet(image(own), image(known), hidden, image(last)) for image in images}

    @remembered
    def _least(self, state: Any) -> Any:
        return min(self._images(state))

    def by_size(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Return by the numbers of own and of known marks the information sets, and those with a good call.

        Empty where the referee says nothing.
        """
        sets, good = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
        states: dict[Any, int] = {} if isinstance(self.game, ListGame) else self._counted(good_only=False)
        for state, many in states.items():
            size = state.own.bit_count(), state.known.bit_count()
            sets[size] += many
            good[size] += many * self.can(state)
        return {size: (sets[size], good[size]) for size in sorted(sets)}

    def _lists(self, element: Permutation, good_only: bool) -> int:
        """Return the number of lists of calls that a symmetry fixes."""
        fixed = sum(1 << cell for cell, image in enumerate(element) if image == cell)

        @cache
        def count(state: State) -> int:
            calls = self.good_calls(state) if good_only else self.game.calls(state)
            following = [after for call in calls if fixed >> call.cell & 1 for _, after in call.branches]
            return 1 + sum(map(count, following))

        return sum(count(state) for answer, state in self.root.branches if not answer.cells & ~fixed)


# What the blind player could get if the player saw everything: an upper bound on the value of blindfold play.
#
# The player sees all marks and still makes calls. With `lose-turn` the player may call a taken cell on purpose, which
# passes the turn. The opponent's best replies are a pure strategy that holds a blind player to the same value.


class Informed:
    """Minimax over the truths of the referee, with payoffs -1, 0, 1 for the blind player.

    Cost: at worst all positions. Raises BudgetError after `budget` positions.
    """

    def __init__(self, board: Board, rules: BlindRules, budget: int = 2_000_000) -> None:
        self.board, self.rules, self.budget = board, rules, budget
        self._referee, self._may_pass = Referee(board, replace(rules, told="collision")), rules.loses_turn
        self._values: dict[tuple[Mask, Mask, Mask, bool], int] = {}

    def value(self, opening: Cell | None = None) -> int:
        """Return the value of the game, or its value after X's opening if a blind O learns it."""
        return self.value_at(self._referee.start(opening))

    def value_at(self, truth: Truth) -> int:
        """Return the value for the blind player from here: +1, 0 or -1.

        Raises BudgetError where this needs more positions than the budget.
        """
        if truth.outcome is not None:
            return PAYOFF[truth.outcome]
        barred = truth.known & truth.other if self._may_pass else 0
        key = truth.own, truth.other, barred, truth.blind_to_act
        found = self._values.get(key)
        if found is None:
            if len(self._values) > 2 * self.budget:
                raise BudgetError(
                    f"the value needs more than {self.budget:,} positions of {self.board}: try a smaller board"
                )
            best, sign = -1, 1 if truth.blind_to_act else -1
            for after in self._following(truth):
                best = max(best, sign * self.value_at(after))
                if best == 1:
                    break
            found = self._values[key] = sign * best
        return found

    def _following(self, truth: Truth) -> Iterator[Truth]:
        blanks = self.board.full & ~(truth.own | truth.other)
        passing = truth.other & ~truth.known if self._may_pass and truth.blind_to_act else 0
        act = self._referee.call if truth.blind_to_act else self._referee.reply
        return (act(truth, cell) for cell in chain(cells_of(blanks), cells_of(passing)))


# How often a blind player can win against uniformly random replies, as exact fractions.
#
# In a merged state all possible sets of the opponent's marks are equally likely (docs/explanation/blindfold.md). So the
# chances depend only on the numbers of these sets. The *mass* of a state is the chance to win, summed over these sets.

Step = tuple[Fraction, list[tuple[InfoSet, Fraction | int]]]
"""The mass of wins before the next call, and the next states, each with the share of its mass that counts."""


class Chances:
    """Largest chances to win from each state, over all calls or over the good calls of an analysis.

    Cost: linear in the merged states, times the cells.
    """

    def __init__(self, game: MergedGame, guarantee: Analysis[InfoSet] | None = None) -> None:
        self.game, self.guarantee, self._alike = game, guarantee, cache(game.alike)

    def chance(self, state: InfoSet, cell: int | None = None) -> Fraction:
        """Return the largest chance to win from here, or the chance with this call next."""
        mass = self.mass(self._alike(state)) if cell is None else self.mass_after(state, cell)
        return mass / self.game.families.count(state.own, state.known, state.hidden)

    def _calls(self, state: InfoSet) -> tuple[Call[InfoSet], ...]:
        return self.game.calls(state) if self.guarantee is None else self.guarantee.good_calls(state)

    @remembered
    def mass(self, state: InfoSet) -> Fraction:
        """Return the sum of the chances over the opponent's possible sets of marks, with the best calls."""
        return max(self.mass_after(state, call.cell) for call in self._calls(state))

    def mass_after(self, state: InfoSet, cell: int) -> Fraction:
        """Return the sum of the chances over the possible sets, after a call."""
        won, following = self.step(state, cell)
        masses = [(self.mass(self._alike(after)), share) for after, share in following]
        return sum((mass if share == 1 else share * mass for mass, share in masses), won)

    def step(self, state: InfoSet, cell: int) -> Step:
        """Return the result of a call, until the next call."""
        game, families, bit = self.game, self.game.families, 1 << cell
        following: list[tuple[InfoSet, Fraction | int]] = []
        won, own = Fraction(), state.own | bit
        sets = families.count(own, state.known, state.hidden)
        if sets and families.has_line(own):
            won += sets if game.board.rules.line_wins else 0
        elif sets and own.bit_count() + state.hidden < game.board.cells:
            won += self._reply(own, state.known, state.hidden, 1, following)
        lasts = state.hidden - state.known.bit_count()
        ways = lasts if game.rules.names_last and not state.last and lasts else 1
        for _, known, last in game.taken_answers(state, bit):
            if game.rules.loses_turn:
                won += self._reply(state.own, known, state.hidden, ways, following)
            else:
                following.append((InfoSet(state.own, known, state.hidden, last), Fraction(1, ways)))
        return won, following

    def _reply(
        self, own: Mask, known: Mask, hidden: int, ways: int, following: list[tuple[InfoSet, Fraction | int]]
    ) -> Fraction | int:
        """Let the opponent move at random from each set of `hidden` marks that contains `known`.

        Return the mass of wins, divided by `ways`, and add the next states to `following`.
        """
        families = self.game.families
        blanks, origins = self.game.board.cells - own.bit_count() - hidden, hidden + 1 - known.bit_count()
        if blanks > 1 and families.exists(own, known, hidden + 1):
            following.append((InfoSet(own, known, hidden + 1), Fraction(origins, blanks * ways)))
        if self.game.board.rules.line_wins:
            return 0
        quiet = origins * families.count(own, known, hidden + 1)
        return Fraction(families.count(own, known, hidden) * blanks - quiet, blanks * ways)

    def plan(self, state: InfoSet, first: int | None = None) -> Plan:
        """Return a plan with the largest chance; among equal calls it makes the first in reading order."""
        calls = [call for call in self._calls(state) if first is None or call.cell == first]
        best = max(calls, key=lambda call: self.mass_after(state, call.cell))
        return Plan(best.cell, {answer: self.plan(after) for answer, after in best.branches})


Weights = tuple[Fraction, ...]


class ListChances:
    """Largest chances for a player who hears nothing, from the chances of all possible states.

    Cost: at worst all cells! lists; many of them are merged.
    """

    def __init__(self, game: ListGame, guarantee: Analysis[Listed] | None = None, history: History = ()) -> None:
        self.game, self.guarantee, self._step = game, guarantee, cache(Chances(game.heard).step)
        many = game.board.cells if game.rules.blind == "O" and not game.rules.opening_told else 1
        self.start: Weights = (Fraction(1, many),)
        """The chance of each opening of X; 1 where X is blind, or O learns the opening. After a history, the chances
        of what O's marks may be by then."""
        if history:
            self.start = self._weights(history)

    def _weights(self, history: History) -> Weights:
        """Return the weights after a list of calls, if the game is not over by then."""
        state, weights = dict(self.game.start().branches)[history[0][1]], self.start
        for cell, _ in history[1:]:
            _, following = self._after(state, cell, weights)
            assert following is not None
            state, weights = following
        count = self.game.heard.families.count
        total = sum(w * count(each.own, each.known, each.hidden) for each, w in zip(state.states, weights, strict=True))
        return tuple(weight / total for weight in weights)

    @remembered
    def best(self, state: Listed, weights: Weights) -> tuple[Fraction, int]:
        """Return the largest chance to win and the next entry of the list that has it."""
        calls = self.game.calls(state) if self.guarantee is None else self.guarantee.good_calls(state)
        most, cell = max((self.chance(state, call.cell, weights), -call.cell) for call in calls)
        return most, -cell

    def chance(self, state: Listed, cell: int, weights: Weights | None = None) -> Fraction:
        """Return the chance to win with this next entry; `weights` are per set of the opponent's marks."""
        won, following = self._after(state, cell, weights or self.start)
        return won if following is None else won + self.best(*following)[0]

    def _after(self, state: Listed, cell: int, weights: Weights) -> tuple[Fraction, tuple[Listed, Weights] | None]:
        won, after = Fraction(), defaultdict[InfoSet, Fraction](Fraction)
        for each, weight in zip(state.states, weights, strict=True):
            at_once, following = self._step(each, cell)
            won += weight * at_once
            for known, share in following:
                after[known] += weight * share
        states = tuple(sorted(after))
        listed = Listed(state.barred | 1 << cell, states)
        return won, (listed, tuple(after[each] for each in states)) if states else None

    def plan(self, state: Listed, first: int | None = None, weights: Weights | None = None) -> Plan:
        """Return a best list of calls from here, as a plan."""
        given = weights or self.start
        cell = self.best(state, given)[1] if first is None else first
        _, following = self._after(state, cell, given)
        return Plan(cell, {} if following is None else {Answer("next"): self.plan(following[0], None, following[1])})
