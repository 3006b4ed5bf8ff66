"""The play of a question: who may move where, and when a game is over, as plain functions of a state of its game."""

from __future__ import annotations

from functools import cache
from typing import Generic

from noughts.counting.question import Question
from noughts.domain.bits import Mask, cells_of
from noughts.domain.game import Game, Marks, State, best_moves, settled, worth
from noughts.domain.players import Outcome

__all__ = ["AskedPlay"]


class AskedPlay(Generic[State]):
    """The rules of one question, as plain functions of a state of its game."""

    def __init__(self, question: Question, game: Game[State]) -> None:
        self.question = question
        self.game = game
        self.depth = question.last_ply - question.first_ply
        self.value_of = cache(self._value_of)
        self.worth_of = cache(self._worth_of)
        self.sole_outcome = cache(self._sole_outcome)
        self.outcome = self.sole_outcome if question.end == "decided" else game.outcome

    def _value_of(self, state: State) -> int:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return {"X": 1, "draw": 0, "O": -1}[outcome]
        best = max if self.game.to_move(state) == "X" else min
        return best(self.value_of(self.game.play(state, move)) for move in cells_of(self.game.moves(state)))

    def _worth_of(self, state: State) -> int:
        outcome = settled(self.game, state)
        if outcome is not None:
            return worth(outcome, self.game.last_ply - self.game.ply(state))
        best = max if self.game.to_move(state) == "X" else min
        return best(self.worth_of(self.game.play(state, move)) for move in cells_of(self.game.moves(state)))

    def _sole_outcome(self, state: State) -> Outcome | None:
        """Return the outcome of every continuation that the move rules allow, or None where there are several."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            return outcome
        outcomes = {self.sole_outcome(child) for child in self.children(state)}
        return outcomes.pop() if len(outcomes) == 1 else None

    def moves(self, state: State) -> Mask:
        """Return the moves that the side to move may make, by its rule or by the table that it is held to."""
        game, mover = self.game, self.game.to_move(state)
        table = self.question.plays(mover)
        rule = self.question.x_moves if mover == "X" else self.question.o_moves
        if table is not None and isinstance(state, Marks):
            return game.moves(state) if state.won else table.at(state.x, state.o)
        if rule == "perfect":
            return best_moves(game, state, self.value_of)
        if rule == "quickest":
            return best_moves(game, state, self.worth_of)
        return game.moves(state, rule)

    def children(self, state: State, within: Mask = -1) -> list[State]:
        """Return the states after each move that the rules allow, of those `within` a set."""
        return [self.game.play(state, move) for move in cells_of(self.moves(state) & within)]
