"""Engine `transfer` by points: values at points on the graph of the marks that can still matter, for large tables.

It needs several times the states of `frontier` by points. The two share the arithmetic of points and the streaming of
edges, but neither states nor edges.
"""

from __future__ import annotations

from noughts.counting.bounds import States, cost_of
from noughts.counting.frontier.grid import Grid, PointCost
from noughts.counting.frontier.points import sweep_over
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.sweeps import Cost, Part, Planner, Sweep, offer_sweeps
from noughts.counting.transfer.engine import OWN_MEMORY, STATE_BYTES, graph_of, order_of, why_not_by_transfer
from noughts.machine.budget import Limits, Refusal


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal | str:
    """Return an offer by values at points on the same graphs as the tables, or a refusal."""
    return why_not_by_transfer(request.question) or offer_sweeps(TransferPointPlanner(request), request, limits)


class TransferPointPlanner(Planner):
    """Finds the graphs within the limits."""

    engine = "transfer"
    states = "points on {} sets of marks that matter"
    base = Cost(OWN_MEMORY, seconds=1.3)

    def find(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return a sweep in the same order as the tables."""
        from noughts.counting.frontier.graph import StateGraph
        from noughts.counting.transfer.sweep import laid_out

        order = order_of(part.pattern, self.shape)
        found, cost = graph_of(part, order, PointCost(Grid.of(part.pattern, won=part.won).batches), limits)
        if found is None:
            return None, cost
        graph = StateGraph(found.weights, laid_out(found), False, 2 if part.won else 1)
        states: States = [(size, 0, 0) for size in found.states]
        peak = Cost(top=STATE_BYTES * max(found.states))
        return sweep_over(part, f"transfer {order}", graph, limits, lambda price: cost_of(states, price).plus(peak))
