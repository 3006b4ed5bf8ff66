"""Pairings shared between lines: every line of the board, listed again here, has one of the disjoint pairs."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from noughts.rules.board import Board
from noughts.rules.marks import cells_of
from noughts.solving.weak.pairing import (
    is_short_of_cells,
    pairing_by_program,
    periodic_pairing,
)


def lines_of(rows: int, columns: int, k: int) -> list[list[int]]:
    """Return the lines of a flat board, by walking from every cell."""
    found = []
    for row, column, (down, right) in product(range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))):
        places = [(row + i * down, column + i * right) for i in range(k)]
        if all(0 <= r < rows and 0 <= c < columns for r, c in places):
            found.append([r * columns + c for r, c in places])
    return found


def check(rows: int, columns: int, k: int, pairs: list[int]) -> None:
    listed = [tuple(cells_of(pair)) for pair in pairs]
    cells = [cell for pair in listed for cell in pair]
    assert len(set(cells)) == len(cells) == 2 * len(listed)
    assert all(any(set(pair) <= set(line) for pair in listed) for line in lines_of(rows, columns, k))


@pytest.mark.parametrize(
    ("side", "k"), [(6, 6), (7, 6), (8, 7), (9, 7), (10, 7), (11, 8), (12, 8), (13, 8), (14, 9), (10, 9)]
)
def test_squares(side: int, k: int) -> None:
    board = Board.grid(side, side, k)
    pairs = pairing_by_program(board, board.line_masks)
    assert pairs is not None
    check(side, side, k, pairs)


def has_pairing(lines: list[int]) -> bool:
    """Tell, by trying every pair of the first line that has none, whether disjoint pairs serve all lines."""

    def served(left: list[int], taken: int) -> bool:
        if not left:
            return True
        for a, b in combinations(cells_of(left[0] & ~taken), 2):
            pair = 1 << a | 1 << b
            if served([line for line in left if line & pair != pair], taken | pair):
                return True
        return False

    return served(lines, 0)


def test_where_cells_do_not_suffice_there_is_no_pairing() -> None:
    dice = random.Random(0)
    short, paired = 0, 0
    for _ in range(3_000):
        cells = dice.randint(4, 9)
        sizes = [dice.randint(2, min(cells, 5)) for _ in range(dice.randint(1, 6))]
        lines = sorted({sum(1 << cell for cell in dice.sample(range(cells), size)) for size in sizes})
        exists = has_pairing(lines)
        paired += exists
        if is_short_of_cells(lines):
            short += 1
            assert not exists, lines
    assert short > 300
    assert paired > 300


@pytest.mark.parametrize(("spec", "is_short"), [("7x7:5", True), ("6x8:5", True), ("20x20:5", True), ("8x8:6", False)])
def test_counting_cells_settles_boards(spec: str, *, is_short: bool) -> None:
    assert is_short_of_cells(Board.parse(spec).line_masks) is is_short


def walked(sides: tuple[int, int, int], k: int, *, torus: bool) -> set[frozenset[int]]:
    """Return the lines of a board in three dimensions, or around a torus, by walking: no cell twice."""
    rows, columns, layers = sides
    found = set()
    for start in product(range(rows), range(columns), range(layers)):
        for way in product((-1, 0, 1), repeat=3):
            places = [tuple(at + i * step for at, step in zip(start, way, strict=True)) for i in range(k)]
            if torus:
                places = [tuple(at % side for at, side in zip(place, sides, strict=True)) for place in places]
            inside = all(0 <= at < side for place in places for at, side in zip(place, sides, strict=True))
            if inside and len(set(places)) == k:
                found.add(frozenset((z * rows + r) * columns + c for r, c, z in places))
    return found


@pytest.mark.parametrize(
    "spec", ["2x6x6:6", "5x5x4:5", "6x6x5:6", "8x8x2:8", "6x6+torus", "8x8:8+torus", "10x10:10+torus"]
)
def test_in_three_dimensions_and_around_a_torus(spec: str) -> None:
    board = Board.parse(spec)
    assert board.shape is not None
    assert board.k is not None
    pairs = pairing_by_program(board, board.line_masks)
    assert pairs is not None
    listed = [frozenset(cells_of(pair)) for pair in pairs]
    assert len(frozenset().union(*listed)) == 2 * len(listed)
    lines = walked(board.shape, board.k, torus=board.torus)
    assert lines == {frozenset(line) for line in board.lines}
    assert all(any(pair <= line for pair in listed) for line in lines)


@pytest.mark.parametrize(("rows", "columns", "k"), [(16, 16, 9), (8, 16, 12), (8, 24, 9)])
def test_the_periodic_pairing_goes_around_a_torus(rows: int, columns: int, k: int) -> None:
    pairs = periodic_pairing(Board.grid(rows, columns, k, torus=True))
    assert pairs is not None
    listed = [frozenset(cells_of(pair)) for pair in pairs]
    assert len(frozenset().union(*listed)) == 2 * len(listed) == rows * columns
    partner = {cell: pair for pair in listed for cell in pair}
    for line in walked((rows, columns, 1), k, torus=True):
        assert any(partner[cell] <= line for cell in line)
