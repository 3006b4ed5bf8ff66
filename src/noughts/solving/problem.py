"""What a solving engine is asked, and what it offers."""

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
"""Cells of the largest board on which threats and pairings are looked for."""
SEARCHED_CELLS = 64
"""Cells of the largest board that is searched as a whole; on larger ones it is looked first whether there is hope."""
FAR_BLANKS = 36
"""A position with more blanks than this is settled within a quarter of a million positions, or hardly ever."""

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class SearchBudget:
    """Positions that a search may open: for the value of one, for the values of its moves, and in all; None: no end.

    `far` bounds the first where more than FAR_BLANKS cells are blank, unless blocking is likely to stop both players,
    and the second where that was not enough; `far_moves` bounds the second there. `seconds` ends the search for what is
    asked of one position, `deadline`, on the monotonic clock, that for all that is asked. What is not found within the
    budget is absent.
    """

    position: int | None = None
    moves: int | None = 8_000_000
    far_moves: int | None = 1_600_000
    whole: int | None = None
    far: int | None = None
    seconds: float | None = None
    deadline: float | None = None

    def for_value(self, position: Position, spent: int) -> int | None:
        """Return how many positions may be opened for the value of one when so many have been opened in all."""
        is_hopeless = is_far(position) and not all(is_light(position, player) for player in ("X", "O"))
        far = self.far if is_hopeless else None
        return _least(self.position, far, self._rest(spent))

    def for_moves(self, position: Position, spent: int, *, settled: bool) -> int | None:
        """Return the same for the values of its moves; `settled` says that its own was found."""
        far = (self.far_moves, None if settled else self.far) if is_far(position) else ()
        return _least(self.moves, *far, self._rest(spent))

    def until(self) -> float | None:
        """Return when a search that begins now has to end, on the monotonic clock."""
        return _least(self.deadline, None if self.seconds is None else time.monotonic() + self.seconds)

    def _rest(self, spent: int) -> int | None:
        return None if self.whole is None else max(0, self.whole - spent)


def is_far(position: Position) -> bool:
    """Tell whether plain search settles next to nothing of a position."""
    return position.blanks.bit_count() > FAR_BLANKS


def _least(*bounds: Number | None) -> Number | None:
    return min((bound for bound in bounds if bound is not None), default=None)


@dataclass(frozen=True)
class Problem:
    """What is asked of a board: the value of one position (`start`), of all, or only how they are distributed.

    `start` None asks for all positions. `remoteness`: True wants the plies to the end, False values only, None
    whatever is cheapest; with `remoteness_preferred` an engine that gives the plies goes before a cheaper one.
    `counts_only` asks for the distribution by ply, and no position.
    """

    board: Board
    start: Position | None = None
    remoteness: bool | None = None
    remoteness_preferred: bool = False
    counts_only: bool = False
    search: SearchBudget = SearchBudget()


@dataclass
class Watch:
    """Who is told how far a search has come, who does its work items, and what keeps what it has found."""

    progress: Progress = silent
    workers: Workers = SERIAL
    keep: Callable[[], None] = lambda: None

    def tell(self, done: int, whole: int, what: str) -> None:
        """Tell how far a search has come, and let what was found be kept."""
        self.progress(done, whole, what)
        self.keep()


def _no_counts(workers: Workers, progress: Progress) -> tuple[PlyValues, ...]:
    raise AssertionError("an offer to solve a problem without counts was asked to count")


@dataclass(frozen=True)
class SolvingOffer(Offer):
    """An engine's offer to solve a problem: what it takes, and the prepared work, which the workers do.

    The estimate fits the limits that were given. `count_values` gives the distribution by ply, where only counts are
    asked; `missing` names what was preferred and is not given.
    """

    solve: Callable[[Workers, Progress], Solution]
    count_values: Callable[[Workers, Progress], tuple[PlyValues, ...]] = _no_counts


Offering = Callable[[Problem, Limits], SolvingOffer | Refusal]
"""How an engine is asked: it makes an offer that fits the limits, or says why not."""


def too_large(problem: Problem, engine: str, estimate: Estimate, limits: Limits) -> Refusal:
    """Return the refusal of an engine that could solve a problem with more memory or time."""
    reason = f"{problem.board} needs {estimate} by the engine {engine}, over the budget of {limits.broken_by(estimate)}"
    return Refusal(engine, reason, estimate)
