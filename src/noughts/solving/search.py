"""Engine `search`: single positions on boards of up to 64 cells."""

from __future__ import annotations

from collections.abc import Callable

from noughts.machine.budget import Estimate
from noughts.solving.engines import Problem
from noughts.solving.plies import PlyValues
from noughts.solving.solution import Solution

__all__ = ["count_values", "estimate", "name", "refusal", "solve"]

name = "search"
Progress = Callable[[int, int, str], None]
SLOTS = 1 << 22
GUESS_SECONDS = 6.0
"""What the search of one position is taken to cost when engines are compared: nobody knows before it is done."""
GUESS_SECONDS_FOR_ALL = 20.0
"""The same where any position may be asked."""


def refusal(problem: Problem) -> str | None:
    """Return why this engine cannot answer, or None."""
    if problem.board.cells > 64:
        return f"the engine search takes boards of up to 64 cells, {problem.board} has {problem.board.cells}"
    if problem.counts_only:
        return "the engine search knows single positions only, not how all are distributed"
    if problem.remoteness:
        return "the engine search knows values, not the plies to the end of a won game"
    return None


def estimate(problem: Problem) -> Estimate:
    """Return the memory of the table of settled positions; the time is a guess."""
    seconds = GUESS_SECONDS if problem.start is not None else GUESS_SECONDS_FOR_ALL
    return Estimate(SLOTS * 32 + 100_000_000, seconds, "time unknown before the search")


def solve(problem: Problem, *, threads: int, progress: Progress | None) -> Solution:
    """Return a solution that searches when it is asked."""
    from noughts.solving.searching import SearchSolution

    return SearchSolution(problem.board, slots=SLOTS, seconds=problem.seconds, progress=progress)


def count_values(problem: Problem, *, threads: int, progress: Progress | None) -> tuple[PlyValues, ...]:
    """Never called: `refusal` says no."""
    raise AssertionError("the engine search counts nothing")
