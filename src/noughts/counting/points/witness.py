"""Engine `transfer-points`: positions and games by values at points on the graph of the engine `transfer`.

Its states are the marks that can still matter and the cells that all completed lines share, so the won positions come
with the others, on three edges a state. It reaches boards on which no tables fit, at several times the states of the
engine `points`; what the two share is the arithmetic of points and the streaming, neither states nor edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.offers import CountingOffer, Request
from noughts.counting.points.engine import TOGETHER
from noughts.counting.question import Question
from noughts.counting.sweeps import Cost, Found, KeptPlans, Part, Report, Sweep, offer_sweeps
from noughts.counting.transfer.engine import why_not_by_transfer
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.checkpoints import Checkpoints
    from noughts.counting.points.graph import StateGraph
    from noughts.counting.points.grid import Grid

__all__ = ["offer"]

START_SECONDS = 1.3
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY = 150 * 10**6


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer by a graph for each kind of symmetry, or why not.

    The graph is found while the cost is reckoned, and kept: a small part of the work.
    """
    why = why_not_by_transfer(request.question, "transfer-points")
    if why is not None:
        return Refusal("transfer-points", why)
    return offer_sweeps(_WitnessPlanner(request.question), request, limits)


@dataclass(frozen=True)
class _WitnessSweep:
    """A part with its graph, and the points."""

    part: Part
    order: tuple[int, ...]
    graph: StateGraph
    grid: Grid
    together: int

    @property
    def steps(self) -> int:
        return self.grid.batches

    def count(self, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
        from noughts.counting.points.run import counted_at_points

        key = f"transfer {self.order} {self.part.won}"
        return counted_at_points(self.part.pattern, self.graph, self.grid, self.together, workers, store, key, report)


class _WitnessPlanner(KeptPlans):
    """Finds the graphs as far as they fit."""

    engine = games = "transfer-points"
    states = "points on {} sets of marks that matter"
    base = Cost(OWN_MEMORY, seconds=START_SECONDS)

    def __init__(self, question: Question) -> None:
        self.shape = question.board.shape
        super().__init__()

    def _planned(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        from noughts.counting.points.cost import Tariff
        from noughts.counting.points.graph import StateGraph
        from noughts.counting.points.grid import Grid
        from noughts.counting.points.survey import survey_of
        from noughts.counting.transfer.graph import build, laid_out, order_of

        pattern, won = part
        order = order_of(pattern, self.shape)
        rough = Grid.with_won(pattern) if won else Grid.of(pattern)
        tariff = Tariff(pattern, rough, order, TOGETHER)
        sizes = [1]

        def visit(step: int, states: int) -> bool:
            sizes[step:] = [states]
            return not tariff.forecast(sizes, _peak(sizes)).exceeds(limits)

        found = build(pattern, order, won, visit)
        if found is None:
            return None, tariff.forecast(sizes, _peak(sizes))
        graph = StateGraph(found.weights, laid_out(found), False, 2 if won else 1)
        survey = survey_of(graph)
        grid = Grid.with_won(pattern, survey) if won else Grid.of(pattern, survey)
        tariff = Tariff(pattern, grid, order, TOGETHER)
        together = tariff.together(graph.sizes, _peak(sizes), limits)
        cost = tariff.cost(graph.sizes, _peak(sizes), together)
        return _WitnessSweep(part, order, graph, grid, together), cost


def _peak(sizes: list[int]) -> int:
    """Return the bytes taken while the last of these layers is found."""
    from noughts.counting.transfer.cost import EDGE_BYTES, STATE_BYTES

    return EDGE_BYTES * sum(sizes) + STATE_BYTES * max(sizes)
