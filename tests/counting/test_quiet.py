"""The decisions that matter, listed in plain Python and by the compiled walk."""

from __future__ import annotations

import pytest

from noughts.counting.layers import quiet
from noughts.counting.layers.bounds import layer_bounds
from noughts.counting.question import Question
from noughts.domain.board import Board
from noughts.domain.game import MarkingGame
from noughts.domain.position import completing_cells
from noughts.solving.classgraph import ClassGraph


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x6:3", "1x9:3", "3x3+torus", "2x2x2"])
def test_compiled_equals_listing(spec, monkeypatch):
    board = Board.parse(spec)
    listed = 0
    for node in ClassGraph(MarkingGame(board)).nodes:
        blank = board.full & ~(node.state.x | node.state.o)
        threats = completing_cells(board, node.state.x, blank) | completing_cells(board, node.state.o, blank)
        listed += node.outcome is None and blank.bit_count() > 1 and not threats
    bound = sum(layer_bounds(Question(board, "choices"), to_end=True))
    monkeypatch.setattr(quiet, "QUICK_CLASSES", bound)
    with monkeypatch.context() as patch:
        patch.setattr(quiet, "_compiled", lambda board: pytest.fail("few enough to list"))
        assert quiet.quiet_classes(board) == listed
    monkeypatch.setattr(quiet, "QUICK_CLASSES", bound - 1)
    monkeypatch.setattr(quiet, "class_graph", lambda board: pytest.fail("too many to list"))
    assert quiet.quiet_classes(board) == listed


def test_published():
    assert quiet.quiet_classes(Board.parse("3x3")) == 96
