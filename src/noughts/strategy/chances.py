"""The chance of winning against an opponent who plays at random, for one who makes the most of it."""

from __future__ import annotations

from fractions import Fraction

from noughts.domain.game import Marks
from noughts.domain.position import Player
from noughts.solving.classgraph import ClassGraph

__all__ = ["winning_chances"]


def winning_chances(graph: ClassGraph[Marks], player: Player) -> list[Fraction]:
    """Return for each node of a class graph the greatest chance that a player has of winning in the end.

    The opponent chooses every move at random, each cell alike, of those that the edges have. One backward pass.
    """
    chances: dict[int, Fraction] = {}
    for number, node in graph.backward():
        if node.outcome is not None:
            chances[number] = Fraction(node.outcome == player)
        elif graph.game.to_move(node.state) == player:
            chances[number] = max(chances[child] for child, _ in node.children)
        else:
            cells = sum(moves.bit_count() for _, moves in node.children)
            found = sum((chances[child] * moves.bit_count() for child, moves in node.children), Fraction(0))
            chances[number] = found / cells
    return [chances[number] for number in range(len(graph.nodes))]
