"""Solutions by search: one position at a time, on boards too large for tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Player, Position, opponent
from noughts.machine.budget import is_over
from noughts.machine.progress import Progress, silent
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import why_not
from noughts.solving.problem import SearchBudget, is_far
from noughts.solving.published import and_known
from noughts.solving.seeking import Round, SeekingSolution
from noughts.solving.settling import ATTACK_COST, LIKELY, Settler
from noughts.solving.solution import Evaluation, MoveValue
from noughts.solving.weak.stopper import Stopper

__all__ = ["SearchSolution"]

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
