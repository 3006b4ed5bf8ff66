"""Engine `blocking`: draws, on boards of up to 400 cells, where each player can stop the other by blocking alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.workers import Progress, Workers, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Player, opponent
from noughts.rules.position import Position
from noughts.solving.bounds import why_not
from noughts.solving.problem import MOST_CELLS, SEARCHED_CELLS, Problem, SearchBudget, SolvingOffer, too_large
from noughts.solving.published import and_known
from noughts.solving.seeking import Round, SeekingSolution
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.weak.stopper import Stopper, Stopping

if TYPE_CHECKING:
    from noughts.solving.attack.attacker import Attacker

__all__ = ["NAME", "BlockingSolution", "offer"]

NAME = "blocking"
GUESS_SECONDS = 60.0
"""More than the search takes, which finds these draws as well on the boards that it takes."""
MEMORY = 500_000_000
PLAYERS: tuple[Player, Player] = ("X", "O")
CHILD_LIMIT = 2_000
"""Families opened for the value of a move."""


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer a solution that knows draws alone: where neither player can complete a line against mere blocking."""
    board = problem.board
    if board.misere:
        return Refusal(NAME, "the engine blocking stops lines, and under misere they lose")
    if board.cells > MOST_CELLS:
        why = f"the engine blocking takes boards of up to {MOST_CELLS} cells, {board} has {board.cells:,}"
        return Refusal(NAME, why)
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
    deadline = budget.until()
    return all(
        why_not(position, player) or stopper.stops(position, player, limit=0, deadline=deadline) for player in PLAYERS
    )


class BlockingSolution(SeekingSolution):
    """Draws that blocking alone makes; what is no such draw is not known to it."""

    engine = NAME
    line_is_cheap = False
    _left_behind = ("_stopper",)

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        stopper: Stopper | None = None,
        progress: Progress = silent,
    ) -> None:
        super().__init__(board, start, budget)
        vars(self).update(_stopper=stopper or Stopper(board, progress))

    _stopper: Stopper

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _stopper=Stopper(state["board"]))

    @property
    def nodes(self) -> int:
        """Families opened so far."""
        return self._stopper.opened

    def _evaluate_open(self, position: Position) -> Evaluation:
        found = self._seek(position, 0 if self.is_large else None, self._budget.until())
        if found is None:
            raise BudgetError(
                f"blocking alone was not seen to make {position} on {self.board} a draw after "
                f"{self._stopper.opened:,} positions: somebody may win, or threats of one's own are needed"
                f"{and_known(position)}"
            )
        return found

    @property
    def is_large(self) -> bool:
        """Whether the board is one on which nothing is searched."""
        return self.board.cells > SEARCHED_CELLS

    def _rounds(self, position: Position, *, settled: bool) -> Iterator[Round]:
        if self.is_large:
            for player in PLAYERS:
                self._stopper.stops(position, player, limit=0, deadline=self._budget.until())
            yield Round(0)
        else:
            yield Round(None if self._budget.moves is None else CHILD_LIMIT)

    def _seek(
        self, position: Position, limit: int | None, deadline: float | None, before: Evaluation | None = None
    ) -> Evaluation | None:
        key = (position.x, position.o)
        if key not in self._known:
            opened, reasons = self.nodes, []
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
            self._known[key] = Evaluation("draw", position.blanks.bit_count(), proof, self.nodes - opened)
        return self._known[key]

    def searches(self) -> tuple[Stopper, Attacker]:
        """Return the searches of the weak game and of attacks, with what they know."""
        from noughts.solving.attack.attacker import Attacker

        return self._stopper, Attacker(self.board, self._stopper.progress)
