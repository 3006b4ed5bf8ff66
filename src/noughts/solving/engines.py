"""The table of solving engines, and the choice among them: the cheapest that can answer within the budget."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InvalidQuestion, shown
from noughts.domain.position import Position
from noughts.machine.budget import Estimate, default_memory, format_size
from noughts.solving.plies import PlyValues
from noughts.solving.solution import Solution

__all__ = [
    "ENGINES",
    "Engine",
    "Problem",
    "Progress",
    "choose",
    "count_values",
    "engine_named",
    "solve_problem",
]

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Problem:
    """What is asked of a board: the value of one position (`start`), of all, or only how they are distributed.

    `start` None asks for all positions. `remoteness`: True wants the plies to the end, False values only, None
    whatever is cheapest. `counts_only` asks for the distribution by ply, and no position. `seconds` ends a search that
    has not found the value of a position by then.
    """

    board: Board
    start: Position | None = None
    remoteness: bool | None = None
    counts_only: bool = False
    seconds: float | None = None


class Engine(Protocol):
    """What a module must offer to be a solving engine."""

    @property
    def name(self) -> str:
        """The name that --engine takes."""

    def refusal(self, problem: Problem) -> str | None:
        """Return one clause that says why this engine cannot answer, or None."""

    def estimate(self, problem: Problem) -> Estimate:
        """Return what answering costs; quick to compute."""

    def solve(self, problem: Problem, *, threads: int, progress: Progress | None) -> Solution:
        """Return the solution. Assumes that the engine does not refuse the problem."""

    def count_values(self, problem: Problem, *, threads: int, progress: Progress | None) -> tuple[PlyValues, ...]:
        """Return the distribution of values by ply. Assumes `counts_only` and no refusal."""


ENGINES: dict[str, str] = {
    "retrograde": "noughts.solving.retrograde",
    "search": "noughts.solving.search",
}
"""Name and module of each engine; a module is imported when it is asked."""


def engine_named(name: str) -> Engine:
    """Return an engine by name. Raises InvalidQuestion for an unknown one."""
    if name not in ENGINES:
        raise InvalidQuestion(f"there is no engine {shown(name)}: there are {', '.join(ENGINES)}")
    return cast(Engine, importlib.import_module(ENGINES[name]))


def choose(problem: Problem, *, engine: str | None = None, memory: int | None = None) -> Engine:
    """Return the named engine, or the cheapest that can answer within the memory.

    Raises InvalidQuestion for an unknown engine and BudgetError, with the estimate, where none can.
    """
    budget = default_memory() if memory is None else memory
    offers: list[tuple[float, Engine]] = []
    refusals: list[str] = []
    too_large = False
    for name in [engine] if engine is not None else ENGINES:
        candidate = engine_named(name)
        why = candidate.refusal(problem)
        if why is None:
            cost = candidate.estimate(problem)
            if cost.memory <= budget:
                offers.append((cost.seconds, candidate))
                continue
            too_large = True
            why = (
                f"{problem.board} needs {cost} by the engine {name}, over the budget of {format_size(budget)} of memory"
            )
        refusals.append(why)
    if not offers:
        raise BudgetError(f"{'; '.join(refusals)}: {_remedy(problem, too_large)}")
    return min(offers, key=lambda offer: offer[0])[1]


def _remedy(problem: Problem, too_large: bool) -> str:
    """Return what would help where no engine can answer; `too_large` where one could with more memory."""
    ways = ["raise --memory"] if too_large else []
    if not problem.counts_only:
        ways += ["ask for --values-only"] if too_large and problem.remoteness is not False else []
        ways += ["ask about one position with --engine search"] if problem.board.cells <= 64 else []
    return ", or ".join([*ways, "try a smaller board"])


def solve_problem(
    problem: Problem,
    *,
    engine: str | None = None,
    memory: int | None = None,
    threads: int = 2,
    progress: Progress | None = None,
) -> Solution:
    """Return the solution of a problem by the named engine or the cheapest; BudgetError where it does not fit."""
    return choose(problem, engine=engine, memory=memory).solve(problem, threads=threads, progress=progress)


def count_values(
    problem: Problem,
    *,
    engine: str | None = None,
    memory: int | None = None,
    threads: int = 2,
    progress: Progress | None = None,
) -> tuple[PlyValues, ...]:
    """Return how the values of all positions are distributed, ply by ply; BudgetError where it does not fit."""
    chosen = choose(problem, engine=engine, memory=memory)
    return chosen.count_values(problem, threads=threads, progress=progress)
