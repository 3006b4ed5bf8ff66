"""Engine `search`: single positions on boards of up to 64 cells."""

from __future__ import annotations

from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.workers import Progress, Workers
from noughts.solving.problem import Problem, SolvingOffer, too_large
from noughts.solving.solution import Solution

__all__ = ["NAME", "offer"]

NAME = "search"
SLOTS = 1 << 22
GUESS_SECONDS = 6.0
"""What the search of one position is taken to cost when engines are compared: nobody knows before it is done."""
GUESS_SECONDS_FOR_ALL = 20.0
"""The same where any position may be asked."""


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer a solution that searches when it is asked: the memory is that of its table, the time is a guess."""
    if problem.board.cells > 64:
        why = f"the engine search takes boards of up to 64 cells, {problem.board} has {problem.board.cells:,}"
        return Refusal(NAME, why)
    if problem.counts_only:
        return Refusal(NAME, "the engine search knows single positions only, not how all are distributed")
    if problem.remoteness:
        return Refusal(NAME, "the engine search knows values, not the plies to the end of a won game")
    seconds = GUESS_SECONDS if problem.start is not None else GUESS_SECONDS_FOR_ALL
    estimate = Estimate(SLOTS * 32 + 100_000_000, seconds, "time unknown before the search")
    if not limits.allow(estimate):
        return too_large(problem, NAME, estimate, limits)

    def solve(workers: Workers, progress: Progress) -> Solution:
        from noughts.solving.searching import SearchSolution

        found = SearchSolution(problem.board, problem.start, slots=SLOTS, budget=problem.search, progress=progress)
        found.searches()[1].employed(workers)
        return found

    return SolvingOffer(NAME, estimate, solve, missing=("remoteness",) if problem.remoteness_preferred else ())
