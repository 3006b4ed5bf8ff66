"""Drawn patterns: which there are, which can still come about, which can be forced, by going through all play."""

from __future__ import annotations

from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.extent import class_bound
from noughts.domain.notation import parse_position
from noughts.strategy import patterns as module
from noughts.strategy.patterns import drawn_classes, patterns
from tests.strategy.oracle import oracle

SHAPES: dict[str, tuple[Any, ...]] = {
    "3x3": (3, 3, 3),
    "3x3+misere": (3, 3, 3, True),
    "2x4:3": (2, 4, 3),
    "1x6:3": (1, 6, 3),
    "1x6:4+misere": (1, 6, 4, True),
    "2x3:3": (2, 3, 3),
    "2x3:2": (2, 3, 2),
}
STARTS = ["", "a1", "b1", "c1 a1", "a1 b1 c1", "a1 c1 b1"]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("spec", SHAPES)
def test_what_can_come_about_and_what_can_be_forced(spec: str, start: str) -> None:
    board = oracle(*SHAPES[spec])
    s = str(parse_position(spec, start)).replace("/", "") if start else board.empty
    if board.over(s) or s.count(".") > 7:
        return
    found = patterns(spec, start or None)
    drawn = {t for t in everything(board) if board.lined(t) is None}
    classes = {board.canonical(t) for t in drawn}
    names = {board.canonical(str(each.position).replace("/", "")): each.name for each in found.patterns}
    assert names.keys() == classes
    for each in found.patterns:
        assert each.boards == len(board.images(str(each.position).replace("/", "")))
        marks = each.position
        assert marks.board.group().canonical(marks.x, marks.o) == (marks.x, marks.o)
    if spec.partition("+")[0] != "3x3":
        assert found.names == tuple(f"pattern {n}" for n in range(1, len(classes) + 1))
        assert [(p.position.x, p.position.o) for p in found.patterns] == sorted(
            (p.position.x, p.position.o) for p in found.patterns
        )
    else:
        assert found.names == ("Island", "Scorpion", "Arrow")
    later = {board.canonical(t) for t in drawn if all(a in (".", b) for a, b in zip(s, t, strict=True))}
    assert found.possible == tuple(
        names[board.canonical(str(p.position).replace("/", ""))]
        for p in found.patterns
        if board.canonical(str(p.position).replace("/", "")) in later
    )
    assert found.forcing is not None
    assert found.forcing[0].opening is None
    firsts = [row.opening for row in found.forcing[1:] if row.opening is not None]
    moves: dict[str, int] = {}
    for cell in board.blanks(s):
        moves.setdefault(board.canonical(board.put(s, cell)), cell)
    assert firsts == sorted(moves.values())
    order = list(found.names)
    for row in found.forcing:
        at = s if row.opening is None else board.put(s, row.opening)
        for player, forced in (("X", row.x), ("O", row.o)):
            wanted = [name for t, name in names.items() if board.can_force(at, player, t)]
            assert list(forced) == sorted(wanted, key=order.index)
    record: Any = found.as_dict()
    assert (record["board"], record["position"]) == (found.board.spec, str(found.start))
    assert [each["possible"] for each in record["patterns"]] == [name in found.possible for name in found.names]
    assert [each["boards"] for each in record["patterns"]] == [str(each.boards) for each in found.patterns]
    assert [row["opening"] for row in record["forcing"]] == [None, *(board.name(cell) for cell in firsts)]
    assert [(row["x_can_force"], row["o_can_force"]) for row in record["forcing"]] == [
        (list(row.x), list(row.o)) for row in found.forcing
    ]


def everything(board: Any) -> list[str]:
    """All ways to fill a board, X with one mark more where the cells are odd."""
    found = [""]
    for _ in range(board.cells):
        found = [s + mark for s in found for mark in "XO" if s.count("O") + (mark == "O") <= board.cells // 2]
    return [s for s in found if s.count("O") == board.cells // 2]


def test_up_to_so_many_ways_to_fill_a_board_are_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("2x4:3")
    monkeypatch.setattr(module, "_FILL_LIMIT", 70)
    assert len(drawn_classes(board)) == 15
    monkeypatch.setattr(module, "_FILL_LIMIT", 69)
    with pytest.raises(BudgetError, match=r"2x4:3 can be filled in 70 ways, and up to 69 are listed: .* up to 7 cells"):
        drawn_classes(board)


def test_up_to_so_many_classes_it_is_found_what_can_be_forced() -> None:
    at = parse_position("2x4:3", "a1")
    assert patterns("2x4:3", "a1", limit=class_bound(at)).forcing is not None
    assert patterns("2x4:3", "a1", limit=class_bound(at) - 1).forcing is None


def test_first_moves_of_3x3_have_kinds() -> None:
    found = patterns("3x3")
    assert [found.opening_name(cell) for cell in (0, 1, 4)] == ["a1 (corner)", "b1 (edge)", "b2 (centre)"]
    assert patterns("3x3", "a1").opening_name(1) == "b1"
    assert patterns("2x4:3").opening_name(0) == "a1"
    for each in found.patterns:
        marks = str(each.position).replace("/", "")
        corners = sum(marks[cell] == "O" for cell in (0, 2, 6, 8))
        assert each.name == ("Island" if marks[4] == "X" else "Scorpion" if corners == 2 else "Arrow")
