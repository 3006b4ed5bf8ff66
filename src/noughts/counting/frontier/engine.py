"""Engine `frontier`: positions and games counted cell by cell, by the status of the winning lines under way.

Nothing is listed. Of a winning line it matters only whether it is still all X or all O; a line is forgotten at its last
cell. How the states and their values are kept is told in docs/explanation/counting-without-listing.md.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.counting.census import Census
from noughts.counting.patterns.pattern import Pattern, shared_sets
from noughts.counting.patterns.tally import Tally, census_rows, patterns_of, why_not
from noughts.counting.question import Question
from noughts.machine.budget import Estimate, Limits

if TYPE_CHECKING:
    from noughts.counting.checkpoints import Checkpoints
    from noughts.counting.engines import Progress
    from noughts.counting.frontier.forecast import Forecast
    from noughts.counting.frontier.route import Route

__all__ = ["Sweeper", "count", "estimate", "estimate_within", "is_partial", "name", "refusal"]

name = "frontier"

CELL_LIMIT = 1000
LINE_LIMIT = 4000
SHARED_LIMIT = 4000
START_SECONDS = 1.0
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY = 120 * 10**6
SMALL = 12
"""Boards of up to so many cells are not worth a dry run."""


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    why = why_not(question, name, CELL_LIMIT)
    if why is not None:
        return why
    if len(question.board.lines) > LINE_LIMIT:
        return (
            f"the engine frontier takes up to {LINE_LIMIT:,} lines, {question.board} has {len(question.board.lines):,}"
        )
    return None


@lru_cache(maxsize=64)
def _shared(pattern: Pattern) -> dict[int, int] | None:
    return shared_sets(pattern.first, SHARED_LIMIT)


_PLANS: dict[tuple[object, ...], tuple[Route, Forecast]] = {}
_TOO_LARGE: dict[tuple[object, ...], tuple[Limits, tuple[Route, Forecast]]] = {}
"""The plans made so far, and those given up because the costs exceeded some limits."""


def _planned(pattern: Pattern, won: bool, question: Question, limits: Limits) -> tuple[Route, Forecast]:
    """Return the route for one sweep and what it costs, known only in part where it exceeds the limits.

    The order of the cells is the one that is best for the open positions, with won positions and without.
    """
    key = (pattern, won, _moves(question), question.board.shape)
    if key in _PLANS:
        return _PLANS[key]
    if key in _TOO_LARGE:
        known, forecast = _TOO_LARGE[key]
        if limits.memory <= known.memory and limits.seconds <= known.seconds:
            return forecast
    found = _with_won(pattern, question, limits) if won else _without_won(pattern, question, limits)
    if found[1].complete:
        if len(_PLANS) > 200:
            _PLANS.clear()
        _PLANS[key] = found
    else:
        _TOO_LARGE[key] = limits, found
    return found


def _without_won(pattern: Pattern, question: Question, limits: Limits) -> tuple[Route, Forecast]:
    from noughts.counting.frontier.order import best_route

    return best_route(pattern, _moves(question), _sides(question), limits)


def _with_won(pattern: Pattern, question: Question, limits: Limits) -> tuple[Route, Forecast]:
    from noughts.counting.frontier.forecast import forecast_of
    from noughts.counting.frontier.route import Route

    still_open, shared = _planned(pattern, False, question, limits), _shared(pattern)
    if shared is None or not still_open[1].complete:
        return still_open
    route = Route(pattern, still_open[0].order, shared)
    return route, forecast_of(route, _moves(question), _sides(question), limits)


def _sweeps(pattern: Pattern, won: bool) -> list[tuple[Pattern, bool]]:
    """Return the sweeps that count a pattern: the players' wins apart where their lines differ."""
    if won and not pattern.is_symmetric:
        return [(pattern, True), (pattern.swapped(), True)]
    return [(pattern, won)]


def _moves(question: Question) -> int:
    return question.last_ply - question.first_ply


def _sides(question: Question) -> tuple[int, ...]:
    shape = question.board.shape
    return (shape[1], shape[0], shape[2]) if shape is not None else ()


def is_partial(question: Question) -> bool:
    """Whether columns are missing that another engine may give.

    The games by choices need the class graph, and the won positions need the sets of cells that lines share, which are
    listed up to a limit.
    """
    return question.same == "choices" or any(
        won and _shared(part) is None
        for pattern, needed in patterns_of(question)
        for part, won in _sweeps(pattern, needed)
    )


def estimate(question: Question) -> Estimate:
    """Return what the sweeps cost, by dry runs that find the states of each frontier without their values."""
    return estimate_within(question)


def estimate_within(question: Question, memory: float = inf, seconds: float = inf, *, games: bool = False) -> Estimate:
    """Return the same, but stop reckoning where the costs exceed `memory` bytes or `seconds`.

    With `games` for the games only. A dry run takes about a fifth of the time of the sweep.
    """
    if question.board.cells <= SMALL:
        return Estimate(50 * 10**6, START_SECONDS, "a frontier of a small board")
    if memory < OWN_MEMORY:
        return Estimate(OWN_MEMORY, START_SECONDS, "what the compiled kernels take", at_least=True)

    most, total, widest = 0, START_SECONDS, 0
    for pattern, won in patterns_of(question):
        for part, with_won in _sweeps(pattern, won and not games):
            if won and games:
                continue
            limits = Limits(memory, seconds - total)
            forecast = _planned(part, with_won, question, limits)[1]
            most, total = max(most, forecast.memory), total + forecast.seconds
            widest = max(widest, forecast.widest)
            if not forecast.complete:
                return Estimate(most + OWN_MEMORY, total, f"a frontier of over {widest:,} states", at_least=True)
    return Estimate(most + OWN_MEMORY, total, f"a frontier of up to {widest:,} states")


def count(
    question: Question, *, progress: Progress | None = None, threads: int = 2, resume: Path | None = None
) -> Census:
    """Return the census by one sweep for each kind of symmetry (one in all for labelled questions).

    With `resume` the state of each sweep is kept in that folder after every cell and taken up again from there.
    """
    from noughts.counting.checkpoints import Checkpoints

    store = Checkpoints(resume) if resume is not None else None
    counter = Sweeper(question, progress, threads, store)
    return Census(question, name, census_rows(question, counter.tally))


class Sweeper:
    """Counts patterns by sweeps, and reports how far all of them are together. With `games` no won positions."""

    def __init__(
        self,
        question: Question,
        progress: Progress | None,
        threads: int,
        store: Checkpoints | None,
        *,
        games: bool = False,
    ) -> None:
        self.games = games
        self.question = question
        self.moves = _moves(question)
        self.progress = progress
        self.threads = threads
        self.store = store
        self.whole = sum(
            part.size
            for pattern, won in patterns_of(question)
            for part, _ in _sweeps(pattern, won)
            if not (won and games)
        )
        self.done = 0

    def tally(self, pattern: Pattern, won: bool) -> Tally:
        """Return the tally of one pattern."""
        if won and self.games:
            return Tally((), None)
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
        from noughts.counting.frontier.run import swept

        route, _ = _planned(pattern, won, self.question, Limits())
        size = pattern.size
        found = swept(route, self.moves, self.threads, self.store, self._report)
        self.done += size
        return found

    def _report(self, cells: int, states: int) -> None:
        if self.progress is not None:
            self.progress(self.done + cells, max(self.whole, 1), f"frontier of {states:,} states")
