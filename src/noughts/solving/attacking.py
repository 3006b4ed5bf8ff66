"""Wins by attacks that leave the defender few replies, each with a line of play."""

from __future__ import annotations

import time
from typing import Any

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.machine.progress import Progress, silent
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import reason_not_to_win
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.solving.weak.stopper import Stopper

__all__ = ["SEARCHED_CELLS", "AttackSolution"]

SEARCHED_CELLS = 64
"""On boards with more cells a win is looked for before anything is offered, and moves are not valued one by one."""
FIRST_LOOK = (400, 3_000)
"""Attacking positions opened before it is offered: the first few, and the rest where any of these was won."""
LONG = 6
"""Where every line has so many cells, a large board is hardly ever won: a shorter look suffices."""
LONG_LOOK = 32
CHILD_LIMIT = 100
"""Attacking positions opened for the value of a move."""
COST = 100
"""Nodes of a search budget that an attacking position counts for: it is tried out by so many sequences of threats."""


class AttackSolution(Solution):
    """Wins by threats, with a line of play and the plies that it takes at most.

    Where every attack of both players fails, the game is drawn; the search may take long to see it.
    """

    engine = "threats"
    line_is_cheap = True

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        progress: Progress = silent,
    ) -> None:
        super().__init__(board, start)
        vars(self).update(_budget=budget, _attacker=Attacker(board, progress), _known={})

    _budget: SearchBudget
    _attacker: Attacker
    _known: dict[tuple[int, int], Evaluation]

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was found, without what the search has settled and whoever watches."""
        return {name: value for name, value in vars(self).items() if name != "_attacker"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _attacker=Attacker(state["board"]))

    @property
    def nodes(self) -> int:
        """Attacking positions opened so far."""
        return self._attacker.opened

    def watched(self, progress: Progress) -> AttackSolution:
        """Let somebody be told how far it has come; return it."""
        self._attacker.watched(progress)
        return self

    def first_look(self) -> Outcome | None:
        """Return the outcome of the start, None where a short search does not find it."""
        few, many = FIRST_LOOK
        if all(len(line) >= LONG for line in self.board.lines):
            few = LONG_LOOK
        if self.start.is_terminal:
            return self.start.outcome
        found = self._find(self.start, few)
        if found is None and self._attacker.has_won_some:
            found = self._find(self.start, many)
        return None if found is None else found.outcome

    def _evaluate_open(self, position: Position) -> Evaluation:
        nodes = self._budget.for_value(position, self.nodes * COST)
        found = self._find(position, None if nodes is None else max(1, nodes // COST), self._budget.seconds)
        if found is None:
            raise BudgetError(
                f"no attack was seen to win {position} on {self.board} after {self.nodes:,} attacking positions: raise "
                "--time, or leave out --engine"
            )
        return found

    def moves(self, position: str | Position | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover; None where a short search did not find it.

        On boards of more than SEARCHED_CELLS cells no move is searched: of a won position the one that was found wins.
        """
        at = self._position(position)
        if at.outcome is not None:
            return ()
        found = self._find(at, CHILD_LIMIT)
        winner = found.outcome if found is not None else None
        first = self._attacker.tree(at, at.to_move).line()[0] if winner == at.to_move else None
        values: list[tuple[Cell, Evaluation | None]] = []
        for cell in cells_of(at.blanks):
            value: Evaluation | None = None
            if at.play(cell).is_terminal:
                value = self.evaluate(at.play(cell))
            elif winner == opponent(at.to_move) or cell == first:
                value = Evaluation(found.outcome, None, "known from the position before") if found else None
            elif self.board.cells <= SEARCHED_CELLS:
                value = self._find(at.play(cell), CHILD_LIMIT)
            values.append((cell, value))
        return self._sorted_moves(at.to_move, values)

    def line(self, position: str | Position | None = None) -> tuple[Cell, ...] | None:
        """Return a line of play in which the loser holds out as long as the attack lets him; None of a draw."""
        at = self._position(position)
        if at.outcome is not None:
            return ()
        outcome = self.evaluate(at).outcome
        return None if outcome == "draw" else self._attacker.tree(at, outcome).line()

    def _find(self, position: Position, limit: int | None, seconds: float | None = None) -> Evaluation | None:
        """Return the evaluation of an open position; None after so many attacking positions, or seconds, a side."""
        key = (position.x, position.o)
        if key in self._known:
            return self._known[key]
        before, mover = self.nodes, position.to_move
        unsettled = False
        for player in (mover, opponent(mover)):
            if self._why_not(position, player):
                continue
            deadline = None if seconds is None else time.monotonic() + seconds
            wins = self._attacker.can_force(position, player, limit=limit, deadline=deadline)
            if wins:
                most = self._attacker.tree(position, player).at_most()
                proof = f"win by threats for {player}, in at most {most} {'ply' if most == 1 else 'plies'}"
                self._known[key] = Evaluation(player, None, proof, self.nodes - before, at_most=most)
                return self._known[key]
            unsettled = unsettled or wins is None
        if unsettled:
            return None
        why = "draw: neither player can force a win (every attack fails)"
        self._known[key] = Evaluation("draw", position.blanks.bit_count(), why, self.nodes - before)
        return self._known[key]

    def _why_not(self, position: Position, player: Player) -> str | None:
        if position.ply == 0 and player == "O":
            return "strategy stealing: the second player of an empty board never wins"
        return reason_not_to_win(position, player) if self.board.cells <= SEARCHED_CELLS else None

    def searches(self) -> tuple[Stopper, Attacker]:
        """Return the searches of the weak game and of attacks, with what they know."""
        return Stopper(self.board, self._attacker.progress), self._attacker
