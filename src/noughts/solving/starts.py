"""The value of the empty board, by every engine that finds it within a budget."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.position import Outcome, Position
from noughts.solving.engines import Problem, engine_named

__all__ = ["starting_outcomes"]

NODES_A_SECOND = 1_500_000


def starting_outcomes(board: Board, *, memory: int, seconds: float) -> dict[str, Outcome]:
    """Return by engine who wins from the empty board; engines that would take longer or need more are left out.

    `retrograde` goes by its estimate, `search` stops after as many nodes as it opens in that time.
    """
    found: dict[str, Outcome] = {}
    retrograde = engine_named("retrograde")
    problem = Problem(board, None)
    if retrograde.refusal(problem) is None:
        cost = retrograde.estimate(problem)
        if cost.memory <= memory and cost.seconds <= seconds:
            found["retrograde"] = retrograde.solve(problem, threads=2, progress=None).outcome()
    if board.cells <= 64:
        from noughts.solving.searching import SearchSolution

        searched = SearchSolution(board).evaluate_within(Position(board), int(seconds * NODES_A_SECOND))
        if searched is not None:
            found["search"] = searched.outcome
    return found
