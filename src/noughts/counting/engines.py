"""The table of engines, and the choice among them: the cheapest offer that fits the limits."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from noughts.counting.census import COLUMNS, GAME_COLUMNS, Census
from noughts.counting.offers import CountingOffer, Engine, Request, Run
from noughts.counting.question import Question
from noughts.domain.arguments import text_of
from noughts.domain.errors import BudgetError, InvalidQuestion, shown
from noughts.domain.spelling import offered
from noughts.machine.budget import Estimate, Limits, disk_room
from noughts.machine.offers import Refusal, cheapest
from noughts.machine.progress import Progress, silent
from noughts.machine.workers import Workers, workers_for

__all__ = ["ENGINES", "Row", "answer", "choose", "offers", "refused", "row_of"]


@dataclass(frozen=True)
class Row:
    """An engine: the name that --engine takes, and what loads it, which is done when it is asked.

    Engines of one `kin` share their counting, so that they are no judges of each other. A `witness` is asked for a
    second opinion, or by name, but never first: another does the same for less. Where no engine can, the reasons of
    those that `tell` are given: they reach furthest, each in its way. An engine that is `named` is another asked for
    the `wanted` columns only, of which it makes an offer of its own accord where the others do not fit. One that is
    `compiled` is not asked, and nothing of it loaded, where that alone takes longer than may be. One that counts
    `by_table` takes players who are held to the moves of a table; the others are not asked about them.
    """

    name: str
    load: Callable[[], Engine]
    kin: str
    compiled: bool = False
    any_game: bool = False
    witness: bool = False
    tells: bool = False
    named: bool = False
    wanted: tuple[str, ...] = COLUMNS
    by_table: bool = False

    def offer(self, request: Request, limits: Limits) -> CountingOffer | Refusal:
        """Return the engine's answer; only one for `any_game` is asked about what is no marking game."""
        other = request.question.other
        if other is not None and not self.any_game:
            why = "counts marking games only (two marks in turn, on any blank cell, until a line), and"
            return Refusal(self.name, f"the engine {self.name} {why} {other} is none")
        if request.question.is_played and not self.by_table:
            return Refusal(
                self.name, f"the engine {self.name} counts games under rules, and a player is held to a table"
            )
        if request.question.starts != "X":
            from noughts.counting.starts import offer_by_turns

            return offer_by_turns(self.offer, request, limits)
        if self.compiled and limits.seconds < LOADING:
            return Refusal(self.name, "it takes too long to load", Estimate(0, LOADING, "the time to load it", True))
        return self.load()(request, limits)


LOADING = 0.8
"""Seconds that it takes at least to load NumPy and compiled kernels."""


def _plain() -> Engine:
    from noughts.counting.plain import offer

    return offer


def _played() -> Engine:
    from noughts.counting.played import offer

    return offer


def _layered() -> Engine:
    from noughts.counting.layers.engine import offer

    return offer


def _streamed() -> Engine:
    from noughts.counting.streamed.engine import offer

    return offer


def _inclusion() -> Engine:
    from noughts.counting.sets.inclusion import offer

    return offer


def _subset() -> Engine:
    from noughts.counting.sets.subset import offer

    return offer


def _frontier() -> Engine:
    from noughts.counting.frontier.engine import offer

    return offer


def _points() -> Engine:
    from noughts.counting.points.engine import offer

    return offer


def _transfer_points() -> Engine:
    from noughts.counting.points.witness import offer

    return offer


def _transfer() -> Engine:
    from noughts.counting.transfer.engine import offer

    return offer


ENGINES = (
    Row("plain", _plain, "plain", any_game=True, by_table=True),
    Row("played", _played, "played", by_table=True),
    Row("layered", _layered, "layered", tells=True),
    Row("streamed", _streamed, "streamed", compiled=True, tells=True),
    Row("inclusion", _inclusion, "inclusion", tells=True),
    Row("subset", _subset, "subset", compiled=True),
    Row("frontier", _frontier, "frontier", compiled=True, tells=True),
    Row("games", _frontier, "frontier", compiled=True, named=True, wanted=GAME_COLUMNS),
    Row("points", _points, "frontier", compiled=True, tells=True),
    Row("points-games", _points, "frontier", compiled=True, named=True, wanted=GAME_COLUMNS),
    Row("transfer", _transfer, "transfer", compiled=True, witness=True),
    Row("transfer-games", _transfer, "transfer", compiled=True, named=True, wanted=GAME_COLUMNS),
    Row("transfer-points", _transfer_points, "transfer", compiled=True, witness=True),
)
"""All engines. Those whose estimate takes time come last."""


def row_of(name: str) -> Row:
    """Return an engine by name. Raises InvalidQuestion for an unknown one."""
    text_of("the engine", name)
    for row in ENGINES:
        if row.name == name:
            return row
    names = [row.name for row in ENGINES]
    raise InvalidQuestion(f"there is no engine {shown(name)}: there are {offered(name, names)}")


def offers(
    request: Request, limits: Limits, *, without: Collection[str] = (), witness: bool = False
) -> tuple[CountingOffer | None, list[Refusal]]:
    """Return the offer of the engine that takes the least time, and why others refuse.

    One that leaves a wanted column empty only where no other fits. Not asked are engines of a kin to do `without`, and
    the witnesses, unless with `witness`.
    """
    asked = (row for row in ENGINES if not row.named and row.kin not in without and (witness or not row.witness))
    return cheapest([partial(row.offer, request) for row in asked], limits)


def choose(
    question: Question, limits: Limits, *, engine: str | None = None, progress: Progress = silent
) -> CountingOffer:
    """Return the best offer within the limits, or that of the engine named; reckoning it may take a while.

    Raises InvalidQuestion, BudgetError.
    """
    if engine is None:
        best, refusals = offers(Request(question, progress=progress), limits)
        if best is None:
            raise refused(question, limits, refusals)
        return best
    row = row_of(engine)
    found = row.offer(Request(question, row.wanted, strict=True, progress=progress), limits)
    if not isinstance(found, Refusal):
        return found
    if found.estimate is None:
        raise BudgetError(f"{found.reason}: leave out --engine, or try a smaller board")
    raise refused(question, limits, [found])


def refused(question: Question, limits: Limits, refusals: list[Refusal]) -> BudgetError:
    """Return the error that says what the question would take at least, or why no engine can answer it."""
    parts = [refusal.part for refusal in refusals if refusal.part is not None]
    over = [(refusal.engine, refusal.estimate) for refusal in refusals + parts if refusal.estimate is not None]
    if over:
        engine, estimate = min(over, key=lambda pair: _excess(pair[1], limits))
        return BudgetError(_over(question, engine, estimate, limits))
    telling = [row.name for row in ENGINES if row.tells]
    reasons = "; ".join(dict.fromkeys(refusal.reason for refusal in refusals if refusal.engine in telling))
    return BudgetError(f"no engine can answer this on {question.board}, try a smaller board: {reasons}")


def _excess(estimate: Estimate, limits: Limits) -> tuple[float, int]:
    """Return how many times over the limits an estimate is; one that was cut short counts ten times."""
    times = max(estimate.memory / limits.memory, estimate.seconds / max(limits.seconds, 0.001))
    if estimate.disk:
        times = max(times, estimate.disk / max(limits.disk, 1))
    return times * (10 if estimate.at_least else 1), estimate.memory


def _over(question: Question, engine: str, estimate: Estimate, limits: Limits) -> str:
    disk = "name a folder on a larger disk, " * (estimate.disk > limits.disk)
    return (
        f"{question.board} needs {estimate} by the engine {engine}, over the budget of {limits.broken_by(estimate)}: "
        f"{disk}raise --memory or --time, ask for fewer plies with --to-ply, or try a smaller board"
    )


def answer(
    question: Question,
    *,
    engine: str | None = None,
    limits: Limits | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    resume: Path | None = None,
) -> Census:
    """Return the census of a question, checked against its conservation laws.

    The engine is chosen unless named. Its estimate is held against the limits before work starts; where not even an
    estimate is asked for, three quarters of the free memory. In the folder `resume` long work keeps its state, and what
    does not fit memory. Raises InvalidQuestion, BudgetError.
    """
    limits = Limits.of() if limits is None else limits
    if resume is not None:
        limits = replace(limits, disk=disk_room(resume), folder=resume)
    progress = progress or silent
    offer = choose(question, limits, engine=engine, progress=progress)
    return offer.count(Run(workers_for() if workers is None else workers, progress, resume))
