"""The stages of a search: who can force a win, by plain search, by threats and by blocking, in turns until one tells.

*Plain search* settles positions with few blanks. *Threats* are attacks that leave the defender few replies. *Blocking*
is the weak game, in which one player only keeps the other from every line. Each is built, with its kernels, when it is
first needed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from noughts.machine.budget import is_over
from noughts.rules.board import Board
from noughts.rules.marks import Player
from noughts.rules.position import Position
from noughts.solving.bounds import is_light
from noughts.solving.problem import Watch, is_far

if TYPE_CHECKING:
    from noughts.solving.attack.attacker import Attacker
    from noughts.solving.transposition import Searcher
    from noughts.solving.weak.stopper import Stopper, Stopping

Stage = Literal["threats", "blocking"]

WEAK_COST = 4
"""Nodes of the limit that a family which Breaker opens counts for, for every line of the board."""
ATTACK_COST = 1 << 11
"""Nodes of the limit that an attacking position counts for: it is tried out by so many sequences of threats.

What plain search looks ahead for it is counted beside it."""
ALONE_COST = 100
"""The same where threats are the only stage."""


class _Turn(NamedTuple):
    """What each stage is given in a first turn; in every turn after it gets twice as much."""

    nodes: int
    attacks: int
    families: int


NEAR = _Turn(1 << 18, 16, 256)
"""Where plain search settles most: few cells are blank."""
FAR = _Turn(1 << 16, 64, 2048)
"""Where it settles little."""
LIKELY = 1 << 19
"""Nodes that attacks are given before anything else where they are likely to win."""
SLICE = 16
"""Attacking positions of such a turn that are opened from one count of what they cost to the next."""
FAMILIES = 20_000
"""Families that blocking is given before anything else where cells are many and the lines are light."""
UNPROMISING = 16
"""A part of what attacks are given later where their first turn won no position at all."""


class Settlement(NamedTuple):
    """Whether a player can force a win, how that is known, and within how many plies where an attack tells."""

    wins: bool
    why: str
    at_most: int | None = None


class Stages:
    """Answers whether a player can force a win, by the stage that sees it first; all remember what they found.

    Plain search takes boards of up to 64 cells, and is alone under misere. With `only` one stage is at work.
    """

    def __init__(
        self, board: Board, only: Stage | None = None, *, slots: int = 1 << 22, watch: Watch | None = None
    ) -> None:
        self.board, self.only, self.slots, self.watch = board, only, slots, watch or Watch()
        self._attack_cost = ALONE_COST if only else ATTACK_COST
        self._weak_cost = 1 if only else max(1, WEAK_COST * len(board.lines))

    @cached_property
    def plain(self) -> Searcher:
        """Plain search, with its table."""
        from noughts.solving.transposition import Searcher

        return Searcher(self.board, slots=self.slots, progress=self.watch.tell)

    @cached_property
    def attacker(self) -> Attacker:
        """The search of attacks, which asks plain search ahead."""
        from noughts.solving.attack.attacker import Attacker

        return Attacker(self.board, self.watch, None if self.only else self.plain)

    @cached_property
    def stopper(self) -> Stopper:
        """The search of the weak game."""
        from noughts.solving.weak.stopper import Stopper

        return Stopper(self.board, self.watch.tell)

    def _opened(self) -> tuple[int, int, int]:
        """Return the positions that plain search, attacks and blocking have opened."""
        built = vars(self)
        return (
            self.plain.nodes if "plain" in built else 0,
            self.attacker.opened if "attacker" in built else 0,
            self.stopper.opened if "stopper" in built else 0,
        )

    @property
    def nodes(self) -> int:
        """Positions opened so far."""
        return sum(self._opened())

    @property
    def spent(self) -> int:
        """What the searches have cost so far, in nodes of plain search."""
        nodes, attacks, families = self._opened()
        return nodes + attacks * self._attack_cost + families * self._weak_cost

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

        The limit is in nodes of plain search. With `threats_first` attacks have a turn of LIKELY nodes before the
        others, and blocking one of FAMILIES where it is promising.
        """
        purse = _Purse(limit, deadline)
        if self.only == "threats":
            return self._by_threats(position, player, purse)
        held = self.stopper.known(position, player)
        if held is not None:
            return Settlement(False, held.why)
        if self.only == "blocking":
            found = None if limit == 0 else self._stop(position, player, purse, None)
            return _stopped(found)
        if self.board.misere:
            return self._search(position, player, limit, deadline)
        if threats_first:
            wins = self._attack(position, player, purse)
            if wins is not None or not purse.has_some:
                return None if wins is None else _attacked(player, wins=wins)
        may_stop = True
        if is_far(position) and is_light(position, player):
            found = self._stop(position, player, purse, FAMILIES)
            if _stopped(found) or not purse.has_some:
                return _stopped(found)
            may_stop = found is not False
        return self._in_turns(position, player, purse, may_stop)

    def _in_turns(self, position: Position, player: Player, purse: _Purse, may_stop: bool) -> Settlement | None:
        """Let the three take turns, each longer than the last; what plain search finds in its first it finds alone."""
        turn = NEAR if self.attacker.looks_ahead(position) else FAR
        promising, factor = True, 1
        while True:
            found = self._search(position, player, purse.take(turn.nodes * factor, 1), purse.deadline)
            if found is not None:
                return found
            if purse.has_some:
                attacks = purse.take(turn.attacks * factor // (1 if promising else UNPROMISING), ATTACK_COST)
                searched = self.plain.nodes
                wins = self.attacker.can_force(position, player, limit=attacks, deadline=purse.deadline)
                purse.take(self.plain.nodes - searched, 1)
                if wins is not None:
                    return _attacked(player, wins=wins)
                promising = self.attacker.has_won_some
            if may_stop and purse.has_some:
                stopping = self._stop(position, player, purse, turn.families * factor)
                if _stopped(stopping):
                    return _stopped(stopping)
                may_stop = stopping is not False
            if not purse.has_some:
                return None
            factor *= 2

    def _search(
        self, position: Position, player: Player, limit: int | None, deadline: float | None
    ) -> Settlement | None:
        wins = self.plain.can_force(position, player, limit=limit, deadline=deadline)
        return None if wins is None else Settlement(wins, f"win by search for {player}" if wins else "search")

    def _attack(self, position: Position, player: Player, purse: _Purse) -> bool | None:
        """Tell by attacks alone whether a player can force a win; None after LIKELY nodes."""
        most = LIKELY
        while most > 0 and purse.has_some:
            attacks, searched = purse.take(SLICE, ATTACK_COST), self.plain.nodes
            wins = self.attacker.can_force(position, player, limit=attacks, deadline=purse.deadline)
            if wins is not None:
                return wins
            searched = purse.take(self.plain.nodes - searched, 1)
            most -= attacks * ATTACK_COST + searched
        return None

    def _by_threats(self, position: Position, player: Player, purse: _Purse) -> Settlement | None:
        """Tell by attacks alone, of which a win comes with a number of plies."""
        if is_over(purse.deadline):
            return None
        limit = None if purse.left is None else max(1, purse.left // ALONE_COST)
        wins = self.attacker.can_force(position, player, limit=limit, deadline=purse.deadline)
        if not wins:
            return None if wins is None else _attacked(player, wins=False)
        most = self.attacker.tree(position, player).at_most()
        plies = "1 ply" if most == 1 else f"{most} plies"
        return Settlement(True, f"win by threats for {player}, in at most {plies}", most)

    def _stop(self, position: Position, player: Player, purse: _Purse, families: int | None) -> Stopping | bool | None:
        """Ask whether blocking alone stops a player, within so many families; the answer is that of `stops`."""
        most = purse.left if families is None else purse.take(families, self._weak_cost)
        return self.stopper.stops(position, player, limit=most, deadline=purse.deadline)


def _attacked(player: Player, *, wins: bool) -> Settlement:
    return Settlement(wins, f"win by threats for {player}" if wins else "every attack fails")


def _stopped(found: Stopping | bool | None) -> Settlement | None:
    return Settlement(False, found.why) if found is not None and not isinstance(found, bool) else None


class _Purse:
    """What is left of a limit, and the deadline."""

    def __init__(self, left: int | None, deadline: float | None) -> None:
        self.left, self.deadline = left, deadline

    def take(self, wanted: int, cost: int) -> int:
        """Return how many of what costs so much may be had, of so many wanted."""
        if self.left is None:
            return wanted
        spent = min(wanted * cost, self.left)
        self.left -= spent
        return spent // cost

    @property
    def has_some(self) -> bool:
        """Whether anything is left, of either."""
        return self.left != 0 and not is_over(self.deadline)
