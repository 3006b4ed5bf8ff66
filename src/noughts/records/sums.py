"""How often each class is reached and how games go on from it: five sums over one class graph.

With m(e) the cells that lead along an edge e, *ways* are pushed forward and *finishes* pulled backward; by choices each
edge counts once. Random play from a board with b blanks ends in an outcome with the probability w / b!, where w adds up
like the finishes, but starts from r! at an end that leaves r blanks: each path has the probability of its r! orders.
"""

from __future__ import annotations

from functools import cached_property
from math import factorial

from noughts.domain.game import Marks
from noughts.domain.players import Outcome
from noughts.solving.classgraph import ClassGraph

__all__ = ["Sums"]

Weights = tuple[int, int, int]


class Sums:
    """Exact counts for every node of a class graph that starts from the empty board and reaches the full one.

    Lists are indexed by the numbers of nodes. Each is one pass over the edges.
    """

    def __init__(self, graph: ClassGraph[Marks]) -> None:
        self._graph = graph

    def _forward(self, *, distinct: bool) -> list[int]:
        nodes = self._graph.nodes
        ways = [0] * len(nodes)
        ways[0] = 1
        for number, node in enumerate(nodes):
            for child, cells in node.children:
                ways[child] += ways[number] * (1 if distinct else cells.bit_count())
        return ways

    def _backward(self, *, distinct: bool) -> list[int]:
        nodes = self._graph.nodes
        finishes = [1] * len(nodes)
        for number in range(len(nodes) - 1, -1, -1):
            children = nodes[number].children
            if children:
                finishes[number] = sum(
                    finishes[child] * (1 if distinct else cells.bit_count()) for child, cells in children
                )
        return finishes

    @cached_property
    def ways(self) -> list[int]:
        """Paths from the empty board to any board of the class."""
        return self._forward(distinct=False)

    @cached_property
    def ways_by_choices(self) -> list[int]:
        """Paths to the class when each distinct child class is one choice."""
        return self._forward(distinct=True)

    @cached_property
    def finishes(self) -> list[int]:
        """Ways to finish the game from one board of the class; 1 where it is over."""
        return self._backward(distinct=False)

    @cached_property
    def finishes_by_choices(self) -> list[int]:
        """Ways to finish the game when each distinct child class is one choice."""
        return self._backward(distinct=True)

    @cached_property
    def random_weights(self) -> list[Weights]:
        """Weights of X wins, draw, O wins under random play; divided by b! they are probabilities."""
        nodes, game = self._graph.nodes, self._graph.game
        weights: list[Weights] = [(0, 0, 0)] * len(nodes)
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            if node.outcome is not None:
                weights[number] = _end(node.outcome, game.last_ply - game.ply(node.state))
                continue
            x = draw = o = 0
            for child, cells in node.children:
                times = cells.bit_count()
                below = weights[child]
                x, draw, o = x + times * below[0], draw + times * below[1], o + times * below[2]
            weights[number] = (x, draw, o)
        return weights


def _end(outcome: Outcome, blanks: int) -> Weights:
    orders = factorial(blanks)
    return orders * (outcome == "X"), orders * (outcome == "draw"), orders * (outcome == "O")
