"""Forced wins: every way to force a fork, move by move.

Attacker and defender alternate. Every move of the attacker makes a threat and the defender's reply is the block of it.
A block may itself threaten; then the attacker's next move must meet that threat. The sequence ends with the attacker's
move that makes a fork which the defender cannot answer by completing a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.position import Position, completing_cells

__all__ = ["ForcedWins", "forced_wins"]

_NODE_LIMIT = 400_000


@dataclass(frozen=True)
class ForcedWins:
    """The sequences, shortest first and then in reading order of their cells, and whether these are all."""

    sequences: tuple[tuple[Cell, ...], ...]
    complete: bool


class _Search:
    """Depth-limited search that counts its steps, so that huge boards end with what was found.

    `deeper` says whether a longer sequence may be found.
    """

    deeper: bool

    def __init__(self, board: Board, limit: int) -> None:
        self.board = board
        self.left = limit

    def sequences(self, own: Mask, other: Mask, length: int) -> Iterator[tuple[Cell, ...]]:
        """All sequences of exactly this many moves (odd), the attacker to move."""
        self.left -= 1
        if self.left < 0:
            return
        blank = self.board.full & ~(own | other)
        wins = completing_cells(self.board, own, blank)
        must = completing_cells(self.board, other, blank)
        candidates = (must or blank) & ~wins
        if must & (must - 1):
            return
        for cell in cells_of(candidates):
            mine, rest = own | 1 << cell, blank ^ 1 << cell
            threats = completing_cells(self.board, mine, rest)
            if not threats & ~wins:
                continue  # the move makes no threat
            if threats & (threats - 1):
                if length == 1:
                    yield (cell,)
                continue
            if length > 1:
                block = threats.bit_length() - 1
                for tail in self.sequences(mine, other | threats, length - 2):
                    yield (cell, block, *tail)
            else:
                self.deeper = True


def forced_wins(position: Position, limit: int = _NODE_LIMIT) -> ForcedWins:
    """Return every way in which the side to move can force a fork, or none.

    Assumes an unfinished position; misere is refused by the caller. Cost: exponential in the length of the sequences;
    the search stops after `limit` steps and says so.
    """
    board = position.board
    x_moves = position.to_move == "X"
    own, other = (position.x, position.o) if x_moves else (position.o, position.x)
    search, found, length = _Search(board, limit), [], 1
    while True:
        search.deeper = False
        found += list(search.sequences(own, other, length))
        if not search.deeper or search.left < 0:
            return ForcedWins(tuple(found), search.left >= 0)
        length += 2
