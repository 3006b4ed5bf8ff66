"""What the blind player could get with open eyes: an upper bound on what can be got blindfold.

The player sees all marks and still makes the same calls; with `lose-turn` that includes the deliberate call of a taken
cell, which passes. The opponent's best replies are a pure strategy that holds a blind player to the same value.
"""

from __future__ import annotations

from noughts.blindfold.game.rules import BlindRules
from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError

__all__ = ["Informed"]

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
