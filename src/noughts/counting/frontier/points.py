"""Engine `frontier` by points: positions and games on the frontier's graph where tables of counts exceed the memory.

Instead of a table of counts by marks, each state has the value of its generating polynomial at a few points modulo
primes; see docs/explanation/counting-without-listing.md. Games alone, without the won positions, take at most two
thirds of the states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from noughts.counting.bounds import Price
from noughts.counting.frontier.grid import Grid, PointCost
from noughts.counting.frontier.order import orders_of
from noughts.counting.frontier.tables import SMALL, explored, shared_of, too_many_lines
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.sweeps import Cost, Found, Part, Planner, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits, OfSize, Refusal
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.frontier.graph import StateGraph

BOX_LIMIT = 40
"""The most cells of a board of several layers: beyond it whole layers stay open, and the graph is out of reach."""

BASE = Cost(150 * 10**6, seconds=1.2)
"""The cost of loading NumPy and the compiled kernels."""

_TOGETHER = 2
"""Batches that run at the same time, where the memory allows it."""


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal | str:
    """Return an offer with a graph for each kind of symmetry (one for labelled questions), or a refusal.

    The estimate finds the graph, a small part of the work, and the run reuses it. Where tables have made a complete
    offer, this engine leaves positions to the tables, which are faster.
    """
    board = request.question.board
    if board.shape is not None and board.shape[2] > 1 and board.cells > BOX_LIMIT:
        return OfSize(f"counts boards of several layers at points only up to {BOX_LIMIT} cells")
    why = too_many_lines(board)
    return why or offer_sweeps(_PointPlanner(request), request, limits, wins=not limits.whole)


def point_sweep(part: Part, key: str, grid: Grid, graph: StateGraph | None = None, together: int = 1) -> Sweep:
    """Return the sweep of a part by batches of points on its graph; without `graph` the sweep finds it first.

    It counts all balanced positions, even for a smaller `to_ply`. With a store each finished batch is saved.
    """

    def tally(to_ply: int, workers: Workers, store: Checkpoints, report: Report) -> Found:
        from noughts.counting.frontier.batches import counted_at_points
        from noughts.counting.frontier.graph import Exploration
        from noughts.counting.frontier.sweep import Route

        pattern = part.pattern
        found = graph or Exploration(Route(pattern, range(pattern.size), shared_of(part))).graph()
        named = f"{pattern} {part.won} {key}"
        return counted_at_points(pattern, found, grid, together, workers, store, named, report)

    return Sweep(grid.batches, tally)


def sweep_over(
    part: Part, key: str, graph: StateGraph, limits: Limits, cost: Callable[[PointCost], Cost]
) -> tuple[Sweep, Cost]:
    """Return the sweep over a graph, with as many batches at a time as the limits allow, and its cost."""
    from noughts.counting.frontier.batches import survey_of

    grid = Grid.of(part.pattern, survey_of(graph), won=part.won)
    costs = [(n, cost(PointCost(grid.batches, n))) for n in range(1, _TOGETHER + 1)]
    together, whole = next((pair for pair in reversed(costs) if not pair[1].exceeds(limits)), costs[0])
    return point_sweep(part, key, grid, graph, together), whole


class _PointPlanner(Planner):
    """Finds the graphs within the limits."""

    engine = "frontier"
    states = "points on a frontier of {} states"
    base = BASE
    can_move = True

    def find(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return a sweep over the smallest graph."""
        pattern, grid = part.pattern, Grid.of(part.pattern, won=part.won)
        if pattern.size <= SMALL or not grid.pairs:
            is_known = not part.won or shared_of(part) is not None
            return point_sweep(part, "small", grid) if is_known else None, Cost()
        prices: dict[tuple[int, ...], Price] = dict.fromkeys(orders_of(pattern, self.shape), PointCost(grid.batches))
        run, cost = explored(part, lambda: shared_of(part), prices, limits, self.progress)
        if run is None:
            return None, cost
        return sweep_over(part, str(run.route.order), run.graph(), limits, lambda price: run.cost(cost.memory, price))
