"""Misere: reasons why a player never has to complete a line, so that the opponent cannot win.

*Weights.* A live line with b blanks weighs 2**-b. The player takes a cell whose lines weigh least, each time. What the
player then takes adds no more than what the opponent takes next removes, as lines with a mark of the opponent are dead.
So a sum below 1 stays below 1, and a whole line would weigh 1. A last cell, without an answer, at most doubles the sum:
where the player takes it, the sum must be below 1/2. (Hefetz, Krivelevich and Szabo, Avoider-Enforcer games, 2007.)

*Pairs.* A line that holds a pair of blanks never fills where the player answers a cell of a pair by the other. The
cells of pairs then count as the player's in all other lines. A player without another move takes a cell of a whole
pair.

*Mirroring.* A symmetry that is its own inverse exchanges the marks of both players. The player answers each move by its
image, so the opponent completes the image of a line before the player completes the line. A cell that is its own image
is taken first. That is safe where each line with this cell has another cell and its image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.rules.marks import Cell, Mask, Player, cells_of, mask_of, opponent
from noughts.rules.symmetry import Permutation

if TYPE_CHECKING:
    from noughts.rules.position import Position
    from noughts.solving.weak.family import Tools

GROUP_LIMIT = 1000
"""Largest order of a group in which a symmetry to mirror by is sought."""


def is_avoided(weight: int, position: Position, player: Player, unit: int) -> bool:
    """Tell whether lines of a weight, in units of 2**-unit, are light enough for a player to avoid them."""
    has_last_move = (position.to_move == player) == bool(position.blanks.bit_count() & 1)
    return weight << has_last_move < 1 << unit


def avoids_by_pairs(tools: Tools, lines: list[Mask], position: Position, player: Player) -> list[Mask] | None:
    """Return pairs with which a player avoids the lines, the blanks of their live lines; None where none are found."""
    key, _ = tools.key(lines)
    least, pairs = tools.pairs(key, maker_moves=False)
    return pairs if is_avoided(least, position, player, tools.unit) else None


def mirror_of(position: Position, player: Player) -> tuple[Permutation, Cell | None] | None:
    """Return the symmetry by which a player answers every move, and the cell to take first, or None.

    Assumes an open position. The cell is None where the opponent is to move.
    """
    board = position.board
    group = board.group("board")
    if group.order > GROUP_LIMIT:
        return None
    own, other = position.marks(player), position.marks(opponent(player))
    moves = position.to_move == player
    for element in group.elements:
        fixed = [cell for cell in range(board.cells) if element[cell] == cell]
        if len(fixed) != moves or any(element[element[cell]] != cell for cell in range(board.cells)):
            continue
        if mask_of(element[cell] for cell in cells_of(own)) == other and not any(
            fixed[0] in line and not any(element[cell] in line for cell in line if cell != fixed[0])
            for line in (board.lines if moves else ())
        ):
            return element, fixed[0] if moves else None
    return None
