"""Can a player force a win? Plain search, the weak game and attacks by threats, in turns until one of them tells."""

from __future__ import annotations

import time
from dataclasses import dataclass

from noughts.domain.board import Board
from noughts.domain.position import Player, Position
from noughts.machine.progress import Progress, silent
from noughts.solving.attack.attacker import Attacker
from noughts.solving.searcher import Searcher
from noughts.solving.weak.stopper import Stopper, Stopping

__all__ = ["ATTACK_COST", "Settlement", "Settler"]

FIRST_TURN = 1 << 18
"""Nodes of plain search before the weak game and attacks are looked at."""
WEAK_COST = 1 << 7
"""Nodes of the limit that a family which Breaker opens counts for; it takes the time of about four times as many."""
ATTACK_COST = 1 << 11
"""Nodes of the limit that an attacking position counts for: it is tried out by so many sequences of threats."""


@dataclass(frozen=True)
class Settlement:
    """Whether a player can force a win, and how that is known, in words."""

    wins: bool
    why: str


class Settler:
    """Answers whether a player can force a win, by whichever of three searches sees it first; all remember.

    On boards of up to 64 cells. Under misere plain search is alone. `nodes` counts what all of them opened.
    """

    def __init__(self, board: Board, *, slots: int = 1 << 22, progress: Progress = silent) -> None:
        self.board = board
        self.searcher = Searcher(board, slots=slots, progress=progress)
        self.stopper = Stopper(board, progress)
        self.attacker = Attacker(board, progress)

    @property
    def nodes(self) -> int:
        """Positions opened so far."""
        return self.searcher.nodes + self.stopper.opened + self.attacker.opened

    def settle(
        self, position: Position, player: Player, limit: int | None = None, deadline: float | None = None
    ) -> Settlement | None:
        """Return whether a player can force a win from an open position, None where the limit or the deadline came.

        The three take turns, each longer than the last; what plain search finds in its first turn it finds alone. The
        limit is in nodes of plain search: see WEAK_COST and ATTACK_COST.
        """
        held = self.stopper.known(position, player)
        if held is not None:
            return Settlement(False, held.why)
        turn, left = FIRST_TURN, limit
        weak_may_tell = attack_may_tell = self.attacker.takes
        while True:
            share = turn if left is None else min(turn, left)
            wins = self.searcher.can_force(position, player, limit=share, deadline=deadline)
            if wins is not None:
                return Settlement(wins, f"win by search for {player}" if wins else "search")
            left = None if left is None else left - share
            if weak_may_tell and _goes_on(left, deadline):
                share = turn if left is None else min(turn, left)
                found = self.stopper.stops(position, player, limit=share // WEAK_COST, deadline=deadline)
                if isinstance(found, Stopping):
                    return Settlement(False, found.why)
                weak_may_tell = found is not False
                left = None if left is None else left - share
            if attack_may_tell and _goes_on(left, deadline):
                share = turn if left is None else min(turn, left)
                wins = self.attacker.can_force(position, player, limit=share // ATTACK_COST, deadline=deadline)
                if wins is not None:
                    return Settlement(wins, f"win by threats for {player}" if wins else "every attack fails")
                left = None if left is None else left - share
            if not _goes_on(left, deadline):
                return None
            turn *= 2


def _goes_on(left: int | None, deadline: float | None) -> bool:
    return left != 0 and (deadline is None or time.monotonic() <= deadline)
