"""The plan of a table of all positions: layers, disk, work items, and what it takes on how many cores."""

from __future__ import annotations

from typing import Any

from noughts.machine.budget import format_duration, format_size
from noughts.reports.forms import Forms, report_forms
from noughts.reports.markup import markdown
from noughts.reports.page import How, Look, Report, try_next
from noughts.reports.tables import Table
from noughts.solving.saving.rates import FACTOR
from noughts.solving.saving.work import SavingPlan

__all__ = ["CORES", "forms"]

CORES = (16, 64, 256)
"""Numbers of cores that every plan is reckoned for."""

SMALL = 1
"""Seconds of one core below which to share out the work takes longer than to do it."""

_ONE_WILL_DO = "One core takes less than a second: there is nothing to share out."


def forms(plan: SavingPlan, look: Look, *, folder: str, most_cells: int, cores: int | None = None) -> Forms:
    """Return a plan in every form; `cores` are those at hand, `most_cells` those of the largest table there can be."""
    counts = sorted({*CORES, *([] if cores is None else [cores])})
    report = _report(plan, folder, most_cells, counts)
    return {
        **report_forms(lambda: report, lambda: _record(plan, counts), look),
        "markdown": lambda: markdown(report),
    }


def _record(plan: SavingPlan, counts: list[int]) -> dict[str, Any]:
    times = [{"cores": cores, "seconds": round(plan.seconds_on(cores), 1)} for cores in counts]
    return {**plan.as_dict(), "on": times}


def _report(plan: SavingPlan, folder: str, most_cells: int, counts: list[int]) -> Report:
    board = plan.board
    what = "values only" if plan.packed else "with remoteness"
    is_small = plan.core_seconds < SMALL
    said = [
        f"{board}, {what}, as a table of all positions: {plan.entries:,} entries and {format_size(plan.disk)} of disk. "
        f"{_times(plan, counts) if not is_small else _ONE_WILL_DO} Nothing was solved or written."
    ]
    if board.cells > most_cells:
        said.append(f"On paper only: tables go up to {most_cells} cells, and {board} has {board.cells}.")
    said.append(
        f"The workers of a machine share {format_size(plan.shared_memory)} of memory, and each core takes about "
        f"{format_size(plan.memory)} more."
    )
    return Report.of(
        said,
        [_layers(plan)] if is_small else [_cores(plan, counts), _layers(plan)],
        [
            How(
                "sets of X are counted by Burnside's lemma, not listed: blocks, entries, bytes and items are exact. "
                f"Times are those of a model fitted to small boards; it foretold larger ones within a factor {FACTOR}. "
                f"They hold where files are read {'at once' if is_small else 'as fast as the table of cores says'}."
            ),
            try_next(f"noughts solve {board} --save {folder}{' --values-only' if plan.packed else ''}")
            if board.cells <= most_cells
            else try_next(f"noughts solve {board}"),
        ],
    )


def _times(plan: SavingPlan, counts: list[int]) -> str:
    times = ", ".join(f"{format_duration(plan.seconds_on(cores))} on {cores}" for cores in counts)
    return f"About {format_duration(plan.core_seconds)} of one core; by cores, {times}."


def _cores(plan: SavingPlan, counts: list[int]) -> Table:
    moved = plan.read + plan.disk
    rows = []
    for cores in counts:
        seconds = plan.seconds_on(cores)
        share = plan.core_seconds / seconds / cores
        rows.append([str(cores), format_duration(seconds), f"{share:.0%}", f"{format_size(int(moved / seconds))}/s"])
    return Table(["cores", "time", "of them busy", "read and written, at most"], rows)


def _layers(plan: SavingPlan) -> Table:
    rows = [
        [
            str(layer.ply),
            f"{layer.blocks:,}",
            f"{layer.entries:,}",
            format_size(layer.bytes),
            f"{layer.files:,}",
            format_size(layer.read),
            format_duration(layer.seconds),
        ]
        for layer in plan.layers
    ]
    rows.append(
        [
            "all",
            "",
            f"{plan.entries:,}",
            format_size(plan.disk),
            "",
            format_size(plan.read),
            format_duration(plan.core_seconds),
        ]
    )
    return Table(["ply", "sets of X", "entries", "bytes", "work items", "read at most", "of one core"], rows)
