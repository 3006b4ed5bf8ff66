"""Engine `frontier`: positions and games counted cell by cell, by the status of the winning lines under way.

Nothing is listed. Of a winning line it matters only whether it is still all X or all O; a line is forgotten at its last
cell. How the states and their values are kept is told in docs/explanation/counting-without-listing.md.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.counting.census import Census
from noughts.counting.pattern import Pattern, shared_sets
from noughts.counting.question import Question
from noughts.counting.tally import Tally, census_rows, patterns_of, why_not
from noughts.domain.budget import Estimate
from noughts.domain.errors import BudgetError

if TYPE_CHECKING:
    from noughts.counting.checkpoints import Checkpoints
    from noughts.counting.engines import Progress
    from noughts.counting.frontier_order import Forecast
    from noughts.counting.frontier_plan import Plan

__all__ = ["count", "estimate", "name", "refusal"]

name = "frontier"

CELL_LIMIT = 256
LINE_LIMIT = 4000
SHARED_LIMIT = 4000
START_SECONDS = 1.0
"""What loading NumPy and the compiled kernels costs."""


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    cells = question.board.cells
    if cells > CELL_LIMIT:
        return f"the engine frontier takes boards of up to {CELL_LIMIT} cells, {question.board} has {cells}"
    why = why_not(question)
    if why is not None:
        return why
    if len(question.board.lines) > LINE_LIMIT:
        return f"the engine frontier takes up to {LINE_LIMIT} lines, {question.board} has {len(question.board.lines)}"
    return None


@lru_cache(maxsize=64)
def _shared(pattern: Pattern) -> dict[int, int] | None:
    return shared_sets(pattern.first, SHARED_LIMIT)


@lru_cache(maxsize=64)
def _planned(pattern: Pattern, won: bool, to_ply: int, sides: tuple[int, ...]) -> tuple[Plan, Forecast]:
    """Return the plan for one sweep and what it costs."""
    from noughts.counting.frontier_order import best_plan

    return best_plan(pattern, _shared(pattern) if won else None, to_ply, sides)


def _sweeps(pattern: Pattern, won: bool) -> list[tuple[Pattern, bool]]:
    """Return the sweeps that count a pattern: the players' wins apart where their lines differ."""
    if won and not pattern.is_symmetric:
        return [(pattern, True), (pattern.swapped(), True)]
    return [(pattern, won)]


def _moves(question: Question) -> int:
    return question.last_ply - question.first_ply


def _sides(question: Question) -> tuple[int, ...]:
    shape = question.board.shape
    return (shape[1], shape[0]) if shape is not None else ()


def estimate(question: Question) -> Estimate:
    """Return what the sweeps cost, by dry runs that find the states of each frontier without their values."""
    if question.board.cells <= 12:
        return Estimate(50 * 10**6, START_SECONDS, "a frontier of a small board")
    memory, seconds, widest, complete = 0, START_SECONDS, 0, True
    for pattern, won in patterns_of(question):
        for part, with_won in _sweeps(pattern, won):
            forecast = _planned(part, with_won, _moves(question), _sides(question))[1]
            memory, seconds = max(memory, forecast.memory), seconds + forecast.seconds
            widest, complete = max(widest, forecast.widest), complete and forecast.complete
            if not complete:
                return Estimate(memory, 1e9, f"a frontier of more than {widest:,} states")
    return Estimate(memory + 80 * 10**6, seconds, f"a frontier of up to {widest:,} states")


def count(
    question: Question, *, progress: Progress | None = None, threads: int = 2, resume: Path | None = None
) -> Census:
    """Return the census by one sweep for each kind of symmetry (one in all for labelled questions).

    With `resume` the state of each sweep is kept in that folder after every cell and taken up again from there.
    """
    from noughts.counting.checkpoints import Checkpoints

    store = Checkpoints(resume) if resume is not None else None
    counter = _Counter(question, progress, threads, store)
    return Census(question, name, census_rows(question, counter.tally))


class _Counter:
    """Counts patterns by sweeps, and reports how far all of them are together."""

    def __init__(
        self, question: Question, progress: Progress | None, threads: int, store: Checkpoints | None
    ) -> None:
        self.moves = _moves(question)
        self.sides = _sides(question)
        self.progress = progress
        self.threads = threads
        self.store = store
        self.whole = sum(
            part.size for pattern, won in patterns_of(question) for part, _ in _sweeps(pattern, won)
        )
        self.done = 0

    def tally(self, pattern: Pattern, won: bool) -> Tally:
        """Return the tally of one pattern."""
        won = won and all(_shared(part) is not None for part, _ in _sweeps(pattern, won))
        rows = [self._swept(part, with_won) for part, with_won in _sweeps(pattern, won)]
        by_first, by_second = rows[0], rows[-1]
        if not won:
            return Tally(tuple(by_first[0]), None)
        return Tally(
            tuple(by_first[0]), tuple(by_first[1][t] if t % 2 else by_second[2][t] for t in range(len(by_first[1])))
        )

    def _swept(self, pattern: Pattern, won: bool) -> tuple[list[int], list[int], list[int]]:
        """Return by number of marks: open positions, those the first player won moving last, and having moved first.

        The last are positions with as many marks of the other player: what the second player wins on the pattern with
        the players exchanged.
        """
        from noughts.counting.frontier_run import swept

        plan, _ = _planned(pattern, won, self.moves, self.sides)
        size = pattern.size
        found = swept(plan, self.moves, self.threads, self.store, self._report)
        self.done += size
        return found

    def _report(self, cells: int, states: int) -> None:
        if self.progress is not None:
            self.progress(self.done + cells, max(self.whole, 1), f"frontier of {states:,} states")
