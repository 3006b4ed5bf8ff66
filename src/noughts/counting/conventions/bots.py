"""How many bots differ: the product, over the decisions, of the number of distinct choices at each.

A bot takes one decision as another where a symmetry makes them the same, and two moves for one where they lead to the
same position class: so it has as many choices at a decision as there are distinct child classes.

Source: B. Shourd, 2012.
"""

from __future__ import annotations

from math import prod

from noughts.counting.layers.classsums import graph_of
from noughts.counting.question import Question
from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.extent import require_listed
from noughts.domain.game import Marks
from noughts.domain.position import Position, completing_cells
from noughts.solving.classgraph import Node

__all__ = ["bots"]


def bots(board: Board) -> dict[str, int]:
    """Return the number of bots that differ at the decisions, at the real ones, and at the matchboxes.

    By the names that the ladder has for them; under misere, where no win is to be taken or blocked, without the real
    decisions. Cost: a walk through the position classes. Raises BudgetError where there are too many to list.
    """
    require_listed(Position(board), "counting the bots that differ")
    graph = graph_of(Question(board, "choices"), whole_group=True)
    decisions = [node for node in graph.nodes if node.outcome is None and _blanks(board, node).bit_count() > 1]
    found = {
        "decisions": _product(decisions),
        "matchboxes": _product([node for node in decisions if graph.game.to_move(node.state) == "X"]),
    }
    if not board.misere:
        found["real decisions"] = _product([node for node in decisions if _is_quiet(board, node)])
    return found


def _product(nodes: list[Node[Marks]]) -> int:
    return prod(len(node.children) for node in nodes)


def _blanks(board: Board, node: Node[Marks]) -> Mask:
    return board.full & ~(node.state.x | node.state.o)


def _is_quiet(board: Board, node: Node[Marks]) -> bool:
    blank = _blanks(board, node)
    return not completing_cells(board, node.state.x, blank) | completing_cells(board, node.state.o, blank)
