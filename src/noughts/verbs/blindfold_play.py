"""Blindfold play: its options, and the feedback of the referee to each player, in the terminal and on a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from noughts.blindfold.game import Act, Answer, BlindRules, Goal, Outcome, names
from noughts.blindfold.session import Opposition, Role
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.verbs.blindfold import GOALS, BlindRuled
from noughts.verbs.request import option


@dataclass(frozen=True, kw_only=True)
class BlindPlay(BlindRuled):
    """The options of a blindfold game."""

    as_: Role = option("Your role: blind, or sighted against the strategy", "blind", choices=("blind", "sighted"))
    opponent: Opposition = option(
        "Opponent of a blind player",
        "random",
        choices=("random", "hostile", "blind"),
        usual="random; blind: on small boards",
    )
    goal: Goal = option("Goal of the strategy against a sighted player", "never-lose", choices=GOALS)


class Spoken:
    """The words of the referee under these rules."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board, self.rules = board, rules

    def begin(self, opponent: Opposition) -> str:
        """Return the words before the game."""
        rules = replace(self.rules, blind="both") if opponent == "blind" else self.rules
        return f"Blindfold on {self.board}: {rules.sentence()}."

    def otherwise(self, goal: Goal) -> str:
        """Return the words for a goal that no strategy reaches."""
        return f"No strategy reaches the goal {goal}: the program plays to win often."

    def opened(self, answer: Answer) -> str:
        """Return the feedback to a blind O about the first move of X."""
        return f"X opens at {names(self.board, answer.cells)}."

    def to_caller(self, act: Act) -> str | None:
        """Return the feedback to the blind player after a call, None under the rule `nothing`."""
        if self.rules.is_silent:
            return None
        name = cell_name(self.board, act.cell)
        return f"{name} is yours." if act.placed else f"{name} is taken{self._more(act.heard)}."

    def to_sighted(self, act: Act) -> str:
        """Return the message to the sighted player about a call."""
        return f"{act.who} calls {cell_name(self.board, act.cell)}: {'placed' if act.placed else 'taken'}."

    def moved(self) -> str:
        """Return the message to the blind player about a reply."""
        return f"{self.rules.opponent} has moved."

    def result(self, outcome: Outcome, you: str) -> str:
        """Return the result of the game for one player, X or O."""
        won = {"win": self.rules.blind, "loss": self.rules.opponent}.get(outcome)
        return "A draw." if won is None else f"{won} wins: you {'win' if won == you else 'lose'}."

    def revealed(self, acts: Iterable[Act]) -> str:
        """Return all acts of the game, with the player, the cell, and whether it was taken."""
        parts = [f"{act.who} {cell_name(self.board, act.cell)}{'' if act.placed else ' (taken)'}" for act in acts]
        return f"All revealed: {', '.join(parts) or 'no moves'}."

    def heard(self, acts: Iterable[Act], *, blind: bool) -> list[str]:
        """Return all messages so far to the blind or to the sighted player."""
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
        return f"; the last move was {cells}{turn}" if self.rules.names_last else f"; all marks: {cells}{turn}"
