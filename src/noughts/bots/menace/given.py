"""What somebody else needs to play a machine's games: the board as plain numbers, and how its opponent moves."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Player, Position
from noughts.solving.classgraph import class_graph
from noughts.strategy.policies import Policy
from noughts.strategy.solutions import solution_for

__all__ = ["board_given", "opponent_given"]


def board_given(board: Board) -> dict[str, object]:
    """Return cells, lines and symmetries as lists of numbers: cells from 0 in reading order, the identity first."""
    return {
        "cells": board.cells,
        "lines": [list(line) for line in board.lines],
        "misere": board.misere,
        "symmetries": [list(element) for element in board.group().elements],
    }


def opponent_given(board: Board, player: Player, rival: Policy | None) -> dict[str, object] | None:
    """Return for each unfinished class in which `player` does not move how likely each move of the opponent is.

    None where the opponent learns, or does not treat symmetric positions alike.
    """
    if rival is None or not rival.is_symmetric:
        return None
    graph = class_graph(board)
    solution = solution_for(Position(board)) if rival.needs_values else None
    found: dict[str, object] = {}
    for node in graph.nodes:
        if node.outcome is None and graph.game.to_move(node.state) != player:
            position = Position(board, node.state.x, node.state.o)
            chances = rival.probabilities(position, solution)
            found[str(position)] = {cell_name(board, cell): str(chance) for cell, chance in chances.items()}
    return found
