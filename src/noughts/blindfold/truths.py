"""The boards that are possible at the places of a strategy, played by the referee, and how games can end there."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from noughts.blindfold.game import (
    NO_CELL,
    PAYOFF,
    START,
    Answer,
    Outcome,
    Plan,
    Referee,
    Strategy,
    Truth,
)
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell, cells_of

TRUTHS = 1_000_000
"""The most boards that are examined, for all places together."""


def starting(strategy: Strategy) -> dict[Truth, Fraction]:
    """Return the truths after a strategy's history, each with its chance under random replies.

    Without a history this is the truth before the first move. Cost: the possible boards after each call of the history.
    Raises BudgetError where these are more than TRUTHS, InputError where no replies give these answers.
    """
    referee = Referee(strategy.board, strategy.rules)
    found = {referee.start(): Fraction(1)}
    for cell, answer in strategy.history:
        after: dict[Truth, Fraction] = defaultdict(Fraction)
        for truth, chance in found.items():
            replies = referee.replies(truth if cell == NO_CELL else referee.call(truth, cell))
            for reached in replies:
                if reached.outcome is None and reached.answer == answer:
                    after[reached] += chance / len(replies)
        if len(after) > TRUTHS:
            raise BudgetError(
                f"the knowledge on {strategy.board} allows more than {TRUTHS:,} boards: ask about a later state"
            )
        found = after
    total = sum(found.values())
    if not total:
        raise InputError("no replies give these answers: ask about a state that play can reach")
    if not strategy.history:
        return found
    return {truth._replace(answer=START): chance / total for truth, chance in found.items()}


class Ending(NamedTuple):
    """A way in which the game can end before the next call: the answer that the player hears, and the outcome.

    `truth` is an example: the first of `boards` such boards, in the order of the marks.
    """

    answer: Answer
    outcome: Outcome
    truth: Truth
    boards: int


def endings(strategy: Strategy) -> dict[int, tuple[Ending, ...]]:
    """Return for each place of a strategy, by `id(plan)`, how the game can end before the next call: wins first.

    Outcomes are for the blind player. The referee plays every reply on every board that is possible at a place. Cost:
    the possible boards of all places. Raises BudgetError where these are more than TRUTHS.
    """
    referee, looked_at = Referee(strategy.board, strategy.rules), 0
    found: dict[int, tuple[Ending, ...]] = {}

    def visit(plan: Plan, truths: set[Truth]) -> None:
        nonlocal looked_at
        looked_at += len(truths)
        if looked_at > TRUTHS:
            raise BudgetError(
                f"the strategy for {strategy.board} meets more than {TRUTHS:,} boards, too many to list its endings: "
                "use --format text"
            )
        over, after = dict[tuple[Answer, Outcome], set[Truth]](), dict[Answer, set[Truth]]()
        for reached in (each for truth in truths for each in referee.replies(referee.call(truth, plan.call))):
            if reached.outcome is not None:
                over.setdefault((reached.answer, reached.outcome), set()).add(reached)
            else:
                after.setdefault(reached.answer, set()).add(reached)
        ends = [
            Ending(*end, min(boards, key=_order), len({(truth.own, truth.other) for truth in boards}))
            for end, boards in over.items()
        ]
        found[id(plan)] = tuple(sorted(ends, key=lambda end: (end.answer.kind, -PAYOFF[end.outcome], end.answer)))
        for answer, below in plan.branches.items():
            visit(below, after.get(answer, set()))

    starts = [each for truth in starting(strategy) for each in referee.replies(truth)]
    for answer, plan in strategy.branches.items():
        visit(plan, {truth for truth in starts if truth.answer == answer and truth.outcome is None})
    return found


def _order(truth: Truth) -> tuple[list[Cell], list[Cell], Cell]:
    return list(cells_of(truth.own)), list(cells_of(truth.other)), truth.last
