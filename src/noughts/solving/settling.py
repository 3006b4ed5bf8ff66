"""Can a player force a win? Plain search, the weak game and attacks by threats, in turns until one of them tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from noughts.domain.board import Board
from noughts.domain.position import Player, Position
from noughts.machine.budget import is_over
from noughts.machine.progress import Progress, silent
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import is_light
from noughts.solving.problem import is_far
from noughts.solving.searcher import Searcher
from noughts.solving.weak.stopper import Stopper, Stopping

__all__ = ["ATTACK_COST", "LIKELY", "Settlement", "Settler"]

WEAK_COST = 4
"""Nodes of the limit that a family which Breaker opens counts for, for every line of the board."""
ATTACK_COST = 1 << 11
"""Nodes of the limit that an attacking position counts for: it is tried out by so many sequences of threats.

What plain search looks ahead for it is counted beside it."""


class _Patience(NamedTuple):
    """What each search is given in a first turn; in every turn after it gets twice as much."""

    nodes: int
    attacks: int
    families: int


NEAR = _Patience(1 << 18, 16, 256)
"""Where plain search settles most: few cells are blank."""
FAR = _Patience(1 << 16, 64, 2048)
"""Where it settles little."""
LIKELY = 1 << 19
"""Nodes that attacks are given before anything else where they are likely to win."""
SLICE = 16
"""Attacking positions of such a turn that are opened before it is reckoned what they cost."""
FAMILIES = 20_000
"""Families that blocking is given before anything else where cells are many and the lines are light."""
UNPROMISING = 16
"""A part of what attacks are given later where their first turn won no position at all."""


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
        self.attacker = Attacker(board, progress, self.searcher)
        self._weak_cost = max(1, WEAK_COST * len(board.lines))

    @property
    def nodes(self) -> int:
        """Positions opened so far."""
        return self.searcher.nodes + self.stopper.opened + self.attacker.opened

    @property
    def spent(self) -> int:
        """What the searches have cost so far, in nodes of plain search."""
        weak, attacks = self.stopper.opened * self._weak_cost, self.attacker.opened * ATTACK_COST
        return self.searcher.nodes + weak + attacks

    def settle(
        self,
        position: Position,
        player: Player,
        limit: int | None = None,
        deadline: float | None = None,
        *,
        threats_first: bool = False,
    ) -> Settlement | None:
        """Return whether a player can force a win from an open position, None where the limit or the deadline came.

        The three take turns, each longer than the last; what plain search finds in its first turn it finds alone. With
        `threats_first` attacks have a turn of LIKELY nodes before, and blocking one of FAMILIES where it is promising.
        The limit is in nodes of plain search: see WEAK_COST and ATTACK_COST.
        """
        held = self.stopper.known(position, player)
        if held is not None:
            return Settlement(False, held.why)
        purse = _Purse(limit, deadline)
        if threats_first and self.attacker.takes:
            wins = self._attack(position, player, purse)
            if wins is not None or not purse.has_some:
                return None if wins is None else _by_threats(player, wins=wins)
        weak_may_tell = self.attacker.takes
        if weak_may_tell and is_far(position) and is_light(position, player):
            found = self._stop(position, player, purse, FAMILIES)
            if isinstance(found, Stopping) or not purse.has_some:
                return Settlement(False, found.why) if isinstance(found, Stopping) else None
            weak_may_tell = found is not False
        turn = NEAR if self.attacker.looks_ahead(position) else FAR
        attack_may_tell = self.attacker.takes
        promising, factor = True, 1
        while True:
            nodes = purse.take(turn.nodes * factor, 1)
            wins = self.searcher.can_force(position, player, limit=nodes, deadline=deadline)
            if wins is not None:
                return Settlement(wins, f"win by search for {player}" if wins else "search")
            if attack_may_tell and purse.has_some:
                attacks = purse.take(turn.attacks * factor // (1 if promising else UNPROMISING), ATTACK_COST)
                searched = self.searcher.nodes
                wins = self.attacker.can_force(position, player, limit=attacks, deadline=deadline)
                purse.take(self.searcher.nodes - searched, 1)
                if wins is not None:
                    return _by_threats(player, wins=wins)
                promising = self.attacker.has_won_some
            if weak_may_tell and purse.has_some:
                found = self._stop(position, player, purse, turn.families * factor)
                if isinstance(found, Stopping):
                    return Settlement(False, found.why)
                weak_may_tell = found is not False
            if not purse.has_some:
                return None
            factor *= 2

    def _attack(self, position: Position, player: Player, purse: _Purse) -> bool | None:
        """Tell by attacks alone whether a player can force a win; None after LIKELY nodes."""
        most = LIKELY
        while most > 0 and purse.has_some:
            attacks, searched = purse.take(SLICE, ATTACK_COST), self.searcher.nodes
            wins = self.attacker.can_force(position, player, limit=attacks, deadline=purse.deadline)
            if wins is not None:
                return wins
            searched = purse.take(self.searcher.nodes - searched, 1)
            most -= attacks * ATTACK_COST + searched
        return None

    def _stop(self, position: Position, player: Player, purse: _Purse, families: int) -> Stopping | bool | None:
        """Ask whether blocking alone stops a player, within so many families; the answer is that of `stops`."""
        most = purse.take(families, self._weak_cost)
        return self.stopper.stops(position, player, limit=most, deadline=purse.deadline)


def _by_threats(player: Player, *, wins: bool) -> Settlement:
    return Settlement(wins, f"win by threats for {player}" if wins else "every attack fails")


class _Purse:
    """What is left of a limit, and the deadline."""

    def __init__(self, left: int | None, deadline: float | None) -> None:
        self._left, self.deadline = left, deadline

    def take(self, wanted: int, cost: int) -> int:
        """Return how many of what costs so much may be had, of so many wanted."""
        if self._left is None:
            return wanted
        spent = min(wanted * cost, self._left)
        self._left -= spent
        return spent // cost

    @property
    def has_some(self) -> bool:
        """Whether anything is left, of either."""
        return self._left != 0 and not is_over(self.deadline)
