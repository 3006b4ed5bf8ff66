"""The table of solving engines, and the choice among them: the cheapest that can answer within the budget."""

from __future__ import annotations

from functools import partial

from noughts.machine.budget import Limits, Refusal, cheapest
from noughts.machine.workers import Progress, Workers, silent, workers_for
from noughts.rules.arguments import offered
from noughts.rules.errors import BudgetError, InvalidQuestion, shown
from noughts.rules.position import Position
from noughts.solving import retrograde, search
from noughts.solving.problem import MOST_CELLS, Offering, Problem, SolvingOffer
from noughts.solving.published import and_known
from noughts.solving.solution import Solution
from noughts.solving.values import PlyValues

ENGINES: dict[str, Offering] = {
    search.CARRIED: search.offer_carried,
    retrograde.NAME: retrograde.offer,
    search.NAME: search.offer,
}
"""The engines by name: each makes an offer for a problem, or refuses it."""
STAGES: dict[str, Offering] = {stage: partial(search.offer, stage=stage) for stage in search.STAGE_ROUNDS}
"""Stages of the search that can be asked for alone."""


def offers(problem: Problem, limits: Limits, *, engine: str | None = None) -> tuple[SolvingOffer | None, list[Refusal]]:
    """Return the best offer within the limits, by the named engine or any, None where there is none; and the refusals.

    That the package carries no proof is no reason to refuse what others may find.
    Raises InvalidQuestion for an unknown engine.
    """
    known = {**ENGINES, **STAGES}
    if engine is not None and not (isinstance(engine, str) and engine in known):
        raise InvalidQuestion(f"there is no engine {shown(engine)}: there are {offered(engine, known)}")
    asked = ENGINES.values() if engine is None else [known[engine]]
    offer, refusals = cheapest([partial(offering, problem) for offering in asked], limits)
    return offer, [each for each in refusals if engine is not None or each.engine != search.CARRIED]


def choose(problem: Problem, *, engine: str | None = None, limits: Limits | None = None) -> SolvingOffer:
    """Return the best offer within the limits: three quarters of the free memory unless given.

    Raises InvalidQuestion for an unknown engine and BudgetError, with the estimate, where none can.
    """
    offer, refusals = offers(problem, limits or Limits.of(), engine=engine)
    if offer is None:
        remedy = _remedy(problem, any(refusal.estimate is not None for refusal in refusals))
        told = and_known(problem.start or Position(problem.board))
        raise BudgetError(f"{'; '.join(refusal.reason for refusal in refusals)}: {remedy}{told}")
    return offer


def _remedy(problem: Problem, too_large: bool) -> str:
    """Return what would help where no engine can answer; `too_large` where one could with more memory."""
    ways = ["raise --memory"] if too_large else []
    if not problem.counts_only:
        ways += ["ask for --values-only"] if too_large and problem.remoteness is not False else []
        ways += ["ask about one position with --engine search"] if problem.board.cells <= 64 else []
    if problem.start is not None and 64 < problem.board.cells <= MOST_CELLS:
        ways += ["ask about a later position"]
    return ", or ".join([*ways, "try a smaller board"])


def solve_problem(
    problem: Problem,
    *,
    engine: str | None = None,
    limits: Limits | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the solution of a problem by the named engine or the cheapest; BudgetError where it does not fit."""
    return choose(problem, engine=engine, limits=limits).solve(workers or workers_for(), progress or silent)


def count_values(
    problem: Problem,
    *,
    engine: str | None = None,
    limits: Limits | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> tuple[PlyValues, ...]:
    """Return how the values of all positions are distributed, ply by ply; BudgetError where it does not fit."""
    return choose(problem, engine=engine, limits=limits).count_values(workers or workers_for(), progress or silent)
