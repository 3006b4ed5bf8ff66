"""The rules of play against the oracle, on every open position."""

from __future__ import annotations

import pytest

from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.game import MarkingGame, Marks, best_moves
from noughts.domain.notation import parse_position
from noughts.domain.position import completing_cells
from noughts.domain.rules import MOVE_RULES, allowed_cells, forking_cells
from tests import naive
from tests.boards import Small, small

THREE = Small(Board.parse("3x3"), naive.grid(3, 3, 3), ())
TORUS = Small(Board.parse("3x3+torus"), naive.grid(3, 3, 3, torus=True), ())


def text_of(board: Board, x: int, o: int) -> str:
    return "".join("X" if x >> c & 1 else "O" if o >> c & 1 else "." for c in range(board.cells))


@pytest.mark.parametrize("name", ["3x3", "3x3+torus", "2x3:2", "3x2:2", "1x7:3", "flower", "loose", "nested", "1x5:6"])
def test_allowed_cells_are_those_of_the_oracle(name: str) -> None:
    on = {"3x3": THREE, "3x3+torus": TORUS}.get(name) or small(name)

    def value_of(state: Marks) -> int:
        return naive.value(on.game, text_of(on.board, state.x, state.o))

    def worth_of(state: Marks) -> int:
        text = text_of(on.board, state.x, state.o)
        far = naive.remoteness(on.game, text)
        return naive.value(on.game, text) * (100 - far)

    for text in naive.reachable(on.game):
        if naive.line_outcome(on.game, text) is not None:
            continue
        position = parse_position(on.board, text)
        for rule in MOVE_RULES:
            if rule in ("perfect", "quickest"):
                goodness = value_of if rule == "perfect" else worth_of
                found = best_moves(MarkingGame(on.board), Marks(position.x, position.o), goodness)
            else:
                found = allowed_cells(on.board, position.x, position.o, rule)
            assert list(cells_of(found)) == naive.moves(on.game, text, rule), (text, rule)


def test_among_several_cells_to_block_none_is_preferred() -> None:
    position = parse_position(THREE.board, "XXO/.O./X..")
    assert list(cells_of(allowed_cells(THREE.board, position.x, position.o, "block"))) == [3]
    position = parse_position(THREE.board, "X.X/.O./X.O")
    assert list(cells_of(allowed_cells(THREE.board, position.x, position.o, "block"))) == [1, 3]


def test_a_fork_is_two_cells_not_two_lines() -> None:
    """Two lines that lack the same cell are one threat."""
    board = Board.from_lines(6, [(0, 1, 5), (2, 3, 5)])
    assert forking_cells(board, 0b0111, 0b111000) == 0
    board = Board.from_lines(6, [(0, 1, 4), (2, 1, 5)])
    assert forking_cells(board, 0b0101, 0b111010) == 0b10


@pytest.mark.parametrize("on", [THREE, TORUS], ids=["3x3", "3x3+torus"])
def test_a_threat_that_is_there_is_one_of_the_two(on: Small) -> None:
    full = on.board.full
    for own in (mask for mask in range(full) if mask.bit_count() <= 3):
        after = {cell: (own | 1 << cell, full & ~(own | 1 << cell)) for cell in cells_of(full & ~own)}
        two = [cell for cell, marks in after.items() if completing_cells(on.board, *marks).bit_count() > 1]
        assert list(cells_of(forking_cells(on.board, own, full & ~own))) == two
