"""Engine `blocking`: draws, on boards of up to 400 cells, where each player can stop the other by blocking alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Player, Position, opponent
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal
from noughts.machine.progress import Progress, silent
from noughts.machine.workers import Workers
from noughts.solving.bounds import why_not
from noughts.solving.problem import MOST_CELLS, Problem, SearchBudget, SolvingOffer, too_large
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.solving.weak.stopper import Stopper, Stopping
from noughts.solving.weak.tools import GROUP_LIMIT

if TYPE_CHECKING:
    from noughts.solving.attack.attacker import Attacker

__all__ = ["NAME", "BlockingSolution", "offer"]

NAME = "blocking"
GUESS_SECONDS = 60.0
"""More than the search takes, which finds these draws as well on the boards that it takes."""
MEMORY = 500_000_000
SEARCHED_CELLS = 64
"""On boards with more cells nothing is searched: what pairs do not settle at once is refused."""
PLAYERS: tuple[Player, Player] = ("X", "O")
CHILD_LIMIT = 2_000
"""Families opened for the value of a move."""


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer a solution that knows draws alone: where neither player can complete a line against mere blocking."""
    board = problem.board
    if board.misere:
        return Refusal(NAME, "the engine blocking stops lines, and under misere they lose")
    if board.cells > MOST_CELLS:
        return Refusal(NAME, f"the engine blocking takes boards of up to {MOST_CELLS} cells, {board} has {board.cells}")
    if problem.counts_only:
        return Refusal(NAME, "the engine blocking knows single positions only, not how all are distributed")
    if problem.remoteness:
        return Refusal(NAME, "the engine blocking knows draws, not the plies to the end of a won game")
    estimate = Estimate(MEMORY, GUESS_SECONDS, "time unknown before the search")
    if not limits.allow(estimate):
        return too_large(problem, NAME, estimate, limits)
    stopper, start = Stopper(board), problem.start or Position(board)
    if board.cells > SEARCHED_CELLS and not _is_seen(stopper, start, problem.search):
        place = f" of {start}" if start.ply else ""
        return Refusal(NAME, f"the engine blocking finds no pairs that guard every line{place} on {board}")

    def solve(workers: Workers, progress: Progress) -> Solution:
        stopper.progress = progress
        return BlockingSolution(board, problem.start, budget=problem.search, stopper=stopper)

    return SolvingOffer(NAME, estimate, solve, missing=("remoteness",) if problem.remoteness_preferred else ())


def _is_seen(stopper: Stopper, position: Position, budget: SearchBudget) -> bool:
    """Tell whether pairs show that a position is drawn."""
    if position.is_terminal:
        return True
    deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
    return all(
        why_not(position, player) or stopper.stops(position, player, limit=0, deadline=deadline) for player in PLAYERS
    )


class BlockingSolution(Solution):
    """Draws that blocking alone makes; what is no such draw is not known to it."""

    engine = NAME
    line_is_cheap = False

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        stopper: Stopper | None = None,
        progress: Progress = silent,
    ) -> None:
        super().__init__(board, start)
        vars(self).update(_budget=budget, _stopper=stopper or Stopper(board, progress), _known={})

    _budget: SearchBudget
    _stopper: Stopper
    _known: dict[tuple[int, int], Evaluation]

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was found, without the tables of the search."""
        return {name: value for name, value in vars(self).items() if name != "_stopper"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _stopper=Stopper(state["board"]))

    @property
    def nodes(self) -> int:
        """Families opened so far."""
        return self._stopper.opened

    def _evaluate_open(self, position: Position) -> Evaluation:
        seconds = self._budget.seconds
        deadline = None if seconds is None else time.monotonic() + seconds
        found = self._find(position, self._limit(None), deadline)
        if found is None:
            raise BudgetError(
                f"blocking alone was not seen to make {position} on {self.board} a draw after "
                f"{self._stopper.opened:,} positions: somebody may win, or threats of one's own are needed"
            )
        return found

    def moves(self, position: str | Position | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover; None where no draw was seen. Moves alike are valued once."""
        at = self._position(position)
        if at.outcome is not None:
            return ()
        if self.board.cells > SEARCHED_CELLS:
            for player in PLAYERS:
                self._stopper.stops(at, player, limit=0)
        group = self.board.group("board")
        found: list[tuple[Cell, Evaluation | None]] = []
        values: dict[tuple[int, int], Evaluation | None] = {}
        for cell in cells_of(at.blanks):
            child = at.play(cell)
            key = group.canonical(child.x, child.o) if group.order <= GROUP_LIMIT else (child.x, child.o)
            if key not in values:
                values[key] = self._evaluate_child(at, cell)
            found.append((cell, values[key]))
        return self._sorted_moves(at.to_move, found)

    def _evaluate_child(self, position: Position, cell: Cell) -> Evaluation | None:
        child = position.play(cell)
        return self.evaluate(child) if child.is_terminal else self._find(child, self._limit(CHILD_LIMIT), None)

    def _limit(self, limit: int | None) -> int | None:
        return 0 if self.board.cells > SEARCHED_CELLS else limit

    def _find(self, position: Position, limit: int | None, deadline: float | None) -> Evaluation | None:
        """Return that an open position is a draw, and why; None where that was not found."""
        key = (position.x, position.o)
        if key not in self._known:
            before, reasons = self.nodes, []
            mover = position.to_move
            for player in (opponent(mover), mover):
                why = why_not(position, player)
                if why is None:
                    found: Stopping | bool | None = self._stopper.known(position, player)
                    if found is None and (limit != 0 or position == self.start):
                        found = self._stopper.stops(position, player, limit=limit, deadline=deadline)
                    if not isinstance(found, Stopping):
                        return None
                    why = found.why
                reasons.append(f"{player}: {why}")
            proof = f"draw: neither player can force a win ({'; '.join(reversed(reasons))})"
            self._known[key] = Evaluation("draw", position.blanks.bit_count(), proof, self.nodes - before)
        return self._known[key]

    def searches(self) -> tuple[Stopper, Attacker]:
        """Return the searches of the weak game and of attacks, with what they know."""
        from noughts.solving.attack.attacker import Attacker

        return self._stopper, Attacker(self.board, self._stopper.progress)
