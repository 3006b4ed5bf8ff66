"""The derivation splits the wins of each ply by kind of line: against the list of all games."""

from __future__ import annotations

from collections import Counter

import pytest

import noughts
from noughts.counting.derivation import derivation
from noughts.domain.board import Board
from tests import naive
from tests.dear import dear

BOARDS = {
    "3x3": (naive.grid(3, 3, 3), (1, 3, 3)),
    "3x3:2": (naive.grid(3, 3, 2), (1, 3, 3)),
    "2x4:2": (naive.grid(2, 4, 2), (1, 2, 4)),
    "3x2:2+misere": (naive.grid(3, 2, 2, misere=True), (1, 3, 2)),
    "2x2x2:2": (naive.grid(2, 2, 2, layers=2), (2, 2, 2)),
    "2x3:2+torus": (naive.grid(2, 3, 2, torus=True), (1, 2, 3)),
    "1x8:3": (naive.grid(1, 8, 3), (1, 1, 8)),
}
FLAT = {1: "one row or column", 2: "one diagonal"}
SOLID = {1: "one row, column or pillar", 2: "one diagonal of a slice", 3: "one diagonal through the box"}


def kind(game: naive.Game, sides: tuple[int, int, int], position: str) -> str:
    """What the marks of a won position complete, in words."""
    lines = [line for line in game.lines if len({position[cell] for cell in line} & set("XO")) == 1]
    lines = [line for line in lines if "." not in {position[cell] for cell in line}]
    if len(lines) > 1:
        return {2: "two", 3: "three", 4: "four"}.get(len(lines), str(len(lines))) + " lines at once"
    layers, rows, columns = sides
    where = naive.places(rows, columns, layers)
    places = [where[cell] for cell in lines[0]]
    axes = sum(len({place[i] for place in places}) > 1 for i in range(3))
    return (SOLID if layers > 1 else FLAT)[axes]


@pytest.mark.parametrize("spec", dear(BOARDS, "3x3"))
def test_the_wins_of_each_ply_by_kind_of_line(spec: str) -> None:
    game, sides = BOARDS[spec]
    steps = derivation(noughts.count(spec))
    listed = naive.layers(game, "any", "any", "line")
    assert len(steps) == len(listed)
    for step, layer in zip(steps, listed, strict=True):
        wanted: Counter[tuple[str, str]] = Counter()
        for path in layer:
            if path.outcome in ("X", "O"):
                wanted[path.outcome, kind(game, sides, path.positions[-1])] += 1
        assert {(won.player, won.by): won.games for won in step.won_by} == wanted
        for won in step.won_by:
            assert f"  {won.games:,} by {won.by}:" in step.lines


def test_the_hand_count() -> None:
    by_ply = {step.ply: {won.by: won.games for won in step.won_by} for step in derivation(noughts.count("3x3"))}
    assert by_ply[7] == {"one row or column": 34992, "one diagonal": 12960}
    assert sorted(by_ply[9].values()) == [12672, 27648, 41472]
    assert by_ply[9]["two lines at once"] == 12672
    assert sum(sum(kinds.values()) for kinds in by_ply.values()) == 255168 - 46080


def test_a_board_given_by_its_lines() -> None:
    board = Board.from_lines(5, [(0, 1), (1, 2)], name="two lines")
    census = noughts.count(board)
    assert {won.by for step in derivation(census) for won in step.won_by} == {"one line", "two lines at once"}


def test_sixteen_cells_add_up() -> None:
    census = noughts.count("4x4:3")
    for step, row in zip(derivation(census), census.plies, strict=True):
        assert sum(won.games for won in step.won_by) == (row.x_wins or 0) + (row.o_wins or 0)
