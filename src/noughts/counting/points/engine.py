"""Engine `points`: positions and games on the frontier's graph by values at points, where tables of counts do not fit.

The states are those of the engine `frontier`. Instead of a table of counts by marks each carries the value of its
generating polynomial at a few points modulo primes; see docs/explanation/values-at-points.md. As `points-games` it
leaves out the won positions, and with them all positions, on two thirds of the states or fewer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.frontier.order import orders_of
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns.needed import why_not
from noughts.counting.patterns.pattern import shared_sets
from noughts.counting.sweeps import Cost, Found, KeptPlans, Part, Report, Sweep, offer_sweeps
from noughts.domain.bits import Mask
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.checkpoints import Checkpoints
    from noughts.counting.points.graph import StateGraph
    from noughts.counting.points.grid import Grid

__all__ = ["offer"]

CELL_LIMIT = 1000
LINE_LIMIT = 4000
SHARED_LIMIT = 4000
BOX_LIMIT = 40
"""Cells of the largest board of several layers: beyond it whole layers stay open, and the graph is out of reach."""
START_SECONDS = 1.2
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY = 150 * 10**6
TOGETHER = 2
"""Batches that are under way side by side, where there is memory for them."""

SMALL = 12
"""Patterns of up to so many cells cost nothing worth reckoning."""


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
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
        from noughts.counting.points.run import counted_at_points, explored

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
    base = Cost(OWN_MEMORY, seconds=START_SECONDS)
    can_move = True

    def __init__(self, request: Request) -> None:
        shape = request.question.board.shape
        self.sides = (shape[1], shape[0], shape[2]) if shape is not None else ()
        self._progress = request.progress
        super().__init__()

    def _planned(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        from noughts.counting.points.cost import Tariff, hopeless_at_points
        from noughts.counting.points.grid import Grid

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
        from noughts.counting.points.race import smallest_graph

        found, cost = smallest_graph(pattern, promising, limits, shared, self._progress)
        if found is None:
            return None, cost
        from noughts.counting.points.survey import survey_of

        order, graph = found
        grid = grid_of(pattern, survey_of(graph))
        tariff = Tariff(pattern, grid, order, TOGETHER)
        on_disk = cost.disk > 0
        together = tariff.together(graph.sizes, cost.memory, limits, graph.branched, on_disk)
        cost = tariff.cost(graph.sizes, cost.memory, together, graph.branched, on_disk)
        return _PointSweep(part, order, graph, grid, together), cost
