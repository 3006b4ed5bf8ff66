"""Solutions by search: one position at a time, on boards too large for tables."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Player, Position, opponent
from noughts.machine.progress import Progress, silent
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import why_not
from noughts.solving.problem import SearchBudget
from noughts.solving.settling import ATTACK_COST, Settler
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.solving.weak.stopper import Stopper

__all__ = ["SearchSolution"]

GROUP_LIMIT = 200
BOUND_LIMIT = 1_000
"""Attacking positions opened to bound the length of a game whose winner plain search has found."""
MOVE_SHARES = (512, 64, 8, 1)
"""Every move is searched for a small share of these nodes first, those still open for a larger one."""


class SearchSolution(Solution):
    """Values found by search when they are asked for: plain search, the weak game and attacks by threats in turns.

    Of a won game it is known within how many plies it ends, where an attack by threats was found, not in how many.
    """

    engine = "search"
    line_is_cheap = False

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        slots: int = 1 << 22,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        progress: Progress = silent,
    ) -> None:
        super().__init__(board, start)
        settler = Settler(board, slots=slots, progress=progress)
        vars(self).update(
            _slots=slots, _budget=budget, _progress=progress, _settler=settler, _known={}, _unbounded=set()
        )

    _slots: int
    _budget: SearchBudget
    _progress: Progress
    _settler: Settler
    _known: dict[tuple[int, int], Evaluation]
    _unbounded: set[tuple[int, int]]

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was found, without the tables of settled nodes and whoever watches."""
        return {name: value for name, value in vars(self).items() if name not in ("_progress", "_settler")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _progress=silent, _settler=Settler(state["board"], slots=state["_slots"]))

    @property
    def nodes(self) -> int:
        """Positions opened so far."""
        return self._settler.nodes

    def _evaluate_open(self, position: Position) -> Evaluation:
        budget, before = self._budget, self.nodes
        deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        found = self._find(position, budget.for_value(position, before), deadline=deadline)
        self._progress(1, 1, "positions searched")
        if found is None:
            way = "raise --time" if budget.seconds is not None else "ask noughts solve"
            raise BudgetError(
                f"{position} on {self.board} is not settled after {self.nodes - before:,} positions: {way}, or "
                "ask about a later position"
            )
        return found

    def at_most(self, position: str | Position | None = None) -> int | None:
        """Return the plies within which a won game ends, where a search for an attack finds them; looked for once."""
        at = self._position(position)
        found, key = self.evaluate(at), (at.x, at.o)
        if found.outcome == "draw" or found.remoteness is not None or found.at_most is not None:
            return found.at_most
        attacker, nodes = self._settler.attacker, self._budget.for_value(at, self.nodes)
        limit = BOUND_LIMIT if nodes is None else min(BOUND_LIMIT, nodes // ATTACK_COST)
        if key not in self._unbounded and attacker.takes and limit:
            seconds = self._budget.seconds
            deadline = None if seconds is None else time.monotonic() + seconds
            if attacker.can_force(at, found.outcome, limit=limit, deadline=deadline):
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
            raise BudgetError(f"{position} on {self.board} is not settled in time: raise --time")
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
        """Return every move with its value for the mover, best first; None where the budget of nodes ran out.

        Moves that a symmetry of the position exchanges are searched once.
        """
        at = self._position(position)
        if at.outcome is not None:
            return ()
        group = self.board.group("board")
        children: dict[Cell, tuple[int, int]] = {}
        known: dict[tuple[int, int], Evaluation | None] = {}
        for cell in self._by_promise(at):
            child = at.play(cell)
            children[cell] = group.canonical(child.x, child.o) if group.order <= GROUP_LIMIT else (child.x, child.o)
            known.setdefault(children[cell], self.evaluate(child) if child.is_terminal else None)
        most = self._budget.for_moves(at, self.nodes, settled=(at.x, at.o) in self._known)
        stop = self.nodes + most
        for share in MOVE_SHARES:
            for cell, key in children.items():
                left = min(stop - self.nodes, most // share)
                if known[key] is None and left > 0:
                    known[key] = self._child(at, at.play(cell), left)
        self._progress(1, 1, "positions searched")
        return self._sorted_moves(at.to_move, [(cell, known[key]) for cell, key in sorted(children.items())])

    def _by_promise(self, position: Position) -> list[Cell]:
        """Return the blanks, those on most live lines first, so that the budget goes to likely moves."""
        lines = [line for line in self.board.line_masks if not (line & position.x and line & position.o)]
        return sorted(cells_of(position.blanks), key=lambda cell: -sum(line >> cell & 1 for line in lines))

    def _child(self, parent: Position, child: Position, limit: int) -> Evaluation | None:
        worst = self._known.get((parent.x, parent.o))
        if worst is not None and worst.outcome == child.to_move:
            return Evaluation(child.to_move, None, "every move loses")
        if worst is None:
            return self._find(child, limit)
        hope = worst.outcome == parent.to_move
        return self._find(child, limit, mover_may_lose=hope, likely=parent.to_move if hope else None)

    def _find(
        self,
        position: Position,
        limit: int | None,
        *,
        mover_may_lose: bool = True,
        likely: Player | None = None,
        deadline: float | None = None,
    ) -> Evaluation | None:
        """Return the evaluation of an open position, or None after so many nodes or the deadline.

        `mover_may_lose` False says that the opponent of the side to move is known not to win. The player who is
        `likely` to win is asked about first.
        """
        key = (position.x, position.o)
        if key in self._known:
            return self._known[key]
        before = self.nodes
        reasons = []
        mover, other = position.to_move, opponent(position.to_move)
        for player in (other, mover) if likely == other else (mover, other):
            if player == other and not mover_may_lose:
                reasons.append(f"{player}: known from the position before")
                continue
            reason = why_not(position, player)
            if reason is None:
                left = None if limit is None else max(1, limit - (self.nodes - before))
                settled = self._settler.settle(position, player, left, deadline)
                if settled is None:
                    return None
                if settled.wins:
                    self._known[key] = Evaluation(player, None, settled.why, self.nodes - before)
                    return self._known[key]
                reason = settled.why
            reasons.append(f"{player}: {reason}")
        proof = f"draw: neither player can force a win ({'; '.join(reasons)})"
        self._known[key] = Evaluation("draw", position.blanks.bit_count(), proof, self.nodes - before)
        return self._known[key]
