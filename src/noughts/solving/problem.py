"""Problems for solving engines, and the offers of engines to solve them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from noughts.machine.budget import Estimate, Limits, Offer, Refusal
from noughts.machine.workers import SERIAL, Progress, Workers, silent
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.bounds import is_light
from noughts.solving.solution import Solution
from noughts.solving.values import PlyValues

MOST_CELLS = 400
"""Number of cells of the largest board on which an engine looks for threats and pairings."""
SEARCHED_CELLS = 64
"""Number of cells of the largest board that is searched as a whole; larger ones get a short search first."""
FAR_BLANKS = 36
"""Search settles a position with more blanks than this within a quarter of a million positions, or hardly ever."""

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class SearchBudget:
    """Limits on the number of positions that a search may open, and on its time; None sets no limit.

    A value that is not found within the budget is absent. A position is far with more than FAR_BLANKS blanks.

    Parameters
    ----------
    position:
        limit for the value of one position
    moves:
        limit for the values of its moves
    far_moves:
        the same for the moves of a far position
    whole:
        limit for all values together
    far:
        limit for the value of a far position, unless blocking is likely to stop both players; it also limits the
        search for the moves where the value was not found
    seconds:
        time for one position
    deadline:
        end of the time for all positions, on the monotonic clock
    """

    position: int | None = None
    moves: int | None = 8_000_000
    far_moves: int | None = 1_600_000
    whole: int | None = None
    far: int | None = None
    seconds: float | None = None
    deadline: float | None = None

    def for_value(self, position: Position, spent: int) -> int | None:
        """Return how many positions a search may open for the value of one, after `spent` positions in all."""
        is_hopeless = is_far(position) and not all(is_light(position, player) for player in ("X", "O"))
        far = self.far if is_hopeless else None
        return _least(self.position, far, self._rest(spent))

    def for_moves(self, position: Position, spent: int, *, settled: bool) -> int | None:
        """Return the same for the values of its moves; `settled`: the value of the position itself is known."""
        far = (self.far_moves, None if settled else self.far) if is_far(position) else ()
        return _least(self.moves, *far, self._rest(spent))

    def until(self) -> float | None:
        """Return when a search that begins now must end, on the monotonic clock."""
        return _least(self.deadline, None if self.seconds is None else time.monotonic() + self.seconds)

    def _rest(self, spent: int) -> int | None:
        return None if self.whole is None else max(0, self.whole - spent)


def is_far(position: Position) -> bool:
    """Tell whether a position has so many blanks that plain search hardly ever settles it."""
    return position.blanks.bit_count() > FAR_BLANKS


def _least(*bounds: Number | None) -> Number | None:
    return min((bound for bound in bounds if bound is not None), default=None)


@dataclass(frozen=True)
class Problem:
    """A problem: the value of one position, the values of all positions, or only their distribution.

    Parameters
    ----------
    board:
        the board
    start:
        the position to solve; None for all positions
    remoteness:
        True asks for the plies to the end, False for values only, None for the cheaper of both
    remoteness_preferred:
        whether an engine that gives the plies is preferred to a cheaper one
    counts_only:
        asks for the distribution of values by ply only
    search:
        limits of a search
    carried:
        whether a value that the package carries may be given; a named engine finds it again
    """

    board: Board
    start: Position | None = None
    remoteness: bool | None = None
    remoteness_preferred: bool = False
    counts_only: bool = False
    search: SearchBudget = SearchBudget()
    carried: bool = True


@dataclass
class Watch:
    """The surroundings of a search: its progress function, its workers, and a function that saves its results."""

    progress: Progress = silent
    workers: Workers = SERIAL
    keep: Callable[[], None] = lambda: None

    def tell(self, done: int, whole: int, what: str) -> None:
        """Report the progress of a search, and save its results."""
        self.progress(done, whole, what)
        self.keep()


def _no_counts(workers: Workers, progress: Progress) -> tuple[PlyValues, ...]:
    raise AssertionError("an offer to solve a problem without counts was asked to count")


@dataclass(frozen=True)
class SolvingOffer(Offer):
    """An engine's offer to solve a problem: an estimate within the limits, and the prepared work.

    `count_values` gives the distribution by ply for a problem with `counts_only`. `missing` names preferred results
    that the engine does not give.
    """

    solve: Callable[[Workers, Progress], Solution]
    count_values: Callable[[Workers, Progress], tuple[PlyValues, ...]] = _no_counts


Offering = Callable[[Problem, Limits], SolvingOffer | Refusal]
"""The function of an engine that makes an offer within the limits, or refuses with a reason."""


def too_large(problem: Problem, engine: str, estimate: Estimate, limits: Limits) -> Refusal:
    """Return the refusal of an engine that needs more memory or time."""
    reason = f"{problem.board} needs {estimate} by the engine {engine}, over the budget of {limits.broken_by(estimate)}"
    return Refusal(engine, reason, estimate)
