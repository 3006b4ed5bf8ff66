"""The table of solving engines, and the choice of the cheapest one that can answer within the budget."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from noughts.machine.budget import Limits, Refusal, cheapest
from noughts.machine.workers import Progress, Workers, silent, workers_for
from noughts.rules.arguments import offered
from noughts.rules.errors import BudgetError, InvalidQuestion, shown
from noughts.rules.position import Position
from noughts.solving import quotient, retrograde, search
from noughts.solving.fields import is_searched
from noughts.solving.problem import MOST_CELLS, SEARCHED_CELLS, Offering, Problem, SolvingOffer
from noughts.solving.published import and_known
from noughts.solving.solution import Solution
from noughts.solving.values import PlyValues

COLUMNS = "columns"


def _by_columns(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Return the offer of the engine for gravity. It needs NumPy, so it is imported only on boards with gravity."""
    if not (problem.board.rules.by_column and problem.board.rules.is_known):
        return Refusal(COLUMNS, f"the engine {COLUMNS} takes boards with gravity, and {problem.board} has none")
    from noughts.solving import columns

    return columns.offer(problem, limits)


ENGINES: dict[str, Offering] = {
    search.CARRIED: search.offer_carried,
    retrograde.NAME: retrograde.offer,
    search.NAME: search.offer,
    COLUMNS: _by_columns,
    quotient.NAME: quotient.offer,
}
"""The engines by name; each makes an offer for a problem, or refuses it."""
STAGES: dict[str, Offering] = {stage: partial(search.offer, stage=stage) for stage in search.STAGE_ROUNDS}
"""Stages of the search that can be chosen alone."""


def offers(problem: Problem, limits: Limits, *, engine: str | None = None) -> tuple[SolvingOffer | None, list[Refusal]]:
    """Return the best offer within the limits, None where all engines refuse, and the refusals.

    `engine` names the only engine to use. Without it, the refusals leave out those of the proofs in the package and of
    engines for other rules, as these do not explain why the others refuse. Raises InvalidQuestion.
    """
    known = {**ENGINES, **STAGES}
    if engine is not None and not (isinstance(engine, str) and engine in known):
        raise InvalidQuestion(f"the engine {shown(engine)} does not exist: there are {offered(engine, known)}")
    problem = replace(problem, carried=problem.carried and engine is None)
    chosen = ENGINES.values() if engine is None else [known[engine]]
    offer, refusals = cheapest([partial(offering, problem) for offering in chosen], limits)
    if problem.start is None and offer is not None and offer.engine == search.NAME and engine is None:
        carried = search.offer_carried(replace(problem, start=Position(problem.board)), limits)
        offer = carried if isinstance(carried, SolvingOffer) else offer
    rules = problem.board.rules
    aside = {search.CARRIED, *[COLUMNS] * (not rules.by_column), *[search.NAME] * (not rules.is_marking)}
    aside.update([quotient.NAME] * (rules.option != "notakto"))
    return offer, [each for each in refusals if engine is not None or each.engine not in aside]


def choose(problem: Problem, *, engine: str | None = None, limits: Limits | None = None) -> SolvingOffer:
    """Return the best offer within the limits (default: three quarters of the free memory).

    Raises InvalidQuestion for an unknown engine, and BudgetError, with the estimate, where all engines refuse.
    """
    offer, refusals = offers(problem, limits or Limits.of(), engine=engine)
    if offer is None:
        remedy = "remove --engine"
        if engine is None or any(refusal.is_of_size for refusal in refusals):
            remedy = _remedy(problem, any(refusal.estimate is not None for refusal in refusals))
        known = and_known(problem.start or Position(problem.board))
        raise BudgetError(f"{'; '.join(refusal.reason for refusal in refusals)}: {remedy}{known}")
    return offer


def _remedy(problem: Problem, too_large: bool) -> str:
    """Return the remedy where no engine can answer; `too_large`: one could with more memory."""
    board, ways = problem.board, ["raise --memory"] if too_large else []
    if not problem.counts_only:
        ways += ["ask for --values-only"] if too_large and problem.remoteness is not False else []
        rules, small = board.rules, board.cells <= SEARCHED_CELLS
        engine = COLUMNS if rules.by_column else search.NAME
        takes = is_searched(board) if rules.by_column else rules.is_marking and small
        ways += [f"ask about one position with --engine {engine}"] if takes else []
    if problem.start is not None and SEARCHED_CELLS < board.cells <= MOST_CELLS and not board.misere:
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
    """Return the solution of a problem by one engine (default: the cheapest). Raises BudgetError as `choose` does."""
    return choose(problem, engine=engine, limits=limits).solve(workers or workers_for(), progress or silent)


def count_values(
    problem: Problem,
    *,
    engine: str | None = None,
    limits: Limits | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> tuple[PlyValues, ...]:
    """Return the distribution of the values of all positions by ply. Raises BudgetError as `choose` does."""
    return choose(problem, engine=engine, limits=limits).count_values(workers or workers_for(), progress or silent)
