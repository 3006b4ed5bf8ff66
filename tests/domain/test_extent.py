"""What is reckoned of the number of positions, against all positions that there are on small boards."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.extent import (
    class_bound,
    layer_bounds,
    least_classes,
    least_positions,
    position_bounds,
    require_listed,
)
from noughts.domain.notation import parse_position
from noughts.domain.position import Position

BOARDS = ["3x3", "2x3:2", "1x5:3", "2x4:3", "3x3+torus", "2x3:4", "1x1:1"]


def layers(start: Position) -> list[set[Position]]:
    """Return the positions that free play reaches from a start on, ply by ply."""
    found = [{start}]
    while len(found) <= start.board.cells - start.ply:
        found.append({at.play(cell) for at in found[-1] if at.outcome is None for cell in at.moves()})
    return found


def fillings(start: Position) -> list[int]:
    """Return in how many ways the marks to be made by each ply can be put on the blank cells."""
    blank = [cell for cell in range(start.board.cells) if start.blanks >> cell & 1]
    found = []
    for more in range(len(blank) + 1):
        x = (start.ply + more + 1) // 2 - start.x.bit_count()
        found.append(sum(1 for cells in combinations(blank, more) for _ in combinations(cells, x)))
    return found


def line_free(board: Board) -> list[int]:
    """Return for each size how many sets of cells have no line."""
    sets = [
        sum(1 << cell for cell in cells)
        for n in range(board.cells + 1)
        for cells in combinations(range(board.cells), n)
    ]
    found = [0] * (board.cells + 1)
    for each in sets:
        found[each.bit_count()] += all(each & mask != mask for mask in board.line_masks)
    return found


@pytest.mark.parametrize(
    ("spec", "moves"), [("3x3", ".../.../..."), ("3x3", "a1"), ("2x3:2", "a1 c2"), ("1x5:3", "a1 b1 c1")]
)
def test_a_layer_has_as_many_fillings_as_there_are(spec: str, moves: str) -> None:
    start = parse_position(Board.parse(spec), moves)
    ways = fillings(start)
    assert layer_bounds(start, 1) == ways
    assert layer_bounds(start, 4) == [-(-each // 4) for each in ways]
    assert layer_bounds(start, 1, start.ply + 2) == ways[:3]
    order = 1 if start.ply else start.board.group().order
    assert class_bound(start) == -(-sum(ways) // order)


@pytest.mark.parametrize("spec", BOARDS)
def test_as_many_classes_are_surely_reached(spec: str) -> None:
    """All fillings while nobody has marks enough for a line; a class has at most as many members as there are turns."""
    board = Board.parse(spec)
    order, shortest = board.group().order, min(map(len, board.lines), default=board.cells + 1)
    for start in (
        Position(board),
        *(Position(board).play(cell) for cell in range(min(2, board.cells)) if board.cells > 1),
    ):
        classes, least = 0, 0
        for depth, (found, ways) in enumerate(zip(layers(start), fillings(start), strict=True)):
            classes += len({board.group().canonical(at.x, at.o) for at in found})
            longest = max(max(at.x.bit_count(), at.o.bit_count()) for at in found) if found else shortest
            least += -(-ways // order) if longest < shortest else 0
            assert least_classes(start, depth) == least <= classes
        assert least_classes(start) == least


@pytest.mark.parametrize("spec", BOARDS)
def test_positions_lie_between_their_bounds(spec: str) -> None:
    board = Board.parse(spec)
    reached, free = layers(Position(board)), line_free(board)
    above, below = position_bounds(board, free), least_positions(board, free)
    assert len(above) == len(below) == len(reached) == board.cells + 1
    for ply, (found, most, least, ways) in enumerate(
        zip(reached, above, below, fillings(Position(board)), strict=True)
    ):
        still_open = sum(at.winner is None for at in found)
        assert least <= still_open <= len(found) <= most <= ways
        if spec in ("3x3", "2x4:3", "1x5:3"):
            assert 3 * most <= 5 * len(found), "rarely twice as many"
        if ply < min(map(len, board.lines), default=99):
            assert least == most == ways


@pytest.mark.parametrize("spec", ["3x3", "2x3:2", "1x5:3", "3x3:2"])
@pytest.mark.parametrize("unknown", [None, 2, 4])
def test_a_bound_is_what_one_player_leaves_open_and_the_moves_from_there(spec: str, unknown: int | None) -> None:
    """Of all fillings: those where X, or where O, whichever are fewer, has no line; or one move after such a one.

    Where it is not known how many sets of a size have no line, all of that size may.
    """
    board, most, before = Board.parse(spec), [], 0
    free = [comb(board.cells, size) if size == unknown else many for size, many in enumerate(line_free(board))]
    for ply, ways in enumerate(fillings(Position(board))):
        filled = [
            (set(x), set(o))
            for x in combinations(range(board.cells), (ply + 1) // 2)
            for o in combinations(set(range(board.cells)) - set(x), ply // 2)
        ]
        lined = [
            [len(marks) != unknown and any(marks >= set(line) for line in board.lines) for marks in both]
            for both in filled
        ]
        still_open = min(sum(not x for x, _ in lined), sum(not o for _, o in lined))
        most.append(min(ways, still_open + before * (board.cells - (ply - 1))))
        before = still_open
    assert position_bounds(board, free) == most


def test_what_is_listed_has_a_limit() -> None:
    start = Position(Board.parse("3x3"))
    bound = class_bound(start)
    require_listed(start, "this", bound)
    with pytest.raises(BudgetError, match=f"or wait longer with --limit {bound}$"):
        require_listed(start, "this", bound - 1, has_option=True)
    with pytest.raises(BudgetError, match=r"ask about a smaller board or a later position$"):
        require_listed(start, "this", bound - 1)
    with pytest.raises(BudgetError, match=r"ask about a smaller board$"):
        require_listed(start, "this", bound - 1, takes_position=False)
    for spec, waited_for in (("3x7:3", True), ("1x21:3", False), ("5x5:5", False)):
        start = Position(Board.parse(spec))
        assert (class_bound(start) < 10**9) == waited_for
        with pytest.raises(BudgetError, match="ask about a smaller board") as caught:
            require_listed(start, "this", has_option=True)
        assert ("wait longer" in str(caught.value)) == waited_for


@pytest.mark.parametrize("count", [class_bound, least_classes])
def test_nothing_is_reckoned_of_boards_that_nobody_plays(count) -> None:
    with pytest.raises((InputError, BudgetError)):
        count(Position(Board.parse("300x300")))
