"""Reduced trees: when they are looked at before they are grown, what a look finds, and how far it looks ahead."""

from __future__ import annotations

import pytest

from noughts.analysis import trees as reduced
from noughts.analysis.forks_ahead import ForkAhead
from noughts.analysis.trees import DRAWN_NODES, reduced_tree, tree
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.position import Position, parse_position
from tests.analysis.oracle import oracle


@pytest.mark.parametrize(("spec", "shape"), [("3x3", (3, 3, 3)), ("2x4:3", (2, 4, 3)), ("1x7:3", (1, 7, 3))])
def test_whether_a_fork_is_ahead(spec: str, shape: tuple[int, int, int]) -> None:
    board, ahead = oracle(*shape), ForkAhead()
    for s in board.reachable()[::29]:
        assert ahead(parse_position(spec, board.slashed(s))) == board.fork_later(s), s


# Trees that are refused after a few games: just where the definition says, from the games that were played.


def test_the_reduced_tree_is_looked_at_where_it_may_have_many_classes(monkeypatch) -> None:
    """Games go on where a position is surely drawn, or a search soon finds it drawn, and a fork is in sight."""
    looks = []

    def small(kind, start, moves_at, ends_at, limit):
        looks.append((kind, limit))
        for sight in (True, False):
            monkeypatch.setattr(reduced, "fork_in_sight", lambda _, seen=sight: seen)
            assert ends_at(parse_position(start.board, "a1 b1")) != sight
        assert ends_at(parse_position(start.board, "a1 b1 a2 b2 a3 b3 a4"))
        assert moves_at(parse_position(start.board, "a1 b1 a2 b2 a3")) == 1 << 12, "forced moves alone"
        raise BudgetError("too large")

    monkeypatch.setattr(reduced, "surely_drawn", lambda _: True)
    monkeypatch.setattr(reduced, "require_small", small)
    with pytest.raises(BudgetError, match="too large"):
        reduced_tree(Position(Board.parse("4x4")), DRAWN_NODES)
    assert looks == [("reduced", DRAWN_NODES)]
    monkeypatch.undo()
    monkeypatch.setattr(reduced, "require_small", small)
    assert reduced_tree(Position(Board.parse("3x3"))) == tree("3x3"), "few classes need no look"
