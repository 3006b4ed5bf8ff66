"""The matrix of conventions: finished games for every answer to the three questions that fits the budget."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from noughts.counting.answers import Answers
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.words import command_of, convention
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.rules import END_RULES, MISERE_MOVE_RULES, MOVE_RULES

__all__ = ["Entry", "conventions", "matrix"]


@dataclass(frozen=True)
class Entry:
    """One cell of the matrix: the question, the number of finished games, who counted; or why it was left out."""

    question: Question
    finished: int | None
    engine: str | None
    reason: str | None = None

    @property
    def convention(self) -> str:
        """The convention in words."""
        return convention(self.question)

    @property
    def command(self) -> str:
        """The command that computes this number."""
        return command_of(self.question)


def conventions(board: Board) -> tuple[Question, ...]:
    """Return the questions of the matrix, both players under one rule: 45, or 18 under misere."""
    rules = MISERE_MOVE_RULES if board.misere else MOVE_RULES
    return tuple(Question(board, same, moves, moves, end) for moves, end, same in product(rules, END_RULES, SAMENESSES))


def _seconds(question: Question, answers: Answers) -> float:
    try:
        return answers.seconds(question)
    except BudgetError:
        return float("inf")


def matrix(board: Board, answers: Answers | None = None) -> tuple[Entry, ...]:
    """Return an entry for each convention, in the order of `conventions`.

    The cheapest are computed first, as long as the engines' estimates fit what is left of the budget (10 s in all
    unless given); the others carry what they would cost.
    """
    budget = answers if answers is not None else Answers(in_all=True)
    questions = conventions(board)
    done = {
        question: _entry(question, budget)
        for question in sorted(questions, key=lambda question: _seconds(question, budget))
    }
    return tuple(done[question] for question in questions)


def _entry(question: Question, answers: Answers) -> Entry:
    try:
        census = answers.census(question)
    except BudgetError:
        return Entry(question, None, None, answers.cost(question))
    finished = census.totals.finished
    return Entry(question, finished, census.engine, None if finished is not None else "only its positions can be had")
