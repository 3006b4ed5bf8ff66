"""The stages of a search for a forced win: plain search, threats and blocking take turns until one finds the answer.

*Plain search* settles positions with few blanks. *Threats* are attacks that leave the defender few replies. *Blocking*
is the weak game, in which one player only keeps the other from every line. Each stage is built, with its kernels, at
first use.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from noughts.machine.budget import is_over
from noughts.rules.board import Board
from noughts.rules.marks import Player, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import Group
from noughts.solving.avoiding import avoids_by_pairs, mirror_of
from noughts.solving.bounds import is_light, live_lines
from noughts.solving.problem import Watch, is_far
from noughts.solving.weak.family import least_sets

if TYPE_CHECKING:
    from noughts.solving.attack.attacker import Attacker
    from noughts.solving.transposition import Searcher
    from noughts.solving.weak.family import Tools
    from noughts.solving.weak.stopper import Stopper, Stopping

Stage = Literal["threats", "blocking"]

WEAK_COST = 4
"""Cost of a family that Breaker opens, in nodes, for every line of the board."""
ATTACK_COST = 1 << 11
"""Cost of an attacking position in nodes, about the number of its sequences of threats.

The nodes of plain search for it are counted apart."""
ALONE_COST = 100
"""Cost of an attacking position where threats are the only stage."""


class _Turn(NamedTuple):
    """The share of each stage in the first turn; it doubles with every turn."""

    nodes: int
    attacks: int
    families: int


NEAR = _Turn(1 << 18, 16, 256)
"""Shares where few cells are blank, so plain search settles most."""
FAR = _Turn(1 << 16, 64, 2048)
"""Shares where plain search settles little."""
LIKELY = 1 << 19
"""Nodes of a first turn of attacks where they are likely to win."""
SLICE = 16
"""Attacking positions of such a turn that are opened between two updates of the cost."""
FAMILIES = 20_000
"""Families of a first turn of blocking where cells are many and the lines are light."""
UNPROMISING = 16
"""Divisor of the later shares of attacks where their first turn won no position."""


class Settlement(NamedTuple):
    """Whether a player can force a win, why, and the largest number of plies where an attack gives it."""

    wins: bool
    why: str
    at_most: int | None = None


class Stages:
    """Finds whether a player can force a win, by the stage that finds it first; all stages remember their results.

    Plain search takes boards of up to 64 cells, and is the only stage under misere. `only` names a single stage to use.
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
        """The search of attacks, which uses plain search to look ahead."""
        from noughts.solving.attack.attacker import Attacker

        return Attacker(self.board, self.watch, None if self.only else self.plain)

    @cached_property
    def stopper(self) -> Stopper:
        """The search of the weak game."""
        from noughts.solving.weak.stopper import Stopper

        return Stopper(self.board, self.watch.tell)

    @cached_property
    def avoiding(self) -> Tools:
        """The tools that choose pairs of cells by which a player avoids lines under misere."""
        from noughts.solving.weak.breaker import tools_for

        return tools_for(Group.trivial(self.board.cells), self.board.line_masks)

    def _opened(self) -> tuple[int, int, int]:
        """Return the numbers of positions that plain search, attacks and blocking have opened."""
        built = vars(self)
        return (
            self.plain.nodes if "plain" in built else 0,
            self.attacker.opened if "attacker" in built else 0,
            self.stopper.opened if "stopper" in built else 0,
        )

    @property
    def nodes(self) -> int:
        """Number of positions opened so far."""
        return sum(self._opened())

    @property
    def spent(self) -> int:
        """Cost of the searches so far, in nodes of plain search."""
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
        """Return whether a player can force a win from an open position; None after the limit or the deadline.

        The limit is in nodes of plain search. With `threats_first` attacks have the first turn, of LIKELY nodes. Where
        blocking is promising it has a turn of FAMILIES before the others.
        """
        allowance = _Allowance(limit, deadline)
        if self.only == "threats":
            return self._by_threats(position, player, allowance)
        held = self.stopper.known(position, player)
        if held is not None:
            return Settlement(False, held.why)
        if self.only == "blocking":
            found = None if limit == 0 else self._stop(position, player, allowance, None)
            return _stopped(found)
        if self.board.misere:
            return self.avoided(position, player) or self._search(position, player, limit, deadline)
        if threats_first:
            wins = self._attack(position, player, allowance)
            if wins is not None or not allowance.has_some:
                return None if wins is None else _attacked(player, wins=wins)
        may_stop = True
        if is_far(position) and is_light(position, player):
            found = self._stop(position, player, allowance, FAMILIES)
            if _stopped(found) or not allowance.has_some:
                return _stopped(found)
            may_stop = found is not False
        return self._in_turns(position, player, allowance, may_stop)

    def _in_turns(self, position: Position, player: Player, allowance: _Allowance, may_stop: bool) -> Settlement | None:
        """Give the three stages turns, each longer than the last; plain search begins."""
        turn = NEAR if self.attacker.looks_ahead(position) else FAR
        promising, factor = True, 1
        while True:
            found = self._search(position, player, allowance.take(turn.nodes * factor, 1), allowance.deadline)
            if found is not None:
                return found
            if allowance.has_some:
                attacks = allowance.take(turn.attacks * factor // (1 if promising else UNPROMISING), ATTACK_COST)
                searched = self.plain.nodes
                wins = self.attacker.can_force(position, player, limit=attacks, deadline=allowance.deadline)
                allowance.take(self.plain.nodes - searched, 1)
                if wins is not None:
                    return _attacked(player, wins=wins)
                promising = self.attacker.has_won_some
            if may_stop and allowance.has_some:
                stopping = self._stop(position, player, allowance, turn.families * factor)
                if _stopped(stopping):
                    return _stopped(stopping)
                may_stop = stopping is not False
            if not allowance.has_some:
                return None
            factor *= 2

    def bound(self, position: Position) -> str | None:
        """Return who cannot win a misere position whose value was not found, and why, if that is seen at once."""
        players: tuple[Player, ...] = ("X", "O") if self.board.misere else ()
        seen = ((player, self.avoided(position, player)) for player in players)
        return next((f"{player} cannot win, because {found.why}" for player, found in seen if found), None)

    def avoided(self, position: Position, player: Player) -> Settlement | None:
        """Return why a player cannot win under misere where it is seen that the opponent avoids every line."""
        avoider = opponent(player)
        if mirror_of(position, avoider) is not None:
            return Settlement(False, f"{avoider} avoids lines by mirroring")
        lines = least_sets(live_lines(position, avoider))
        if avoids_by_pairs(self.avoiding, lines, position, avoider) is not None:
            return Settlement(False, f"{avoider} avoids lines by pairs and weights")
        return None

    def _search(
        self, position: Position, player: Player, limit: int | None, deadline: float | None
    ) -> Settlement | None:
        wins = self.plain.can_force(position, player, limit=limit, deadline=deadline)
        return None if wins is None else Settlement(wins, f"win by search for {player}" if wins else "search")

    def _attack(self, position: Position, player: Player, allowance: _Allowance) -> bool | None:
        """Tell by attacks alone whether a player can force a win; None after LIKELY nodes."""
        most = LIKELY
        while most > 0 and allowance.has_some:
            attacks, searched = allowance.take(SLICE, ATTACK_COST), self.plain.nodes
            wins = self.attacker.can_force(position, player, limit=attacks, deadline=allowance.deadline)
            if wins is not None:
                return wins
            searched = allowance.take(self.plain.nodes - searched, 1)
            most -= attacks * ATTACK_COST + searched
        return None

    def _by_threats(self, position: Position, player: Player, allowance: _Allowance) -> Settlement | None:
        """Return the settlement by attacks alone; a win has a number of plies."""
        if is_over(allowance.deadline):
            return None
        limit = None if allowance.left is None else max(1, allowance.left // ALONE_COST)
        wins = self.attacker.can_force(position, player, limit=limit, deadline=allowance.deadline)
        if not wins:
            return None if wins is None else _attacked(player, wins=False)
        most = self.attacker.tree(position, player).at_most()
        plies = "1 ply" if most == 1 else f"{most} plies"
        return Settlement(True, f"win by threats for {player}, in at most {plies}", most)

    def _stop(
        self, position: Position, player: Player, allowance: _Allowance, families: int | None
    ) -> Stopping | bool | None:
        """Return whether blocking alone stops a player, within a number of families; see `Stopper.stops`."""
        most = allowance.left if families is None else allowance.take(families, self._weak_cost)
        return self.stopper.stops(position, player, limit=most, deadline=allowance.deadline)


def _attacked(player: Player, *, wins: bool) -> Settlement:
    return Settlement(wins, f"win by threats for {player}" if wins else "every attack fails")


def _stopped(found: Stopping | bool | None) -> Settlement | None:
    return Settlement(False, found.why) if found is not None and not isinstance(found, bool) else None


class _Allowance:
    """The part of a limit that is left, and the deadline."""

    def __init__(self, left: int | None, deadline: float | None) -> None:
        self.left, self.deadline = left, deadline

    def take(self, wanted: int, cost: int) -> int:
        """Take up to `wanted` items at a cost each from the limit; return how many it allows."""
        if self.left is None:
            return wanted
        spent = min(wanted * cost, self.left)
        self.left -= spent
        return spent // cost

    @property
    def has_some(self) -> bool:
        """Whether limit and deadline allow more work."""
        return self.left != 0 and not is_over(self.deadline)
