"""From a pattern to its counts by values at points."""

from __future__ import annotations

from noughts.counting.checkpoints import Checkpoints
from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.points.batches import batches_of, values_at
from noughts.counting.points.graph import Exploration, StateGraph
from noughts.counting.points.grid import Grid
from noughts.counting.sweeps import Found, Report
from noughts.machine.workers import Workers

__all__ = ["counted_at_points"]


def counted_at_points(
    pattern: Pattern,
    order: tuple[int, ...],
    graph: StateGraph | None,
    grid: Grid,
    together: int,
    workers: Workers,
    store: Checkpoints | None,
    report: Report,
) -> Found:
    """Return the positions of a pattern that nobody has won, with as many marks of the first player or one more.

    `graph` is found here unless it is given. For the others see `values_at`.
    """
    values: list[tuple[int, int]] = []
    if grid.pairs:
        if graph is None:
            exploration = Exploration(Route(pattern, order))
            while not exploration.is_done:
                exploration.advance(lambda states: True)
            graph = exploration.graph()
        values = values_at(graph, batches_of(grid.points()), together, workers, store, f"{pattern} {order}", report)
    return Found({((t + 1) // 2, t // 2): count for t, count in enumerate(grid.counts(values))}, {})
