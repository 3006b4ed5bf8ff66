"""The matrix of conventions: finished games for every answer to the three questions that fits the budget."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass
from itertools import product

from noughts.counting.engines import Engine, answer, choose
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.words import convention
from noughts.domain.board import Board
from noughts.domain.budget import default_memory
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


def _plan(question: Question, memory: int, time: float) -> tuple[float, Engine | None, str | None]:
    try:
        engine = choose(question, memory=memory, time=time)
    except BudgetError as error:
        return float("inf"), None, str(error)
    return engine.estimate(question).seconds, engine, None


def matrix(board: Board, *, memory: int | None = None, time: float = 10.0, threads: int = 2) -> tuple[Entry, ...]:
    """Return an entry for each convention, in the order of `conventions`.

    The cheapest are computed first, as long as the engines' estimates fit what is left of `time` (seconds in all) and
    `memory` (bytes); the others carry the reason.
    """
    budget = default_memory() if memory is None else memory
    plans = [(question, *_plan(question, budget, time)) for question in conventions(board)]
    started = clock.monotonic()
    done: dict[Question, Entry] = {}
    for question, seconds, engine, reason in sorted(plans, key=lambda plan: plan[1]):
        left = time - (clock.monotonic() - started)
        if engine is None:
            done[question] = Entry(question, None, None, reason)
        elif seconds > left:
            done[question] = Entry(question, None, None, f"it takes about {seconds:.0f} s and {left:.0f} s are left")
        else:
            done[question] = _entry(question, engine, budget, threads)
    return tuple(done[question] for question, *_ in plans)


def _entry(question: Question, engine: Engine, memory: int, threads: int) -> Entry:
    try:
        census = answer(question, engine=engine.name, memory=memory, threads=threads)
    except BudgetError as error:
        return Entry(question, None, None, str(error))
    finished = census.totals.finished
    return Entry(question, finished, census.engine, None if finished is not None else "only its positions can be had")
