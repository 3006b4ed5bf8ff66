"""From a pattern to its counts by values at points."""

from __future__ import annotations

from noughts.counting.checkpoints import Checkpoints
from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.points.batches import batches_of, values_at
from noughts.counting.points.graph import Exploration, StateGraph
from noughts.counting.points.grid import Grid
from noughts.counting.sweeps import Found, Report
from noughts.domain.bits import Mask
from noughts.machine.workers import Workers

__all__ = ["counted_at_points", "explored"]


def counted_at_points(
    pattern: Pattern,
    graph: StateGraph,
    grid: Grid,
    together: int,
    workers: Workers,
    store: Checkpoints | None,
    key: str,
    report: Report,
) -> Found:
    """Return the balanced positions of a pattern that nobody has won and, as far as the graph has them, the others.

    Their batches are kept under the pattern and the key. For the others see `values_at`.
    """
    values = values_at(graph, batches_of(grid.points()), together, workers, store, f"{pattern} {key}", report)
    counts = grid.counts([each[:2] for each in values])
    won = grid.of_won().counts([each[2:] for each in values]) if graph.ends > 1 else ()
    pairs = [((t + 1) // 2, t // 2) for t in range(pattern.total + 1)]
    return Found(dict(zip(pairs, counts, strict=True)), dict(zip(pairs, won, strict=False)))


def explored(pattern: Pattern, order: tuple[int, ...], shared: dict[Mask, int] | None = None) -> StateGraph:
    """Return the graph of a pattern, however large; with the `shared` sets of a route that of won positions too."""
    exploration = Exploration(Route(pattern, order, shared))
    while not exploration.is_done:
        exploration.advance(lambda states: True)
    return exploration.graph()
