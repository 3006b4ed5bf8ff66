"""What the marks say at a glance: threats, forks that a move would create, lines still open and lines blocked."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.domain.bits import Mask
from noughts.domain.position import Player, Position, completing_cells, opponent
from noughts.domain.rules import allowed_cells, forking_cells

__all__ = ["Lines", "forced_cells", "fork_cells", "is_fork", "lines_of", "threat_mask"]


def threat_mask(position: Position, player: Player) -> Mask:
    """Return the blank cells that complete a line for a player, whoever is to move; none once the game is over."""
    if position.is_terminal:
        return 0
    return completing_cells(position.board, position.marks(player), position.blanks)


def is_fork(position: Position) -> bool:
    """Return whether the last mover has two or more threats: different cells, not lines. A finished game is no fork."""
    threats = threat_mask(position, opponent(position.to_move))
    return threats & (threats - 1) != 0


def fork_cells(position: Position, player: Player) -> Mask:
    """Return the blank cells on which a mark of the player would create a fork.

    Asked for either player, whoever is to move. A cell that completes a line ends the game and creates no fork.
    """
    if position.is_terminal:
        return 0
    own, blank = position.marks(player), position.blanks
    return forking_cells(position.board, own, blank) & ~completing_cells(position.board, own, blank)


def forced_cells(position: Position) -> Mask:
    """Return the cells that the rule `block` leaves: those that win, else those that block, else all blanks."""
    return allowed_cells(position.board, position.x, position.o, "block")


@dataclass(frozen=True)
class Lines:
    """The winning lines of a position: open to a player (no mark of the other), or blocked for both."""

    x_open: tuple[Mask, ...]
    o_open: tuple[Mask, ...]
    blocked: tuple[Mask, ...]


def lines_of(position: Position) -> Lines:
    """Return which lines each player may still complete and which nobody can."""
    lines = position.board.line_masks
    return Lines(
        tuple(line for line in lines if not line & position.o),
        tuple(line for line in lines if not line & position.x),
        tuple(line for line in lines if line & position.x and line & position.o),
    )
