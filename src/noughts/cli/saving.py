"""`noughts solve BOARD --save DIR`: the table of all positions, or with --dry-run only the plan of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.cli.options import memory_budget
from noughts.cli.progress import progress_line
from noughts.cli.sink import tell
from noughts.cli.workers import workers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noughts.cli.sink import Sink
    from noughts.domain.board import Board
    from noughts.machine.workers import Workers

__all__ = ["plan", "plan_without_meaning", "save"]


def save(board: Board, given: dict[str, Any]) -> None:
    """Write the table, after the memory, the disk and the board have been found to suffice."""
    from noughts.solving.saved import require_room, save_solution

    folder, packed = Path(given["save"]), given["remoteness"] is False
    with workers_of(given["workers"], given["on"]) as workers:
        _require_memory(board, given, workers)
        require_room(folder, board, packed=packed)
        save_solution(folder, board, packed=packed, workers=workers, resume=given["resume"], progress=progress_line())
    tell(folder)


def _require_memory(board: Board, given: dict[str, Any], workers: Workers) -> None:
    """Raise BudgetError where no table can be made of a board, or not within the memory; before work starts."""
    from noughts.domain.errors import BudgetError
    from noughts.domain.position import Position
    from noughts.machine.budget import Limits
    from noughts.solving.engines import choose
    from noughts.solving.problem import Problem, too_large
    from noughts.solving.published import and_known
    from noughts.solving.saved import saving_estimate

    problem, packed = Problem(board, None, given["remoteness"], counts_only=True), given["remoteness"] is False
    choose(problem, engine="retrograde", limits=Limits())
    estimate = saving_estimate(board, packed=packed, workers=workers.here.count)
    limits = Limits(memory_budget(given["memory"]), disk=estimate.disk)
    if not limits.allow(estimate):
        told = and_known(Position(board))
        raise BudgetError(f"{too_large(problem, 'retrograde', estimate, limits).reason}: raise --memory{told}")


def plan(board: Board, given: dict[str, Any], to: Sink) -> None:
    """Write what the table takes; nothing is made."""
    from noughts.kernels.index.lead import MAX_CELLS
    from noughts.reports.play.saving import forms
    from noughts.solving.saving.work import plan_saving

    cores = None
    if given["workers"] is not None or given["on"] is not None:
        with workers_of(given["workers"] if given["on"] is not None else None, given["on"]) as workers:
            cores = given["workers"] or workers.count
    found = plan_saving(board, packed=given["remoteness"] is False)
    to.write(forms(found, to.look, folder=given["save"], most_cells=MAX_CELLS, cores=cores))


def plan_without_meaning(given: dict[str, Any]) -> Iterator[tuple[object, str]]:
    """Yield what a plan leaves nothing to do."""
    shared = given["workers"] is not None or given["on"] is not None
    yield (
        shared and given["save"] is None and given["proof"] is None,
        "--workers and --on share out long work, a table of all positions or a proof: add --save DIR or --proof FILE",
    )
    yield given["dry_run"] and given["save"] is None, "--dry-run plans what --save would write: add --save DIR"
    for name in ("by_ply", "line", "resume", "proof", "memory", "position"):
        option = "the position" if name == "position" else f"--{name.replace('_', '-')}"
        yield (
            given["dry_run"] and given[name],
            f"{option} has no place with --dry-run, which only plans a table: leave it out",
        )
