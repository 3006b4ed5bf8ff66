"""Kernels of attacks: wins on small boards and lines at random equal those of the table of all positions."""

from __future__ import annotations

import random

import pytest

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.small import SmallSolution
from tests.solving.test_attack import compare, hypergraph, open_positions
from tests.solving.test_search import random_position


@pytest.mark.parametrize("seed", range(5))
def test_attacks_on_random_lines(seed: int) -> None:
    board = hypergraph(seed)
    attacker, solution = Attacker(board), SmallSolution(board)
    for position in open_positions(board):
        compare(attacker, solution, position)


def test_attacks_on_a_grid() -> None:
    board = Board.parse("3x4:3")
    attacker, solution = Attacker(board), SmallSolution(board)
    dice = random.Random(1)
    for position in [Position(board), *(random_position(board, dice) for _ in range(40))]:
        compare(attacker, solution, position)
