"""Values over a class graph: one backward pass, children before parents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.domain.position import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noughts.domain.bits import Mask
    from noughts.solving.classgraph import ClassGraph

__all__ = ["OUTCOME_OF_VALUE", "VALUE_OF_OUTCOME", "backward_decided", "backward_remoteness", "backward_values"]

VALUE_OF_OUTCOME: dict[Outcome, int] = {"X": 1, "draw": 0, "O": -1}
OUTCOME_OF_VALUE: dict[int, Outcome] = {value: outcome for outcome, value in VALUE_OF_OUTCOME.items()}


def backward_values(graph: ClassGraph) -> list[int]:
    """Return for each node the value for X (+1, 0, -1) under free play that ends at a line or a full board.

    Assumes that the graph reaches the full board. Linear in the edges. Nodes after a line take that line's value; where
    both have a line, which play that ends at a line never reaches, it is 0.
    """
    values = [0] * len(graph.nodes)
    for number in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[number]
        if node.outcome is not None:
            values[number] = VALUE_OF_OUTCOME[node.outcome]
        elif node.children:
            best = max if node.x.bit_count() == node.o.bit_count() else min
            values[number] = best([values[child] for child, _ in node.children])
    return values


def backward_remoteness(graph: ClassGraph) -> list[int]:
    """Return for each node the plies to the end: the winner hurries, the loser delays, a draw fills the board."""
    remoteness = [0] * len(graph.nodes)
    values = graph.values
    for number in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[number]
        if node.outcome is not None or not node.children:
            continue
        same = [remoteness[child] for child, _ in node.children if values[child] == values[number]]
        mover = 1 if node.x.bit_count() == node.o.bit_count() else -1
        remoteness[number] = 1 + (min(same) if values[number] == mover else max(same))
    return remoteness


def backward_decided(graph: ClassGraph, x_allowed: Sequence[Mask], o_allowed: Sequence[Mask]) -> list[Outcome | None]:
    """Return for each node the one outcome of all continuations within the allowed cells, or None where they differ.

    The game ends at a line or a full board. Assumes that the graph reaches the full board. Linear in the edges.
    """
    decided: list[Outcome | None] = [None] * len(graph.nodes)
    for number in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[number]
        if node.outcome is not None:
            decided[number] = node.outcome
            continue
        allowed = (x_allowed if node.x.bit_count() == node.o.bit_count() else o_allowed)[number]
        outcomes = {decided[child] for child, cells in node.children if cells & allowed}
        if len(outcomes) == 1:
            decided[number] = outcomes.pop()
    return decided
