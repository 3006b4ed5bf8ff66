"""Engine `frontier`: positions and games counted cell by cell, by the status of the winning lines under way.

Nothing is listed. Of a winning line it matters only whether it is still all X or all O; a line is forgotten at its last
cell. How the states and their values are kept is told in docs/explanation/counting-without-listing.md. As `games` it
leaves out the won positions, and with them all positions, at a third of the memory and time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.frontier.bound import hopeless
from noughts.counting.frontier.order import orders_of
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns.needed import why_not
from noughts.counting.patterns.pattern import shared_sets
from noughts.counting.sweeps import Cost, Found, Part, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.checkpoints import Checkpoints
    from noughts.counting.frontier.forecast import Forecast
    from noughts.counting.frontier.route import Route

__all__ = ["offer"]

Planned = tuple["Route | None", Cost]

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
    return offer_sweeps(_RoutePlanner(request), request, limits)


@dataclass(frozen=True)
class _RouteSweep:
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
        return swept(route, to_ply, workers.here, store, report)


class _Known(dict[tuple[Part, int, tuple[int, ...]], tuple[Limits, "Planned"]]):
    """The routes of sweeps over patterns, up to a number of moves, on grids with these sides, as far as they fitted."""


class _RoutePlanner:
    """Plans sweeps in the order of the cells that is best for the open positions, with won positions and without."""

    engine, games = "frontier", "games"
    states = "a frontier of {} states"
    can_move = False

    def __init__(self, request: Request) -> None:
        question = request.question
        self.moves = question.last_ply - question.first_ply
        self.is_small = question.board.cells <= SMALL
        shape = question.board.shape
        self.sides = (shape[1], shape[0], shape[2]) if shape is not None else ()
        self.base = Cost(SMALL_MEMORY if self.is_small else OWN_MEMORY, seconds=START_SECONDS)
        self._known = request.notes.of(_Known)
        self._progress = request.progress

    def plan(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return the sweep for a part and its cost; won positions need the sets of cells that lines share."""
        if self.is_small:
            return _RouteSweep(part, None), Cost(0)
        route, cost = self._planned(part, limits)
        return _RouteSweep(part, route) if route is not None else None, cost

    def _planned(self, part: Part, limits: Limits) -> Planned:
        """Return the route for one sweep, None where it exceeds the limits, and what is known of its cost."""
        key = part, self.moves, self.sides
        if key in self._known:
            asked, found = self._known[key]
            if found[0] is not None or (limits.memory <= asked.memory and limits.seconds <= asked.seconds):
                return found
        found = self._with_won(part, limits) if part.won else self._without_won(part, limits)
        self._known[key] = limits, found
        return found

    def _without_won(self, part: Part, limits: Limits) -> Planned:
        orders = orders_of(part.pattern, self.sides)
        least = [hopeless(part.pattern, order, self.moves, limits) for order in orders]
        promising = [order for order, cost in zip(orders, least, strict=True) if cost is None]
        if not promising:
            return None, min((cost for cost in least if cost is not None), key=lambda cost: cost.memory)
        from noughts.counting.frontier.race import best_route

        route, forecast = best_route(part.pattern, promising, self.moves, self.sides, limits, self._progress)
        return route if forecast.complete else None, _cost(forecast)

    def _with_won(self, part: Part, limits: Limits) -> Planned:
        open_route, cost = self._planned(Part(part.pattern, False), limits)
        if open_route is None:
            return None, cost
        from noughts.counting.frontier.forecast import forecast_of
        from noughts.counting.frontier.route import Route

        shared = shared_sets(part.pattern.first, SHARED_LIMIT)
        if shared is None:
            return None, cost
        route = Route(part.pattern, open_route.order, shared)
        forecast = forecast_of(route, self.moves, self.sides, limits, self._progress)
        return route if forecast.complete else None, _cost(forecast)


def _cost(forecast: Forecast) -> Cost:
    return Cost(0, forecast.memory, forecast.seconds, forecast.widest)
