"""The exact distribution of endings when two policies meet, or when one side answers the other as well as it can.

An ending is X's win, O's win or a drawn full board. Probabilities are Fractions. The recursion runs over position
classes when both policies treat symmetric positions alike, else over labelled positions; each is visited once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from noughts.domain.bits import Mask, cells_of
from noughts.domain.extent import LISTED_CLASSES, require_listed
from noughts.domain.position import Player, Position
from noughts.solving.solution import Solution
from noughts.strategy.policy import Policy
from noughts.strategy.solutions import solution_for

__all__ = ["Distribution", "Playout"]

Distribution = dict[Hashable, Fraction]
"""The probability of each ending: the keys are those that `ending` gives."""


@dataclass
class Playout:
    """Two policies on a board, None for the side that plays the best response.

    `ending` names the ending of a finished position. `utility` is what the best responder maximises, as a tuple that is
    compared in order, so that ties of the first are broken by the second; linear in the distribution.
    """

    start: Position
    players: dict[Player, Policy | None]
    ending: Callable[[Position], Hashable]
    utility: Callable[[Distribution], tuple[Fraction, ...]]
    limit: int = LISTED_CLASSES
    best: dict[tuple[Mask, Mask], Mask] = field(default_factory=dict)
    """The best moves of each class in which the best responder moved; of each position unless `is_symmetric`."""
    _known: dict[tuple[Mask, Mask], Distribution] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.is_symmetric = all(player is None or player.is_symmetric for player in self.players.values())

    def run(self) -> Distribution:
        """Return the distribution of endings from the start. Raises BudgetError for large boards, before it begins."""
        require_listed(self.start, "playing policies out", self.limit, has_option=True)
        needy = any(player is not None and player.needs_values for player in self.players.values())
        self._solution: Solution | None = solution_for(self.start) if needy else None
        return self._at(self.start)

    def _at(self, position: Position) -> Distribution:
        key = (position.x, position.o)
        if self.is_symmetric:
            key = position.board.group().canonical(*key)
            position = Position(position.board, *key)
        if key not in self._known:
            self._known[key] = self._compute(position)
        return self._known[key]

    def _compute(self, position: Position) -> Distribution:
        if position.is_terminal:
            return {self.ending(position): Fraction(1)}
        player = self.players[position.to_move]
        if player is None:
            return self._respond(position)
        mixed: Distribution = {}
        for cell, share in player.probabilities(position, self._solution).items():
            for end, chance in self._at(position.play(cell)).items():
                mixed[end] = mixed.get(end, Fraction(0)) + share * chance
        return mixed

    def _respond(self, position: Position) -> Distribution:
        found = {cell: self._at(position.play(cell)) for cell in cells_of(position.blanks)}
        utilities = {cell: self.utility(distribution) for cell, distribution in found.items()}
        highest = max(utilities.values())
        best = [cell for cell, utility in utilities.items() if utility == highest]
        self.best[position.x, position.o] = sum(1 << cell for cell in best)
        return found[best[0]]
