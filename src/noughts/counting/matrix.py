"""The matrix of conventions: finished games for every answer to the three questions that fits the budget."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from noughts.counting.answers import Answers
from noughts.counting.engines import ENGINES, cost_of, engine_named
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.words import convention
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.rules import END_RULES, MISERE_MOVE_RULES, MOVE_RULES

__all__ = ["Entry", "command_of", "conventions", "matrix"]


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


def command_of(question: Question) -> str:
    """Return the command line that asks a question of this kind."""
    words = ["noughts count", question.board.spec, f"--same {question.same}"]
    if question.x_moves == question.o_moves:
        words.append(f"--moves {question.x_moves}")
    else:
        words += [f"--x-moves {question.x_moves}", f"--o-moves {question.o_moves}"]
    words.append(f"--end {question.end}")
    if question.symmetry != "board":
        words.append(f"--symmetry {question.symmetry}")
    return " ".join(words)


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
        return Entry(question, None, None, _cost(question, answers))
    finished = census.totals.finished
    return Entry(question, finished, census.engine, None if finished is not None else "only its positions can be had")


def _cost(question: Question, answers: Answers) -> str:
    """Return what the cheapest engine that can answer would take."""
    estimates = []
    for name in ENGINES:
        engine = engine_named(name)
        if engine.refusal(question) is None:
            estimates.append(cost_of(engine, question, answers.memory, answers.time))
    if not estimates:
        return "no engine can"
    return min(estimates, key=lambda estimate: (estimate.at_least, estimate.seconds, estimate.memory)).words
