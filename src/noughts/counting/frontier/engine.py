"""Engine `frontier`: positions and games counted cell by cell, by the status of the winning lines under way.

Nothing is listed. Of a winning line it matters only whether it is still all X or all O; a line is forgotten at its last
cell. How the states and their values are kept is told in docs/explanation/counting-without-listing.md. As `games` it
leaves out the won positions, and with them all positions, at a third of the memory and time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.frontier.order import hopeless, orders_of
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import shared_sets, why_not
from noughts.counting.sweeps import Cost, Found, KeptPlans, Part, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import Workers
from noughts.rules.marks import Mask

if TYPE_CHECKING:
    from noughts.counting.frontier.forecast import Forecast
    from noughts.counting.frontier.graph import StateGraph
    from noughts.counting.frontier.points import Grid
    from noughts.counting.frontier.sweep import Route
    from noughts.counting.sweeps import Checkpoints


Planned = tuple["Route | None", Cost]

CELL_LIMIT = 1000
LINE_LIMIT = 4000
SHARED_LIMIT = 4000
START_SECONDS_FRONTIER = 1.0
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY_FRONTIER = 120 * 10**6
SMALL = 12
"""Boards of up to so many cells are not worth a dry run."""

SMALL_MEMORY = 50 * 10**6


def offer_frontier(request: Request, limits: Limits) -> CountingOffer | Refusal:
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
        from noughts.counting.frontier.sweep import Route, swept

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
        self.base = Cost(SMALL_MEMORY if self.is_small else OWN_MEMORY_FRONTIER, seconds=START_SECONDS_FRONTIER)
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
        from noughts.counting.frontier.forecast import best_route

        route, forecast = best_route(part.pattern, promising, self.moves, self.sides, limits, self._progress)
        return route if forecast.complete else None, _cost(forecast)

    def _with_won(self, part: Part, limits: Limits) -> Planned:
        open_route, cost = self._planned(Part(part.pattern, False), limits)
        if open_route is None:
            return None, cost
        from noughts.counting.frontier.forecast import forecast_of
        from noughts.counting.frontier.sweep import Route

        shared = shared_sets(part.pattern.first, SHARED_LIMIT)
        if shared is None:
            return None, cost
        route = Route(part.pattern, open_route.order, shared)
        forecast = forecast_of(route, self.moves, self.sides, limits, self._progress)
        return route if forecast.complete else None, _cost(forecast)


def _cost(forecast: Forecast) -> Cost:
    return Cost(0, forecast.memory, forecast.seconds, forecast.widest)


# Engine `points`: positions and games on the frontier's graph by values at points, where tables of counts do not fit.
#
# The states are those of the engine `frontier`. Instead of a table of counts by marks each carries the value of its
# generating polynomial at a few points modulo primes; see docs/explanation/values-at-points.md. As `points-games` it
# leaves out the won positions, and with them all positions, on two thirds of the states or fewer.

BOX_LIMIT = 40
"""Cells of the largest board of several layers: beyond it whole layers stay open, and the graph is out of reach."""
START_SECONDS_POINTS = 1.2
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY_POINTS = 150 * 10**6
TOGETHER = 2
"""Batches that are under way side by side, where there is memory for them."""

"""Patterns of up to so many cells cost nothing worth reckoning."""


def offer_points(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer by a graph for each kind of symmetry (labelled: by one in all), or why not.

    The graph is found while the cost is reckoned, and kept: a small part of the work. Where tables have made a whole
    offer positions are not reckoned, as the tables are faster.
    """
    board = request.question.board
    why = why_not(request.question, "points", CELL_LIMIT)
    if why is None and len(board.lines) > LINE_LIMIT:
        why = f"the engine points takes up to {LINE_LIMIT:,} lines, {board} has {len(board.lines):,}"
    if why is None and board.shape is not None and board.shape[2] > 1 and board.cells > BOX_LIMIT:
        why = (
            f"the engine points takes boards of several layers with up to {BOX_LIMIT} cells, {board} has {board.cells}"
        )
    if why is not None:
        return Refusal("points", why)
    return offer_sweeps(_PointPlanner(request), request, limits, wins=request.strict or not limits.whole)


@dataclass(frozen=True)
class _PointSweep:
    """A pattern, the order of its cells, and the graph where it is large enough to have been found before."""

    part: Part
    order: tuple[int, ...]
    graph: StateGraph | None
    grid: Grid
    together: int

    @property
    def steps(self) -> int:
        return self.grid.batches

    def count(self, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
        from noughts.counting.frontier.points import counted_at_points, explored

        pattern, key = self.part.pattern, str(self.order)
        if self.part.won:
            key += " won"
        graph = self.graph or explored(pattern, self.order, _shared(self.part))
        return counted_at_points(pattern, graph, self.grid, self.together, workers, store, key, report)


def _shared(part: Part) -> dict[Mask, int] | None:
    """Return the shared sets of a part with won positions; None without, or where there are too many."""
    return shared_sets(part.pattern.first, SHARED_LIMIT) if part.won else None


class _PointPlanner(KeptPlans):
    """Finds the graphs as far as they fit."""

    engine, games = "points", "points-games"
    states = "points on a frontier of {} states"
    base = Cost(OWN_MEMORY_POINTS, seconds=START_SECONDS_POINTS)
    can_move = True

    def __init__(self, request: Request) -> None:
        shape = request.question.board.shape
        self.sides = (shape[1], shape[0], shape[2]) if shape is not None else ()
        self._progress = request.progress
        super().__init__()

    def _planned(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        from noughts.counting.frontier.points import Grid, Tariff, hopeless_at_points

        pattern = part.pattern
        grid_of = Grid.with_won if part.won else Grid.of
        grid = grid_of(pattern)
        if pattern.size <= SMALL or not grid.pairs:
            if part.won and _shared(part) is None:
                return None, Cost(0)
            return _PointSweep(part, tuple(range(pattern.size)), None, grid, 1), Cost(0)
        tariffs = [Tariff(pattern, grid, order, TOGETHER) for order in orders_of(pattern, self.sides)]
        least = [hopeless_at_points(tariff, limits) for tariff in tariffs]
        promising = [tariff for tariff, cost in zip(tariffs, least, strict=True) if cost is None]
        if not promising:
            return None, min((cost for cost in least if cost is not None), key=lambda cost: cost.memory)
        shared = _shared(part)
        if part.won and shared is None:
            return None, Cost(0)
        from noughts.counting.frontier.points import smallest_graph

        found, cost = smallest_graph(pattern, promising, limits, shared, self._progress)
        if found is None:
            return None, cost
        from noughts.counting.frontier.graph import survey_of

        order, graph = found
        grid = grid_of(pattern, survey_of(graph))
        tariff = Tariff(pattern, grid, order, TOGETHER)
        on_disk = cost.disk > 0
        together = tariff.together(graph.sizes, cost.memory, limits, graph.branched, on_disk)
        cost = tariff.cost(graph.sizes, cost.memory, together, graph.branched, on_disk)
        return _PointSweep(part, order, graph, grid, together), cost
