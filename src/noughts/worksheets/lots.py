"""Positions drawn by lot: of games that go on, and marks of which nobody has asked whether play can lead there.

Nothing here depends on the machine: the same lot gives the same position everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from noughts.domain.bits import Cell, Mask, cells_of, mask_of
from noughts.domain.board import Board
from noughts.domain.lots import drawn
from noughts.domain.position import Position, completing_cells

__all__ = ["DRAWS", "image", "kept_apart", "open_position", "scattered", "shuffled"]

DRAWS = 100
"""Lots that are drawn for one exercise, at most."""


def open_position(board: Board, blanks: int, lot: str) -> Position | None:
    """Return an unfinished position with so many blank cells, of a game by lot in which nobody completes a line.

    None where the game of this lot cannot go on without.
    """
    at = Position(board)
    for ply in range(board.cells - blanks):
        own = at.marks(at.to_move)
        cells = list(cells_of(at.blanks & ~completing_cells(board, own, at.blanks)))
        if not cells:
            return None
        at = at.play(cells[drawn(len(cells), f"{lot} {ply}")])
    return None if at.is_terminal else at


def scattered(board: Board, x: int, o: int, lot: str) -> Position:
    """Return so many X and O on cells by lot, whether play can lead there or not."""
    cells = shuffled(range(board.cells), lot)
    return Position(board, mask_of(cells[:x]), mask_of(cells[x : x + o]))


def shuffled(things: range | list[Cell], lot: str) -> list[Cell]:
    """Return cells in an order by lot."""
    left, found = list(things), []
    while left:
        found.append(left.pop(drawn(len(left), f"{lot} {len(left)}")))
    return found


def image(position: Position, lot: str) -> Position:
    """Return a position turned or mirrored by lot."""
    board = position.board
    elements = board.group().elements
    turn = elements[drawn(len(elements), f"{lot} turn")]

    def moved(mask: Mask) -> Mask:
        return mask_of(turn[cell] for cell in cells_of(mask))

    return Position(board, moved(position.x), moved(position.o))


def kept_apart(board: Board, lot: str, draw: Callable[[str], Position | None]) -> Iterator[Position]:
    """Yield positions that lots lead to, no two the same up to the symmetries of the board.

    It ends after so many lots in a row that led to nothing new.
    """
    met: set[tuple[Mask, Mask]] = set()
    idle = 0
    for number in count():
        at = draw(f"{lot} {number}")
        key = None if at is None else board.group().canonical(at.x, at.o)
        if at is None or key is None or key in met:
            idle += 1
            if idle > DRAWS:
                return
            continue
        idle = 0
        met.add(key)
        yield at
