"""What comes before a position: the boards from which one move leads to it."""

from __future__ import annotations

from noughts.domain.bits import Cell, cells_of
from noughts.domain.position import Position, opponent

__all__ = ["before"]


def before(position: Position) -> tuple[tuple[Position, tuple[Cell, ...]], ...]:
    """Return the positions one move earlier, one of each class, with the cells of all last moves from boards of it.

    Boards are as this one lies, less one mark of the last mover; where the game was over already none was. In the order
    of their first cells. Assumes a position that play can lead to.
    """
    if not position.ply:
        return ()
    board, mover = position.board, opponent(position.to_move)
    found: dict[tuple[int, int], tuple[Position, list[Cell]]] = {}
    for cell in cells_of(position.marks(mover)):
        x, o = (side & ~(1 << cell) for side in (position.x, position.o))
        earlier = Position(board, x, o)
        if not earlier.is_terminal:
            found.setdefault(board.group().canonical(x, o), (earlier, []))[1].append(cell)
    return tuple((earlier, tuple(cells)) for earlier, cells in found.values())
