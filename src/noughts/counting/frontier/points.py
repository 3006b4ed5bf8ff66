"""Engine `frontier` by points: positions and games on the frontier's graph where tables of counts do not fit.

Instead of a table of counts by marks each state carries the value of its generating polynomial at a few points modulo
primes; see docs/explanation/values-at-points.md. Games alone, without the won positions, take two thirds of the states
or fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.bounds import Price, promising
from noughts.counting.frontier.grid import Grid, PointCost
from noughts.counting.frontier.order import orders_of
from noughts.counting.frontier.tables import SMALL, shared_of, why_not_by_frontier
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.sweeps import Checkpoints, Cost, Found, Part, Planner, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.frontier.graph import StateGraph

BOX_LIMIT = 40
"""Cells of the largest board of several layers: beyond it whole layers stay open, and the graph is out of reach."""

BASE = Cost(150 * 10**6, seconds=1.2)
"""What loading NumPy and the compiled kernels takes."""

_TOGETHER = 2
"""Batches that are under way side by side, where there is memory for them."""


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer by a graph for each kind of symmetry (labelled: by one in all), or why not.

    The graph is found while the cost is estimated, and kept: a small part of the work. Where tables have made a whole
    offer positions are not considered, as the tables are faster.
    """
    board = request.question.board
    why = why_not_by_frontier(request.question)
    if why is None and board.shape is not None and board.shape[2] > 1 and board.cells > BOX_LIMIT:
        why = f"the engine frontier takes boards of several layers with up to {BOX_LIMIT} cells at points"
    if why is not None:
        return Refusal("frontier", why)
    return offer_sweeps(_PointPlanner(request), request, limits, wins=not limits.whole)


@dataclass(frozen=True)
class PointSweep:
    """A part, its grid of points and its graph, which is found when it is counted where it is small."""

    part: Part
    key: str
    grid: Grid
    graph: StateGraph | None = None
    together: int = 1

    @property
    def steps(self) -> int:
        """The batches of points."""
        return self.grid.batches

    def count(self, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
        """Return all balanced positions, whatever `to_ply`; with a store each batch is kept there when it is done."""
        from noughts.counting.frontier.batches import counted_at_points
        from noughts.counting.frontier.graph import Exploration
        from noughts.counting.frontier.sweep import Route

        pattern = self.part.pattern
        graph = self.graph
        if graph is None:
            graph = Exploration(Route(pattern, range(pattern.size), shared_of(self.part))).graph()
        key = f"{pattern} {self.part.won} {self.key}"
        return counted_at_points(pattern, graph, self.grid, self.together, workers, store, key, report)


def sweep_over(
    part: Part, key: str, graph: StateGraph, limits: Limits, cost: Callable[[PointCost], Cost]
) -> tuple[Sweep, Cost]:
    """Return the sweep over a graph with as many batches at a time as fit the limits, and its cost at their price."""
    from noughts.counting.frontier.batches import survey_of

    grid = Grid.of(part.pattern, survey_of(graph), won=part.won)
    costs = [(n, cost(PointCost(grid.batches, n))) for n in range(1, _TOGETHER + 1)]
    together, whole = next((pair for pair in reversed(costs) if not pair[1].exceeds(limits)), costs[0])
    return PointSweep(part, key, grid, graph, together), whole


class _PointPlanner(Planner):
    """Finds the graphs as far as they fit."""

    engine = "frontier"
    states = "points on a frontier of {} states"
    base = BASE
    can_move = True

    def find(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return a sweep over the smallest graph."""
        pattern, grid = part.pattern, Grid.of(part.pattern, won=part.won)
        is_small = pattern.size <= SMALL or not grid.pairs
        orders = [tuple(range(pattern.size))] if is_small else orders_of(pattern, self.shape)
        prices: dict[tuple[int, ...], Price] = dict.fromkeys(orders, PointCost(grid.batches))
        hopeful, least = (orders, Cost()) if is_small else promising(pattern, prices, limits)
        if not hopeful:
            return None, least
        shared = shared_of(part)
        if part.won and shared is None:
            return None, Cost()
        if is_small:
            return PointSweep(part, "small", grid), Cost()
        from noughts.counting.frontier.forecast import smallest
        from noughts.counting.frontier.graph import Exploration
        from noughts.counting.frontier.sweep import Route

        runs = [Exploration(Route(pattern, order, shared), prices[order]) for order in hopeful]
        run, cost = smallest(runs, limits, self.progress)
        if run is None:
            return None, cost
        return sweep_over(part, str(run.route.order), run.graph(), limits, lambda price: run.cost(cost.memory, price))
