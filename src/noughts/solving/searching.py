"""Can a player force a win? Plain search, the weak game and attacks by threats, in turns until one of them tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, NamedTuple

from noughts.machine.budget import is_over
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Player, opponent
from noughts.rules.position import Position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import is_light, why_not
from noughts.solving.problem import SearchBudget, is_far
from noughts.solving.published import and_known
from noughts.solving.seeking import Round, SeekingSolution
from noughts.solving.solution import Evaluation, MoveValue
from noughts.solving.transposition import Searcher
from noughts.solving.weak.stopper import Stopper, Stopping

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


# Solutions by search: one position at a time, on boards too large for tables.

BOUND_LIMIT = 1_000
"""Attacking positions opened to bound the length of a game whose winner plain search has found."""
MOVE_SHARES = (512, 64, 8, 1)
"""Every move is searched for a small share of these nodes first, those still open for a larger one."""
FIRST_ROUND = 1 << 16
"""The share of a move where there is no end; in every round after it there is eight times as much."""


class SearchSolution(SeekingSolution):
    """Values found by search when they are asked for: plain search, the weak game and attacks by threats in turns.

    Of a won game it is known within how many plies it ends, where an attack by threats was found, not in how many.
    """

    engine = "search"
    line_is_cheap = False
    _left_behind = ("_progress", "_settler")

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        slots: int = 1 << 22,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        progress: Progress = silent,
    ) -> None:
        super().__init__(board, start, budget)
        settler = Settler(board, slots=slots, progress=progress)
        vars(self).update(_slots=slots, _progress=progress, _settler=settler, _unbounded=set())

    _slots: int
    _progress: Progress
    _settler: Settler
    _unbounded: set[tuple[int, int]]

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _progress=silent, _settler=Settler(state["board"], slots=state["_slots"]))

    @property
    def nodes(self) -> int:
        """Positions opened so far."""
        return self._settler.nodes

    @property
    def spent(self) -> int:
        """What the searches have cost so far, in nodes of plain search."""
        return self._settler.spent

    def _evaluate_open(self, position: Position) -> Evaluation:
        budget, before = self._budget, self.nodes
        found = self._seek(position, budget.for_value(position, self.spent), budget.until())
        self._progress(1, 1, "positions searched")
        if found is None:
            way = "raise --time" if budget.is_timed else "ask noughts solve"
            raise BudgetError(
                f"{position} on {self.board} is not settled after {self.nodes - before:,} positions: {way}, or "
                f"ask about a later position{and_known(position)}"
            )
        return found

    def at_most(self, position: str | Position | None = None) -> int | None:
        """Return the plies within which a won game ends, where a search for an attack finds them; looked for once."""
        at = self._position(position)
        found, key = self.evaluate(at), (at.x, at.o)
        if found.outcome == "draw" or found.remoteness is not None or found.at_most is not None:
            return found.at_most
        attacker, nodes = self._settler.attacker, self._budget.for_value(at, self.spent)
        limit = BOUND_LIMIT if nodes is None else min(BOUND_LIMIT, nodes // ATTACK_COST)
        deadline = self._budget.until()
        may_tell = key not in self._unbounded and attacker.takes and limit and not is_over(deadline)
        if may_tell and attacker.can_force(at, found.outcome, limit=limit, deadline=deadline):
            self._known[key] = replace(found, at_most=attacker.tree(at, found.outcome).at_most())
        self._unbounded.add(key)
        return self._known[key].at_most

    def _has_cheap_line(self, position: Position) -> bool:
        known = self._known.get((position.x, position.o))
        return known is not None and known.at_most is not None

    def searches(self) -> tuple[Stopper, Attacker]:
        """Return the searches of the weak game and of attacks, with what they know."""
        return self._settler.stopper, self._settler.attacker

    def can_win(self, position: Position, player: Player, *, deadline: float | None = None) -> bool:
        """Tell by plain search whether a player can force a win. Raises BudgetError after the deadline."""
        if position.outcome is not None:
            return position.outcome == player
        found = self._settler.searcher.can_force(position, player, deadline=deadline)
        if found is None:
            raise BudgetError(f"{position} on {self.board} is not settled in time: raise --time{and_known(position)}")
        return found

    def line(self, position: str | Position | None = None) -> tuple[Cell, ...] | None:
        """Return one line of play to the end: where an attack wins, the loser holds out as long as it lets him."""
        at = self._position(position)
        if at.outcome is None and self._has_cheap_line(at):
            winner = self.evaluate(at).outcome
            assert winner != "draw"
            return self._settler.attacker.tree(at, winner).line()
        return super().line(at)

    def moves(self, position: str | Position | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, best first; None where the budget or the time ran out."""
        found = super().moves(position)
        self._progress(1, 1, "positions searched")
        return found

    def _winning_move(self, position: Position) -> Cell | None:
        if not self._has_cheap_line(position):
            return None
        return self._settler.attacker.tree(position, position.to_move).first()

    def _rounds(self, position: Position, *, settled: bool) -> Iterator[Round]:
        most = self._budget.for_moves(position, self.spent, settled=settled)
        if most is None:
            yield from (Round(FIRST_ROUND << 3 * turn) for turn in count())
            return
        stop = self.spent + most
        before = self._known.get((position.x, position.o))
        won = before is not None and before.outcome == position.to_move
        shares = (most // share for share in MOVE_SHARES)
        yield from (Round(each, stop) for each in ((LIKELY,) if won and is_far(position) else shares))

    def _seek(
        self, position: Position, limit: int | None, deadline: float | None, before: Evaluation | None = None
    ) -> Evaluation | None:
        key = (position.x, position.o)
        if key in self._known:
            return self._known[key]
        opened, spent, reasons = self.nodes, self.spent, []
        likely = None if before is None or not is_far(position) else before.outcome
        for player in self._asked(position, before):
            if before is not None and before.outcome != player == opponent(position.to_move):
                reasons.append(f"{player}: known from the position before")
                continue
            reason = why_not(position, player)
            if reason is None:
                left = None if limit is None else max(1, limit - (self.spent - spent))
                settled = self._settler.settle(position, player, left, deadline, threats_first=player == likely)
                if settled is None:
                    return None
                if settled.wins:
                    self._known[key] = Evaluation(player, None, settled.why, self.nodes - opened)
                    return self._known[key]
                reason = settled.why
            reasons.append(f"{player}: {reason}")
        proof = f"draw: neither player can force a win ({'; '.join(reasons)})"
        self._known[key] = Evaluation("draw", position.blanks.bit_count(), proof, self.nodes - opened)
        return self._known[key]

    def _asked(self, position: Position, before: Evaluation | None) -> tuple[Player, Player]:
        """Return the players in the order in which their wins are looked for: who is likely to win first."""
        mover, other = position.to_move, opponent(position.to_move)
        return (other, mover) if before is not None and before.outcome == other else (mover, other)
