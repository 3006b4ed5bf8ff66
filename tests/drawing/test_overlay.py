"""Pictures under and over a board: where lines run in a plane, across the edges of a torus and through a stack."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from noughts import Board
from noughts.drawing.figures import shape_of
from noughts.drawing.overlay import UNIT, BoardPlan, over_board, under_board
from noughts.rules.cells import parse_cell


def plan(spec: str) -> tuple[Board, BoardPlan]:
    board = Board.parse(spec)
    return board, BoardPlan(shape_of(board), board.torus)


@pytest.mark.parametrize("spec", ["3x3", "3x4", "3x3+torus", "4x4:3+torus", "3x4:3+torus", "3x3x3", "2x3x4:2"])
def test_every_line_is_straight_with_equal_steps(spec: str) -> None:
    board, found = plan(spec)
    for line in board.lines:
        walks = found.walks(line)
        assert walks, line
        for walk in walks:
            assert len(walk) == len(line)
            steps = {(round(x1 - x0, 6), round(y1 - y0, 6)) for (x0, y0), (x1, y1) in pairwise(walk)}
            assert len(steps) == 1


def test_a_line_of_a_torus_runs_on_through_the_copies() -> None:
    board, found = plan("3x3+torus")
    line = [parse_cell(board, name) for name in ("b1", "c2", "a3")]
    walks = found.walks(line)
    assert any(walk == [(15, 5), (25, 15), (35, 25)] for walk in walks)
    assert found.box == "-10 -10 50 50"
    assert under_board(found, [line]).count('class="won"') == len(walks)


def test_layers_of_a_stack_stand_one_below_the_other() -> None:
    board, found = plan("3x3x3")
    top, below = (found.middle(0, 0, layer) for layer in (0, 1))
    assert top[0] == below[0]
    assert below[1] - top[1] == pytest.approx(UNIT * (3 * 0.62 + 0.45))
    picture = over_board(found, through=board.lines)
    assert picture.count('class="through"') == len(board.lines) == 49
    assert under_board(found, []) == ""


def test_threats_and_moves_of_a_line_are_arrows_and_numbers() -> None:
    _, found = plan("3x3")
    picture = over_board(found, threats=[("X", (0, 1, 2), 2)], play=[("O", 4), ("X", 8)])
    assert 'class="threatens x"' in picture
    assert 'class="threatens o"' not in picture
    assert re.findall(r"<text[^>]*>(\d)</text>", picture) == ["1", "2"]
    assert 'class="step o"' in picture
