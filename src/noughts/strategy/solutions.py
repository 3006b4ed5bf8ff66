"""Who values positions for this room: the engines of `solving`, each within what a person waits for."""

from __future__ import annotations

from noughts.domain.errors import BudgetError
from noughts.domain.notation import format_start
from noughts.domain.position import Position
from noughts.domain.sizes import require_playable
from noughts.machine.budget import Limits
from noughts.machine.progress import silent
from noughts.machine.workers import workers_for
from noughts.solving.engines import offers
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.published import and_known
from noughts.solving.search import NAME
from noughts.solving.solution import Solution

__all__ = ["SEARCH", "TABLE_SECONDS", "searched_from", "solution_for"]

TABLE_SECONDS = 30.0
"""All positions are valued, with plies to the end, where the engine takes that to cost no more than this."""

SEARCH = SearchBudget(position=8_000_000, moves=8_000_000, whole=24_000_000, far=250_000)
"""What a search may spend where that costs more: some seconds, and for a tree what is beyond is absent."""


def solution_for(start: Position, search: SearchBudget = SEARCH) -> Solution:
    """Return the values of the positions that play from `start` reaches, by the cheapest engine that can.

    Raises BudgetError where no engine can.
    """
    require_playable(start.board)
    problem = Problem(start.board, start, remoteness_preferred=True, search=search)
    offer, refusals = offers(problem, Limits.of(time=TABLE_SECONDS))
    if offer is None:
        why = "; ".join(refusal.reason for refusal in refusals)
        raise BudgetError(
            f"{start.board}{format_start(start)} cannot be valued: {why}; ask about a smaller board{and_known(start)}"
        )
    return offer.solve(workers_for(), silent)


def searched_from(start: Position, search: SearchBudget) -> Solution:
    """Return the values from `start` by a search begun anew, which finds the same each time.

    Raises BudgetError where the board is too large for a search.
    """
    offer, refusals = offers(Problem(start.board, start, search=search), Limits.of("1GB"), engine=NAME)
    if offer is None:
        raise BudgetError("; ".join(refusal.reason for refusal in refusals))
    return offer.solve(workers_for(), silent)
