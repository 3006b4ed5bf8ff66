"""Reduced trees: when they are looked at before they are grown, what a look finds, and how far it looks ahead."""

from __future__ import annotations

from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.extent import class_bound
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.solving.bounds import surely_drawn
from noughts.strategy import reduced
from noughts.strategy.reduced import ForkAhead, reduced_tree
from tests.strategy.oracle import oracle


class Finder:
    """A solution that knows the outcomes of some positions, and how often it was asked."""

    def __init__(self, known: dict[str, str]) -> None:
        self.known, self.asked = known, 0

    def outcome(self, position: Position) -> str:
        self.asked += 1
        if str(position) not in self.known:
            raise BudgetError("not found")
        return self.known[str(position)]


def test_a_tree_of_many_classes_is_looked_at_twice_before_it_is_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    start, looks, grown = Position(Board.parse("3x3")), list[Any](), list[Any]()
    monkeypatch.setattr(reduced, "_require_small", lambda at, limit, drawn: looks.append((at, limit, drawn)))
    monkeypatch.setattr(reduced, "grow", lambda *asked, **more: grown.append((asked[:2], more)))
    for bound, many in ((class_bound(start), 0), (class_bound(start) - 1, 2)):
        looks.clear()
        monkeypatch.setattr(reduced, "QUICK_CLASSES", bound)
        reduced_tree(start, 77)
        assert len(looks) == many
    assert grown == [((start, "reduced"), {"limit": 77})] * 2
    (at, limit, first), (also, same, second) = looks
    assert (at, also, limit, same, first) == (start, start, 77, 77, surely_drawn)
    assert isinstance(second, reduced._Drawn)


def test_a_board_of_many_cells_is_refused_by_its_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    start, asked = Position(Board.parse("8x8")), list[tuple[object, ...]]()

    def listed(*given: object) -> None:
        asked.append(given)
        raise BudgetError("too many classes")

    monkeypatch.setattr(reduced, "require_listed", listed)
    monkeypatch.setattr(reduced, "_require_small", lambda *_: None)
    monkeypatch.setattr(reduced, "grow", lambda *_, **__: None)
    reduced_tree(start)
    assert not asked, "up to 64 cells"
    start = Position(Board.parse("5x13"))
    with pytest.raises(BudgetError, match="too many classes"):
        reduced_tree(start)
    assert asked == [(start, "growing the reduced tree", 40_000)]


def test_a_look_finds_a_draw_until_a_search_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("3x3")
    won, drawn, unknown = (parse_position(board, moves) for moves in ("a1 b1", "a1 b2", "a1 c3"))
    full = parse_position(board, "XOX/OXX/O.O")
    finder = Finder({str(won): "X", str(drawn): "draw"})
    monkeypatch.setattr(reduced, "searched_from", lambda start, budget: finder)
    monkeypatch.setattr(reduced, "surely_drawn", lambda position: position == full)
    look = reduced._Drawn(Position(board))
    assert [look(each) for each in (full, won, drawn, full)] == [True, False, True, True]
    assert finder.asked == 2, "one look tells of a position that is surely drawn"
    assert not look(unknown)
    assert [look(each) for each in (full, won, drawn)] == [False] * 3, "it has given up"
    assert finder.asked == 3


@pytest.mark.parametrize(("spec", "shape"), [("3x3", (3, 3, 3)), ("2x4:3", (2, 4, 3)), ("1x7:3", (1, 7, 3))])
def test_whether_a_fork_is_ahead(spec: str, shape: tuple[int, int, int]) -> None:
    board, ahead = oracle(*shape), ForkAhead()
    for s in board.reachable()[::29]:
        assert ahead(parse_position(spec, board.slashed(s))) == board.fork_later(s), s


def test_looking_ahead_ends_at_so_many_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classes that are known when another is met; those that are being looked at are not known yet."""
    start, ahead, met = Position(Board.parse("1x7:3")), ForkAhead(), [0]
    plain = ForkAhead.__call__

    def counting(self: ForkAhead, position: Position) -> bool:
        if position.board.group().canonical(position.x, position.o) not in self._known:
            met.append(len(self._known))
        return plain(self, position)

    monkeypatch.setattr(ForkAhead, "__call__", counting)
    ahead(start)
    assert max(met) > 5
    monkeypatch.setattr(reduced, "_LOOK_AHEAD_LIMIT", max(met) + 1)
    assert ForkAhead()(start) == ahead(start)
    monkeypatch.setattr(reduced, "_LOOK_AHEAD_LIMIT", max(met))
    with pytest.raises(BudgetError, match=f"on 1x7:3 meets more than {max(met)} position classes: ask from a later"):
        ForkAhead()(start)
