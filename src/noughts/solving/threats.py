"""Engine `threats`: wins, on boards of up to 400 cells, by attacks that leave the defender few replies."""

from __future__ import annotations

from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.workers import Progress, Workers
from noughts.rules.position import Position
from noughts.solving.problem import MOST_CELLS, SEARCHED_CELLS, Problem, SolvingOffer, too_large
from noughts.solving.solution import Solution

__all__ = ["NAME", "offer"]

NAME = "threats"
GUESS_SECONDS = 50.0
"""More than the search takes, which finds these wins as well on the boards that it takes."""
GUESS_SECONDS_OF_DRAWS = 70.0
"""More than blocking takes, which says of a draw by which pairs and answers it is made."""
MEMORY = 500_000_000


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer a solution that looks for a win of either player; beyond SEARCHED_CELLS only where it has found one."""
    board, start = problem.board, problem.start
    if board.misere:
        return Refusal(NAME, "the engine threats completes lines, and under misere they lose")
    if board.cells > MOST_CELLS:
        why = f"the engine threats takes boards of up to {MOST_CELLS} cells, {board} has {board.cells:,}"
        return Refusal(NAME, why)
    if problem.counts_only or start is None:
        return Refusal(NAME, "the engine threats knows single positions only, not how all are distributed")
    if problem.remoteness:
        return Refusal(NAME, "the engine threats knows in how many plies at most a game is won, not in how many")
    estimate = Estimate(MEMORY, GUESS_SECONDS, "time unknown before the search")
    if not limits.allow(estimate):
        return too_large(problem, NAME, estimate, limits)
    from noughts.solving.attacking import AttackSolution

    solution = AttackSolution(board, start, budget=problem.search)
    if board.cells > SEARCHED_CELLS:
        found = solution.first_look()
        if found is None:
            return Refusal(NAME, f"the engine threats finds no win from {_named(start)} of {board}")
        if found == "draw":
            estimate = Estimate(MEMORY, GUESS_SECONDS_OF_DRAWS, estimate.detail)
            if not limits.allow(estimate):
                return Refusal(NAME, f"the engine threats finds no win from {_named(start)} of {board}")

    def solve(workers: Workers, progress: Progress) -> Solution:
        solution.searches()[1].employed(workers)
        return solution.watched(progress)

    return SolvingOffer(NAME, estimate, solve, missing=("remoteness",) if problem.remoteness_preferred else ())


def _named(position: Position) -> str:
    return "the empty board" if position.ply == 0 else f"{position}"
