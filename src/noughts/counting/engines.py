"""The table of engines, and the choice among them: the cheapest that can answer the question within the budget."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Protocol, cast

from noughts.counting.census import Census
from noughts.counting.question import Question
from noughts.domain.errors import BudgetError, InvalidQuestion, shown
from noughts.machine.budget import Estimate, default_memory, format_duration, format_size

__all__ = [
    "ENGINES",
    "WITNESSES",
    "Engine",
    "Progress",
    "answer",
    "choose",
    "cost_of",
    "engine_named",
    "is_partial",
    "kin_of",
    "refusal_of",
]

Progress = Callable[[int, int, str], None]
"""Called with the work done, the work in all, and what is being done."""


class Engine(Protocol):
    """What a module must offer to be an engine."""

    @property
    def name(self) -> str:
        """The name that --engine takes."""

    def refusal(self, question: Question) -> str | None:
        """Return one clause that says why this engine cannot answer the question, or None."""

    def estimate(self, question: Question) -> Estimate:
        """Return what answering costs; quick to compute, and never too low by much."""

    def count(self, question: Question, *, progress: Progress | None, threads: int, resume: Path | None) -> Census:
        """Return the census. Assumes that the engine does not refuse the question."""


ENGINES: dict[str, str] = {
    "plain": "noughts.counting.plain",
    "layered": "noughts.counting.layers.engine",
    "inclusion": "noughts.counting.sets.inclusion",
    "subset": "noughts.counting.sets.subset",
    "frontier": "noughts.counting.frontier.engine",
    "games": "noughts.counting.frontier.games",
}
"""Name and module of each engine; a module is imported when it is asked. Those whose estimate takes time come last."""

WITNESSES: dict[str, str] = {
    "transfer": "noughts.counting.transfer.engine",
    "transfer-games": "noughts.counting.transfer.games",
}
"""Engines that are asked for a second opinion, or by name, but never first: another does the same for less."""

_KIN = (("frontier", "games"), ("transfer", "transfer-games"))

_TELLING = ("layered", "frontier", "inclusion")
"""The engines that reach furthest, each in its way: why these refuse is what tells."""


_ANY_GAME = ("plain",)
"""The engines that run on any game; the others rest on what marking games have in common."""


def refusal_of(engine: Engine, question: Question) -> str | None:
    """Return one clause that says why an engine cannot answer, or None."""
    if question.other is not None and engine.name not in _ANY_GAME:
        return (
            f"the engine {engine.name} counts marking games only (two marks in turn, on any blank cell, until a line), "
            f"and {question.other} is none"
        )
    return engine.refusal(question)


def cost_of(engine: Engine, question: Question, memory: float = inf, time: float | None = None) -> Estimate:
    """Return what an engine's answer costs, reckoned no further than where it exceeds the budget."""
    within = getattr(engine, "estimate_within", None)
    if within is None:
        return engine.estimate(question)
    found: Estimate = within(question, memory, inf if time is None else time)
    return found


def is_partial(engine: Engine, question: Question) -> bool:
    """Tell whether an engine leaves columns empty that another may give."""
    partial = getattr(engine, "is_partial", None)
    return partial is not None and partial(question)


def _start_seconds(engine: Engine) -> float:
    """Return the time that an engine takes at least."""
    return float(getattr(engine, "START_SECONDS", 0.0))


def engine_named(name: str) -> Engine:
    """Return an engine by name. Raises InvalidQuestion for an unknown one."""
    modules = ENGINES | WITNESSES
    if name not in modules:
        raise InvalidQuestion(f"there is no engine {shown(name)}: there are {', '.join(modules)}")
    return cast(Engine, importlib.import_module(modules[name]))


def kin_of(name: str) -> tuple[str, ...]:
    """Return the engines that share their counting with this one, itself among them: no independent judges of it."""
    return next((kin for kin in _KIN if name in kin), (name,))


def choose(
    question: Question,
    *,
    memory: int | None = None,
    time: float | None = None,
    partial: bool = True,
    without: tuple[str, ...] = (),
    witness: bool = False,
    complete: bool = True,
) -> Engine:
    """Return the cheapest engine that can answer within the budget; one that leaves no column empty if there is any.

    Without `partial` an engine that leaves columns empty is taken only where no other can answer at any price, and
    without `complete` it is as good as any. With `witness` the witnesses are asked too. Raises BudgetError, with the
    best estimate, where none fits.
    """
    budget = default_memory() if memory is None else memory
    offers: list[tuple[Estimate, Engine]] = []
    refusals: dict[str, str] = {}
    best: tuple[bool, float] | None = None
    for name in ENGINES | WITNESSES if witness else ENGINES:
        if name in without:
            continue
        engine = engine_named(name)
        why = refusal_of(engine, question)
        if why is not None:
            refusals[name] = why
            continue
        least = _start_seconds(engine)
        if best is not None and best <= (False, least):
            continue
        gaps = complete and is_partial(engine, question)
        if (gaps and offers and not partial) or (best is not None and best <= (gaps, least)):
            continue
        if time is not None and least > time:
            offers.append((Estimate(0, least, "the time to load it", at_least=True), engine))
            continue
        cost = cost_of(engine, question, budget, time)
        if cost.fits(budget, time):
            if best is None or (gaps, cost.seconds) < best:
                best, chosen = (gaps, cost.seconds), engine
        else:
            offers.append((cost, engine))
    if best is not None:
        return chosen
    if offers:
        cheapest, engine = min(offers, key=lambda offer: _rank(offer[0]))
        raise BudgetError(_over(question, engine, cheapest, budget, time))
    reasons = "; ".join(dict.fromkeys(refusals[name] for name in _TELLING if name in refusals))
    raise BudgetError(f"no engine can answer this on {question.board}, try a smaller board: {reasons}")


def _rank(estimate: Estimate) -> tuple[int, float]:
    """Return what to sort estimates by when the best is told: one that was cut short counts ten times."""
    return estimate.memory * (10 if estimate.at_least else 1), estimate.seconds


def _over(question: Question, engine: Engine, estimate: Estimate, budget: int, time: float | None) -> str:
    limit = f"{format_size(budget)} of memory" + (f" and {format_duration(time)}" if time is not None else "")
    if estimate.at_least and estimate.memory <= budget and (time is None or estimate.seconds <= time):
        limit += ", as far as can be told"
    return (
        f"{question.board} needs {estimate} by the engine {engine.name}, over the budget of {limit}: "
        "raise --memory or --time, ask for fewer plies with --to-ply, or try a smaller board"
    )


def answer(
    question: Question,
    *,
    engine: str | None = None,
    memory: int | None = None,
    time: float | None = None,
    partial: bool = True,
    threads: int = 2,
    progress: Progress | None = None,
    resume: Path | None = None,
) -> Census:
    """Return the census of a question, checked against its conservation laws.

    The engine is chosen unless named. `memory` in bytes (three quarters of what is free unless given) and `time` in
    seconds are checked against the engine's estimate before work starts. Raises InvalidQuestion, BudgetError.
    """
    if engine is None:
        chosen = choose(question, memory=memory, time=time, partial=partial)
    else:
        chosen = engine_named(engine)
        why = refusal_of(chosen, question)
        if why is not None:
            raise BudgetError(f"{why}: leave out --engine, or try a smaller board")
        budget = default_memory() if memory is None else memory
        needed = cost_of(chosen, question, budget, time)
        if not needed.fits(budget, time):
            raise BudgetError(_over(question, chosen, needed, budget, time))
    return chosen.count(question, progress=progress, threads=threads, resume=resume).check()
