"""Can a player force a win by threats? One object a board, which keeps what it has settled."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.position import Player, Position, opponent
from noughts.kernels.search import field
from noughts.machine.progress import Progress, silent
from noughts.solving.attack.arena import AttackBoard, Picture
from noughts.solving.attack.lookahead import Lookahead
from noughts.solving.attack.search import AttackSearch
from noughts.solving.attack.tree import AttackTree
from noughts.solving.problem import MOST_CELLS

if TYPE_CHECKING:
    from noughts.solving.searcher import Searcher

__all__ = ["Attacker"]


class Attacker:
    """Answers whether a player can force a win, on boards of up to MOST_CELLS cells, not under misere.

    `opened` counts the attacking positions so far. Plain search is asked by the `searcher`, if one is given. Its room
    is made, and its kernels are compiled, when it is first asked.
    """

    def __init__(self, board: Board, progress: Progress = silent, searcher: Searcher | None = None) -> None:
        self.board = board
        self.progress = progress
        self._lookahead = Lookahead(board, searcher)

    @property
    def takes(self) -> bool:
        """Whether the board is one on which attacks are searched."""
        return not self.board.misere and self.board.cells <= MOST_CELLS

    def watched(self, progress: Progress) -> None:
        """Let somebody be told how far the search has come."""
        self.progress = progress
        if "_search" in vars(self):
            self._search.progress = progress

    @property
    def opened(self) -> int:
        """Attacking positions opened so far."""
        return self._search.opened if "_search" in vars(self) else 0

    @property
    def searched(self) -> int:
        """Positions of plain search so far, which is asked where few cells are blank."""
        return self._lookahead.searched

    def looks_ahead(self, position: Position) -> bool:
        """Whether plain search is asked about a position."""
        return self._lookahead.takes(position.blanks.bit_count())

    @property
    def has_won_some(self) -> bool:
        """Whether any position was found to be won so far."""
        return "_search" in vars(self) and any(True for _ in self._search.won())

    @cached_property
    def _search(self) -> AttackSearch:
        return AttackSearch(AttackBoard(self.board), progress=self.progress, lookahead=self._lookahead)

    def can_force(
        self, position: Position, player: Player, *, limit: int | None = None, deadline: float | None = None
    ) -> bool | None:
        """Tell whether a player can force a win from an open position; both answers are exact.

        None where there is no answer after `limit` attacking positions, or soon after the `deadline` on the monotonic
        clock.
        """
        if not self.board.lines:
            return False
        search, arena = self._search, self._search.arena
        owner = arena.owners(position, player)
        drawn, picture, _ = arena.picture(owner)
        if not (drawn != field.DEAD).any():
            return False
        if position.to_move == player:
            return search.wins(picture, limit=limit, deadline=deadline)
        if position.threats(opponent(player)):
            return False
        replies = tuple(np.flatnonzero(drawn == field.BLANK).tolist())
        stop = None if limit is None else search.opened + limit
        for after in dict.fromkeys(arena.after(owner, replies, field.DEFENDER)):
            found = search.wins(after, limit=None if stop is None else stop - search.opened, deadline=deadline)
            if not found:
                return found
        return bool(replies)

    def found(self) -> tuple[list[tuple[Picture, Cell]], list[Picture]]:
        """Return the pictures that were found to be won, each with a move, and those that are not."""
        if "_search" not in vars(self):
            return [], []
        return list(self._search.won()), list(self._search.lost())

    def learn(self, won: Iterable[tuple[Picture, Cell]], lost: Iterable[Picture]) -> None:
        """Go on from what another search of this board has found."""
        self._search.learn(won, lost)

    def tree(self, position: Position, player: Player) -> AttackTree:
        """Return how a player forces a win, which `can_force` has found."""
        return AttackTree(self._search, position, player)
