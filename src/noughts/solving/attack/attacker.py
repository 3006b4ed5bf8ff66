"""Finds whether a player can force a win by threats; one object for each board remembers what it has settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noughts.kernels.search import threats as field
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Player, opponent
from noughts.rules.position import Position
from noughts.solving.attack.board import AttackBoard, Lookahead, Picture
from noughts.solving.attack.replies import ItemAnswer, RepliesSearch
from noughts.solving.attack.search import AttackSearch
from noughts.solving.attack.tree import AttackTree
from noughts.solving.problem import Watch

if TYPE_CHECKING:
    from noughts.solving.transposition import Searcher

PATIENCE = 500
"""Attacking positions opened below one before the replies to its moves are proved one by one."""


class Attacker:
    """Finds whether a player can force a win, on boards of up to MOST_CELLS cells, not under misere.

    The `searcher`, if given, looks ahead by plain search. Memory is allocated, and kernels are loaded, at first use.
    The workers of the `watch` prove reply by reply what the first search does not settle.
    """

    def __init__(self, board: Board, watch: Watch | None = None, searcher: Searcher | None = None) -> None:
        self.board = board
        self.watch = watch or Watch()
        self._lookahead = Lookahead(board, searcher)
        self._replies = RepliesSearch(board, self.watch)
        self._tree: tuple[tuple[Position, Player], AttackTree] | None = None

    @property
    def opened(self) -> int:
        """Number of attacking positions opened so far."""
        return (self._search.opened if "_search" in vars(self) else 0) + self._replies.opened

    @property
    def searched(self) -> int:
        """Number of positions that plain search opened so far."""
        return self._lookahead.searched

    def looks_ahead(self, position: Position) -> bool:
        """Whether plain search looks at a position."""
        return self._lookahead.takes(position.blanks.bit_count())

    @property
    def has_won_some(self) -> bool:
        """Whether any position was found to be won so far."""
        return bool(self._replies.known) or ("_search" in vars(self) and any(True for _ in self._search.won()))

    @cached_property
    def _search(self) -> AttackSearch:
        return AttackSearch(AttackBoard(self.board), progress=self.watch.tell, lookahead=self._lookahead)

    def can_force(
        self, position: Position, player: Player, *, limit: int | None = None, deadline: float | None = None
    ) -> bool | None:
        """Tell whether a player can force a win from an open position; both answers are exact.

        None after `limit` attacking positions without an answer, or soon after the `deadline` on the monotonic clock.
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
        """Tell whether the attacker, to move, wins a picture: by one search, or else reply by reply."""
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

    def found(self) -> tuple[list[tuple[Picture, Cell]], list[Picture], Mapping[Picture, Sequence[ItemAnswer]]]:
        """Return the won pictures, each with a move, the lost pictures, and the answers about replies."""
        if "_search" not in vars(self):
            return [], [], self._replies.answers
        return list(self._search.won()), list(self._search.lost()), self._replies.answers

    def learn(
        self,
        won: Iterable[tuple[Picture, Cell]],
        lost: Iterable[Picture] = (),
        answers: Mapping[Picture, Sequence[ItemAnswer]] | None = None,
    ) -> None:
        """Take over the results of another search of this board."""
        self._search.learn(won, lost)
        self._replies.answers.update({root: list(each) for root, each in (answers or {}).items()})

    def tree(self, position: Position, player: Player) -> AttackTree:
        """Return the attack by which a player forces a win, after `can_force` found it; the last one is kept."""
        if self._tree is None or self._tree[0] != (position, player):
            search = self._search
            if self._replies.known:
                search = AttackSearch(AttackBoard(self.board), progress=self.watch.tell, known=self._replies.known)
            self._tree = (position, player), AttackTree(search, position, player, self.watch.workers)
        return self._tree[1]
