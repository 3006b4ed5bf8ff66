"""How often a blind player can win against an opponent who replies uniformly at random, as exact fractions.

In a merged state every set of opponent's marks that is possible is equally likely (docs/explanation/blindfold.md), so
the chances need sizes of beliefs only. The *mass* of a state is the sum, over those sets, of the chance to win.
"""

from __future__ import annotations

from fractions import Fraction

from noughts.blindfold.game.calls import Answer, Call
from noughts.blindfold.game.lists import Listed, ListGame
from noughts.blindfold.game.merged import Knowledge, MergedGame
from noughts.blindfold.game.plans import Branches, Plan
from noughts.blindfold.pure.analysis import Analysis
from noughts.domain.bits import Mask

__all__ = ["Chances", "ListChances"]


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
