"""What a solving engine is asked, and what it offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal
from noughts.machine.progress import Progress
from noughts.machine.workers import Workers
from noughts.solving.plies import PlyValues
from noughts.solving.solution import Solution

__all__ = ["FAR_BLANKS", "MOST_CELLS", "Offering", "Problem", "SearchBudget", "SolvingOffer", "too_large"]

MOST_CELLS = 400
"""Cells of the largest board on which threats and pairings are looked for."""
FAR_BLANKS = 36
"""A position with more blanks than this is settled within a quarter of a million positions, or hardly ever."""


@dataclass(frozen=True)
class SearchBudget:
    """Positions that a search may open: for the value of one, for the values of its moves, and in all; None: no end.

    `far` bounds the first where more than FAR_BLANKS cells are blank, and the second where that was not enough.
    `seconds` ends the search for the value of one position. What is not found within the budget is absent.
    """

    position: int | None = None
    moves: int = 8_000_000
    whole: int | None = None
    far: int | None = None
    seconds: float | None = None

    def for_value(self, position: Position, spent: int) -> int | None:
        """Return how many positions may be opened for the value of one when so many have been opened in all."""
        far = self.far if position.blanks.bit_count() > FAR_BLANKS else None
        rest = None if self.whole is None else max(0, self.whole - spent)
        return min((bound for bound in (self.position, far, rest) if bound is not None), default=None)

    def for_moves(self, position: Position, spent: int, *, settled: bool) -> int:
        """Return the same for the values of its moves; `settled` says that its own was found."""
        far = self.moves if settled or self.far is None or position.blanks.bit_count() <= FAR_BLANKS else self.far
        return min(self.moves, far, self.moves if self.whole is None else max(0, self.whole - spent))


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


def _no_counts(workers: Workers, progress: Progress) -> tuple[PlyValues, ...]:
    raise AssertionError("an offer to solve a problem without counts was asked to count")


@dataclass(frozen=True)
class SolvingOffer:
    """An engine's offer to solve a problem: what it takes, and the prepared work, which the workers do.

    The estimate fits the limits that were given. `count_values` gives the distribution by ply, where only counts are
    asked; `missing` names what was preferred and is not given.
    """

    engine: str
    estimate: Estimate
    solve: Callable[[Workers, Progress], Solution]
    count_values: Callable[[Workers, Progress], tuple[PlyValues, ...]] = _no_counts
    missing: tuple[str, ...] = ()


Offering = Callable[[Problem, Limits], SolvingOffer | Refusal]
"""How an engine is asked: it makes an offer that fits the limits, or says why not."""


def too_large(problem: Problem, engine: str, estimate: Estimate, limits: Limits) -> Refusal:
    """Return the refusal of an engine that could solve a problem with more memory or time."""
    reason = f"{problem.board} needs {estimate} by the engine {engine}, over the budget of {limits.broken_by(estimate)}"
    return Refusal(engine, reason, estimate)
