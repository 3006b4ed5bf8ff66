"""A forced move of the attacker on a guarded pair: the answer to it leaves the attacker to move again."""

from __future__ import annotations

import pytest

from noughts.domain.board import Board
from noughts.domain.game import MarkingGame
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.solving.classgraph import ClassGraph
from noughts.solving.searching import SearchSolution


def test_a_block_with_tempo_wins():
    """X must block at c1, which threatens d1; O answers, and X forks below."""
    board = Board.parse("2x5:3")
    assert SearchSolution(board).outcome(parse_position(board, "OO..X/.X...")) == "X"


@pytest.mark.parametrize("spec", ["2x5:3", "5x2:3", "3x3:3", "2x5:4", "1x9:3"])
def test_search_equals_the_class_graph_on_every_position(spec):
    board = Board.parse(spec)
    graph, search = ClassGraph(MarkingGame(board)), SearchSolution(board, slots=1 << 16)
    outcomes = {1: "X", 0: "draw", -1: "O"}
    for node, value in zip(graph.nodes, graph.values, strict=True):
        position = Position(board, node.state.x, node.state.o)
        assert search.outcome(position) == outcomes[value], position
