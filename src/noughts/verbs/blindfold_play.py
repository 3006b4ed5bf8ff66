"""Blindfold play: how it is asked for, and what the referee says to whom, in the terminal and on a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.blindfold.game import Act, Answer, BlindRules, Goal, Outcome, names
from noughts.blindfold.session import Opposition, Role
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.verbs.blindfold import GOALS, BlindRuled
from noughts.verbs.request import option


@dataclass(frozen=True, kw_only=True)
class BlindPlay(BlindRuled):
    """How a blindfold game is played: who sees nothing, by which rules, and who plays against the person."""

    as_: Role = option(
        "blind: you call without seeing. sighted: you try to beat the strategy.", "blind", choices=("blind", "sighted")
    )
    opponent: Opposition = option("Who replies to you when you are blind.", "random", choices=("random", "hostile"))
    goal: Goal = option("The strategy that plays against you when you see.", "never-lose", choices=GOALS)


class Spoken:
    """The referee's words in a game by these rules."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board, self.rules = board, rules

    def begin(self) -> str:
        """Return what is said before the game."""
        return f"Blindfold on {self.board}: {self.rules.sentence()}."

    def otherwise(self, goal: Goal) -> str:
        """Return what is said where the program plays to win often, for want of a strategy for the goal."""
        return f"There is no strategy to {goal.replace('-', ' ')}: the program plays to win often."

    def opened(self, answer: Answer) -> str:
        """Return what a blind O hears who is told where X opens."""
        return f"X opens at {names(self.board, answer.cells)}."

    def to_caller(self, act: Act) -> str | None:
        """Return what the blind player hears after a call, None where nothing is said."""
        if self.rules.told == "nothing":
            return None
        name = cell_name(self.board, act.cell)
        return f"{name} is yours." if act.placed else f"{name} is taken{self._more(act.heard)}."

    def to_sighted(self, act: Act) -> str:
        """Return what the player who sees hears of a call."""
        return f"{act.who} calls {cell_name(self.board, act.cell)}: {'placed' if act.placed else 'taken'}."

    def moved(self) -> str:
        """Return what the blind player hears of a reply."""
        return f"{self.rules.opponent} has moved."

    def result(self, outcome: Outcome, you: str) -> str:
        """Return how the game has ended, said to one player, X or O."""
        won = {"win": self.rules.blind, "loss": self.rules.opponent}.get(outcome)
        return "A draw." if won is None else f"{won} wins: you {'win' if won == you else 'lose'}."

    def revealed(self, acts: Iterable[Act]) -> str:
        """Return everything that happened: who, on which cell, and whether the mark was placed."""
        parts = [f"{act.who} {cell_name(self.board, act.cell)}{'' if act.placed else ' (taken)'}" for act in acts]
        return f"All revealed: {', '.join(parts) or 'no moves'}."

    def heard(self, acts: Iterable[Act], *, blind: bool) -> list[str]:
        """Return all that one player has heard so far, the blind one or the one who sees."""
        sentences: list[str | None] = []
        for act in acts:
            if act.who == self.rules.blind:
                sentences.append(self.to_caller(act) if blind else self.to_sighted(act))
            elif blind:
                sentences.append(self.moved())
                sentences.append(self.opened(act.heard) if act.heard.kind == "opening" else None)
        return [words for words in sentences if words is not None]

    def _more(self, answer: Answer) -> str:
        cells = names(self.board, answer.cells)
        turn = "; you lose the turn" if self.rules.loses_turn else ""
        if not cells:
            return turn
        return f"; the last move was {cells}{turn}" if self.rules.told == "last-move" else f"; all marks: {cells}{turn}"
