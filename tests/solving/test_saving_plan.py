"""The plan of a table: what it says is counted is what is there, and its times hold on boards it was not fitted to."""

from __future__ import annotations

from itertools import combinations

import pytest

from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.solving.index import PerfectIndex
from noughts.solving.saving import plan as leadsets
from noughts.solving.saving.files import plies_of, portions
from noughts.solving.saving.plan import FACTOR, FORETOLD, MEASURED, lead_counts, looks_by_ply, plan_saving
from tests.dear import dear

BOARDS = ("1x1", "1x2", "3x3", "3x4:3", "2x2x2:2", "3x3+torus", "2x5:3", "3x3+misere", "1x9:3")


def listed(board: Board, marks: int) -> tuple[int, int]:
    """Classes of sets without a line, and of those with a mark that completed all their lines: from a list of all."""
    lines = [set(line) for line in board.lines]
    classes = set()
    for cells in combinations(range(board.cells), marks):
        classes.add(min(tuple(sorted(turn[cell] for cell in cells)) for turn in board.group("board").elements))
    free = [cells for cells in classes if not any(line <= set(cells) for line in lines)]
    won = [
        cells
        for cells in classes
        if (full := [line for line in lines if line <= set(cells)]) and set.intersection(*full)
    ]
    return len(free), len(won)


@pytest.mark.parametrize("spec", BOARDS)
def test_sets_are_counted_as_a_list_of_them_is_long(spec: str) -> None:
    board = Board.parse(spec)
    found = lead_counts(board)
    for marks in range((board.cells + 1) // 2 + 1):
        assert (found.free[marks], found.won[marks]) == listed(board, marks)


def test_a_board_without_lines_and_one_given_by_its_lines() -> None:
    for board in (Board.from_lines(5, [], name="no lines"), Board.from_lines(6, [(0, 1, 2), (2, 3, 4), (0, 5)])):
        found = lead_counts(board)
        for marks in range((board.cells + 1) // 2 + 1):
            assert (found.free[marks], found.won[marks]) == listed(board, marks)


@pytest.mark.parametrize("spec", dear(["3x4:3", "3x3x2:3", "4x4:3", "4x5:4", "3x7:4"], "4x5:4", "3x7:4"))
@pytest.mark.parametrize("packed", [True, False])
def test_blocks_entries_and_bytes_are_those_of_the_index(spec: str, packed: bool) -> None:
    board = Board.parse(spec)
    plan, index = plan_saving(board, packed=packed), PerfectIndex(board)
    assert [layer.ply for layer in plan.layers] == list(range(board.cells, -1, -1))
    for layer in plan.layers:
        shape = index.shape(layer.ply, packed)
        assert (layer.blocks, layer.size, layer.bytes) == (shape.blocks, shape.size, shape.bytes)
        known = index.layers[(layer.ply + 1) // 2].child
        if layer.ply % 2 == 0 and layer.ply < board.cells:
            stride = index.shape(layer.ply + 1, packed).stride
            pairs = sum(len(set(row) - {-1}) for row in known.tolist())
            assert pairs * stride <= layer.read
        if layer.ply % 2:
            assert layer.won == len(index.layers[(layer.ply - 1) // 2].won) * shape.size
    assert plan.disk == sum(shape.bytes for shape in index.shapes(packed)) + 4 * sum(
        len(layer.masks) for layer in index.layers
    )


def test_portions_follow_each_other_and_have_bounds() -> None:
    for cells, marks, blocks, packed in ((30, 10, 5_670_565, True), (25, 8, 243_000, False), (9, 3, 16, False)):
        cuts = portions(cells, marks, blocks, packed)
        assert [a for a, _ in cuts] == [0, *(b for _, b in cuts[:-1])]
        assert cuts[-1][1] == blocks
        assert len(cuts) < 1000
    assert len(portions(9, 3, 16, False)) == 1
    assert portions(9, 5, 0, False) == []
    assert [plies_of(9, marks) for marks in range(6)] == [[0], [1, 2], [3, 4], [5, 6], [7, 8], [9]]
    assert plies_of(8, 4) == [7, 8]


def test_times_hold_on_boards_that_the_rates_know_nothing_of() -> None:
    """By the CPU seconds that benchmarks/layers.py measured: nothing is timed here."""
    assert not set(MEASURED) & set(FORETOLD)
    smallest = min(Board.parse(spec).cells for spec in FORETOLD)
    assert all(Board.parse(spec).cells < smallest for spec in MEASURED)
    for spec, seconds in {**MEASURED, **FORETOLD}.items():
        foretold = plan_saving(Board.parse(spec), packed=True).core_seconds
        assert 1 / FACTOR < foretold / seconds < FACTOR, spec


def test_more_cores_take_less_time_but_never_less_than_their_share() -> None:
    plan = plan_saving(Board.parse("5x5:4"), packed=True)
    times = [plan.seconds_on(cores) for cores in (1, 2, 16, 64, 256)]
    assert times == sorted(times, reverse=True)
    assert times[0] == pytest.approx(plan.core_seconds)
    for cores in (2, 16, 64):
        assert plan.seconds_on(cores) >= plan.core_seconds / cores


def test_looks_are_the_same_every_time_and_none_where_nothing_is_left() -> None:
    board = Board.parse("3x4:3")
    assert looks_by_ply(board) == looks_by_ply(board)
    means = [look.mean for look in looks_by_ply(board)]
    assert means[0] == 12
    assert means[-1] == 0
    assert looks_by_ply(Board.parse("3x3+misere"))[0].mean == 9
    assert looks_by_ply(Board.parse("1x3:1"))[2].mean == 0  # no set of X is without a line


def test_what_cannot_be_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BudgetError, match="plans go up to 63"):
        plan_saving(Board.parse("8x8:5"), packed=True)
    monkeypatch.setattr(leadsets, "MOST_STATES", 3)
    with pytest.raises(BudgetError, match="too many ways"):
        plan_saving(Board.parse("3x3"), packed=True)
