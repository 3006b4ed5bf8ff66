"""Where a table that is played from has nothing to say though its player can come there."""

from __future__ import annotations

from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.position import Player, Position
from noughts.strategy.policy import Policy
from noughts.strategy.tablepolicy import FilePolicy
from noughts.strategy.weights import Weights

__all__ = ["lacking"]


def lacking(table: FilePolicy, board: Board, player: Player) -> Position | None:
    """Return a position for which neither the table nor what is played otherwise has moves, and to which its player can
    come from the empty board by playing from it; of several one that comes soonest, None where there is none.

    Cost: a visit to each position that the player comes to; to each class where the table is by class.
    """
    if not _ends(table):
        return None
    group = board.group()
    layer = [Position(board)]
    while layer:
        found: dict[tuple[Mask, Mask], Position] = {}
        for at in layer:
            cells = _listed(table, at) if at.to_move == player else at.moves()
            if cells is None:
                return at
            for child in map(at.play, cells):
                if not child.is_terminal:
                    key = group.canonical(child.x, child.o) if table.is_symmetric else (child.x, child.o)
                    found[key] = Position(board, *key)
        layer = list(found.values())
    return None


def _ends(table: FilePolicy) -> bool:
    """Return whether a table, with those that it names, is all that is played from."""
    rest: Policy | None = table
    while isinstance(rest, FilePolicy):
        rest = rest.otherwise
    return rest is None


def _listed(table: FilePolicy, at: Position) -> Weights | None:
    rest: Policy | None = table
    while isinstance(rest, FilePolicy):
        found = rest.listed(at)
        if found is not None:
            return found
        rest = rest.otherwise
    return None
