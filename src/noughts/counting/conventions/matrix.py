"""The matrix of conventions: finished games for every answer to the three questions that fits the budget."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from noughts.counting.census import COLUMNS, GAME_COLUMNS
from noughts.counting.conventions.answers import Answers
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.words import command_of, convention
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.rules import END_RULES, move_rules
from noughts.machine.budget import Estimate

__all__ = ["Entry", "conventions", "matrix"]


@dataclass(frozen=True)
class Entry:
    """One cell of the matrix: the question, the number of finished games, who counted.

    Where the number is left out, `cost` is what it would take; None where no engine can count it.
    """

    question: Question
    finished: int | None
    engine: str | None
    cost: Estimate | None = None

    @property
    def convention(self) -> str:
        """The convention in words."""
        return convention(self.question)

    @property
    def reason(self) -> str | None:
        """Why the number was left out, in words; None where it is given."""
        if self.finished is not None:
            return None
        return "no engine can" if self.cost is None else self.cost.words

    @property
    def command(self) -> str:
        """The command that computes this number."""
        return command_of(self.question)

    def as_dict(self) -> dict[str, str | None]:
        """Return the entry as a record; the number is a decimal string."""
        return {
            "moves": self.question.x_moves,
            "end": self.question.end,
            "same": self.question.same,
            "convention": self.convention,
            "finished": None if self.finished is None else str(self.finished),
            "engine": self.engine,
            "command": self.command,
            **({"reason": self.reason} if self.reason else {}),
        }


def conventions(board: Board) -> tuple[Question, ...]:
    """Return the questions of the matrix, both players under one rule: 54, or 27 under misere."""
    rules = move_rules(board)
    return tuple(Question(board, same, moves, moves, end) for moves, end, same in product(rules, END_RULES, SAMENESSES))


def _seconds(question: Question, answers: Answers) -> float:
    try:
        return answers.seconds(question, _wanted(question))
    except BudgetError:
        return float("inf")


def _wanted(question: Question) -> tuple[str, ...]:
    """Return what is to be counted: by choices the games, for the positions are those up to symmetry."""
    return GAME_COLUMNS if question.same == "choices" else COLUMNS


def matrix(board: Board, answers: Answers | None = None) -> tuple[Entry, ...]:
    """Return an entry for each convention, in the order of `conventions`.

    The cheapest are computed first, as long as the engines' estimates fit what is left of the budget (10 s for each
    unless given); the others carry what they would cost.
    """
    budget = answers if answers is not None else Answers()
    questions = conventions(board)
    done = {
        question: _entry(question, budget)
        for question in sorted(questions, key=lambda question: _seconds(question, budget))
    }
    return tuple(done[question] for question in questions)


def _entry(question: Question, answers: Answers) -> Entry:
    wanted = _wanted(question)
    try:
        census = answers.census(question, wanted)
    except BudgetError:
        return Entry(question, None, None, answers.cost(question, wanted))
    return Entry(question, census.totals.finished, census.engine)
