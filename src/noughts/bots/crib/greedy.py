"""Some table at once: at each board the move below which there is least, by a count that shares nothing."""

from __future__ import annotations

from noughts.bots.crib.graph import CribGraph

__all__ = ["greedy_table"]


def greedy_table(graph: CribGraph) -> dict[int, int]:
    """Return choices that make a table, hardly the smallest: what there is until something better is found."""
    size = [0] * len(graph.states)
    chosen: dict[int, int] = {}
    for at in range(len(graph.states) - 1, -1, -1):
        below = graph.children[at]
        if at in graph.own:
            chosen[at] = min(below, key=lambda child: (size[child], child))
            below = (chosen[at],)
        size[at] = (at in graph.counted) + sum(size[child] for child in below)
    return chosen
