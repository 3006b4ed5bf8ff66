"""Engine `frontier`: positions and games counted cell by cell, by the status of the winning lines under way.

Nothing is listed. Of a winning line it matters only whether it is still all X or all O; a line is forgotten at its last
cell. How the states and their values are kept is told in docs/explanation/counting-without-listing.md. As `games` it
leaves out the won positions, and with them all positions, at a third of the memory and time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns.needed import why_not
from noughts.counting.patterns.pattern import shared_sets
from noughts.counting.question import Question
from noughts.counting.sweeps import Cost, Found, Part, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.checkpoints import Checkpoints
    from noughts.counting.frontier.forecast import Forecast
    from noughts.counting.frontier.route import Route

__all__ = ["offer"]

CELL_LIMIT = 1000
LINE_LIMIT = 4000
SHARED_LIMIT = 4000
START_SECONDS = 1.0
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY = 120 * 10**6
SMALL = 12
"""Boards of up to so many cells are not worth a dry run."""

SMALL_MEMORY = 50 * 10**6


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer by one sweep for each kind of symmetry (one in all for labelled questions), or why not.

    A dry run takes about a fifth of the time of the sweep.
    """
    board = request.question.board
    why = why_not(request.question, "frontier", CELL_LIMIT)
    if why is None and len(board.lines) > LINE_LIMIT:
        why = f"the engine frontier takes up to {LINE_LIMIT:,} lines, {board} has {len(board.lines):,}"
    if why is not None:
        return Refusal("frontier", why)
    return offer_sweeps(_Planner(request.question), request, limits)


@dataclass(frozen=True)
class _Sweep:
    """A plan, or the part that it is to be made for where a plan costs nothing."""

    part: Part
    route: Route | None

    @property
    def steps(self) -> int:
        return self.part.pattern.size

    def count(self, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
        from noughts.counting.frontier.route import Route
        from noughts.counting.frontier.run import swept

        pattern, won = self.part
        route = self.route or Route(
            pattern, range(pattern.size), shared_sets(pattern.first, SHARED_LIMIT) if won else None
        )
        return swept(route, to_ply, workers, store, report)


class _Planner:
    """Plans sweeps in the order of the cells that is best for the open positions, with won positions and without."""

    engine, games = "frontier", "games"
    states = "a frontier of {} states"

    def __init__(self, question: Question) -> None:
        self.moves = question.last_ply - question.first_ply
        self.is_small = question.board.cells <= SMALL
        shape = question.board.shape
        self.sides = (shape[1], shape[0], shape[2]) if shape is not None else ()
        self.base = Cost(SMALL_MEMORY if self.is_small else OWN_MEMORY, seconds=START_SECONDS)
        self._known: dict[Part, tuple[Limits, Route, Forecast]] = {}

    def plan(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return the sweep for a part and its cost; won positions need the sets of cells that lines share."""
        if self.is_small:
            return _Sweep(part, None), Cost(0)
        found = self._planned(part, limits)
        if found is None:
            return None, Cost(0)
        route, forecast = found
        cost = Cost(0, forecast.memory, forecast.seconds, forecast.widest)
        return _Sweep(part, route) if forecast.complete else None, cost

    def _planned(self, part: Part, limits: Limits) -> tuple[Route, Forecast] | None:
        """Return the plan for one sweep and what it costs, known only in part where it exceeds the limits."""
        if part in self._known:
            asked, route, forecast = self._known[part]
            if forecast.complete or (limits.memory <= asked.memory and limits.seconds <= asked.seconds):
                return route, forecast
        found = self._with_won(part, limits) if part.won else self._without_won(part, limits)
        if found is not None:
            self._known[part] = (limits, *found)
        return found

    def _without_won(self, part: Part, limits: Limits) -> tuple[Route, Forecast]:
        from noughts.counting.frontier.order import best_route

        return best_route(part.pattern, self.moves, self.sides, limits)

    def _with_won(self, part: Part, limits: Limits) -> tuple[Route, Forecast] | None:
        from noughts.counting.frontier.forecast import forecast_of
        from noughts.counting.frontier.route import Route

        still_open = self._planned(Part(part.pattern, False), limits)
        if still_open is None or not still_open[1].complete:
            return still_open
        shared = shared_sets(part.pattern.first, SHARED_LIMIT)
        if shared is None:
            return None
        route = Route(part.pattern, still_open[0].order, shared)
        return route, forecast_of(route, self.moves, self.sides, limits)
