"""Can a player force a win by threats? One object a board, which keeps what it has settled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noughts.kernels.search import threats as field
from noughts.machine.workers import Progress, Workers, silent
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Player, opponent
from noughts.rules.position import Position
from noughts.solving.attack.board import AttackBoard, Lookahead, Picture
from noughts.solving.attack.replies import ItemAnswer, RepliesSearch
from noughts.solving.attack.search import AttackSearch
from noughts.solving.attack.tree import AttackTree
from noughts.solving.problem import MOST_CELLS

if TYPE_CHECKING:
    from noughts.solving.transposition import Searcher

__all__ = ["Attacker"]

PATIENCE = 2000
"""Attacking positions opened below one before the replies to its moves are proved one by one."""


class Attacker:
    """Answers whether a player can force a win, on boards of up to MOST_CELLS cells, not under misere.

    `opened` counts the attacking positions so far. Plain search is asked by the `searcher`, if one is given. Its room
    is made, and its kernels are compiled, when it is first asked. What resists for long is proved reply by reply, by
    the workers who are `employed`.
    """

    def __init__(self, board: Board, progress: Progress = silent, searcher: Searcher | None = None) -> None:
        self.board = board
        self.progress = progress
        self._lookahead = Lookahead(board, searcher)
        self._replies = RepliesSearch(board, progress=progress)

    @property
    def takes(self) -> bool:
        """Whether the board is one on which attacks are searched."""
        return not self.board.misere and self.board.cells <= MOST_CELLS

    def watched(self, progress: Progress) -> None:
        """Let somebody be told how far the search has come."""
        self.progress = progress
        if "_search" in vars(self):
            self._search.progress = progress
        self._replies.progress = progress

    def employed(self, workers: Workers) -> None:
        """Let workers search the replies of long attacks; what is found does not depend on who does."""
        self._replies.workers = workers

    def kept_by(self, keep: Callable[[], None]) -> None:
        """Let somebody keep what was found whenever there is another answer about a reply."""
        self._replies.keep = keep

    @property
    def opened(self) -> int:
        """Attacking positions opened so far."""
        return (self._search.opened if "_search" in vars(self) else 0) + self._replies.opened

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
        return bool(self._replies.known) or ("_search" in vars(self) and any(True for _ in self._search.won()))

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
        arena = self._search.arena
        owner = arena.owners(position, player)
        drawn, picture, _ = arena.picture(owner)
        if not (drawn != field.DEAD).any():
            return False
        if position.to_move == player:
            return self._wins(picture, limit, deadline)
        if position.threats(opponent(player)):
            return False
        replies = tuple(np.flatnonzero(drawn == field.BLANK).tolist())
        stop = None if limit is None else self.opened + limit
        for after in dict.fromkeys(arena.after(owner, replies, field.DEFENDER)):
            found = self._wins(after, None if stop is None else stop - self.opened, deadline)
            if not found:
                return found
        return bool(replies)

    def _wins(self, picture: Picture, limit: int | None, deadline: float | None) -> bool | None:
        """Tell whether the attacker, to move, wins a picture: seen as it stands, or else reply by reply."""
        search = self._search
        if not self._replies.answers.get(picture):
            room = max(0, PATIENCE - search.opened_below(picture))
            here = room if limit is None else min(limit, room)
            before = search.opened
            found = search.wins(picture, limit=here, deadline=deadline)
            if found is not None or here == limit:
                return found
            limit = None if limit is None else limit - (search.opened - before)
        return self._replies.wins(picture, limit=limit, deadline=deadline)

    def found(self) -> tuple[list[tuple[Picture, Cell]], list[Picture]]:
        """Return the pictures that were found to be won, each with a move, and those that are not."""
        if "_search" not in vars(self):
            return [], []
        return list(self._search.won()), list(self._search.lost())

    def learn(self, won: Iterable[tuple[Picture, Cell]], lost: Iterable[Picture]) -> None:
        """Go on from what another search of this board has found."""
        self._search.learn(won, lost)

    def answers(self) -> Mapping[Picture, Sequence[ItemAnswer]]:
        """Return the answers about replies, for each position that was searched so: see `RepliesSearch`."""
        return self._replies.answers

    def take(self, answers: Mapping[Picture, Sequence[ItemAnswer]]) -> None:
        """Go on from the answers that another search of this board has kept."""
        self._replies.answers = {root: list(each) for root, each in answers.items()}

    def tree(self, position: Position, player: Player) -> AttackTree:
        """Return how a player forces a win, which `can_force` has found."""
        search = self._search
        if self._replies.known:
            search = AttackSearch(AttackBoard(self.board), progress=self.progress, known=self._replies.known)
        return AttackTree(search, position, player)
