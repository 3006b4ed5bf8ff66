"""The value of the empty board, by every engine that finds it within a budget."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Position
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from noughts.machine.progress import silent
from noughts.machine.workers import workers_for
from noughts.solving import retrograde, search
from noughts.solving.engines import solve_problem
from noughts.solving.problem import Problem, SearchBudget

__all__ = ["starting_outcome", "starting_outcomes"]

NODES_A_SECOND = 1_500_000


def starting_outcomes(board: Board, *, memory: int, seconds: float) -> dict[str, Outcome]:
    """Return by engine who wins from the empty board; engines that would take longer or need more are left out.

    `retrograde` goes by its estimate, `search` stops after as many nodes as it opens in that time.
    """
    problem = Problem(board, Position(board), search=SearchBudget(position=int(seconds * NODES_A_SECOND)))
    asked = {
        retrograde.NAME: retrograde.offer(problem, Limits(memory, seconds)),
        search.NAME: search.offer(problem, Limits()),
    }
    found: dict[str, Outcome] = {}
    for name, offer in asked.items():
        if not isinstance(offer, Refusal):
            try:
                found[name] = offer.solve(workers_for(), silent).outcome()
            except BudgetError:
                continue
    return found


def starting_outcome(board: Board, engine: str, *, seconds: float | None) -> Outcome:
    """Return who wins from the empty board by one engine. Raises BudgetError where it does not find it in time."""
    problem = Problem(board, Position(board), search=SearchBudget(seconds=seconds))
    return solve_problem(problem, engine=engine, limits=Limits()).outcome()
