"""`noughts solve --by-ply` and `--save`: the values of all positions by ply, as a table on disk, and its estimate."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.machine.budget import Limits, format_duration, format_size
from noughts.present.forms import Forms, chart_forms, markdown, report_forms, table_forms
from noughts.present.report import How, Look, Report, Table, grouped, many, try_next
from noughts.present.text import as_text
from noughts.rules.board import Board, require_marking
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.position import Position
from noughts.solving.problem import Problem
from noughts.solving.saving.plan import SavingPlan, WorkForecast
from noughts.solving.values import PlyValues, Split
from noughts.verbs.request import VerbAnswer

if TYPE_CHECKING:
    from noughts.drawing.svg import Svg
    from noughts.machine.workers import Progress, Workers
    from noughts.solving.solution import Solution


def save(
    folder: Path,
    board: Board,
    remoteness: bool | None,
    limits: Limits,
    workers: Workers,
    progress: Progress | None,
    *,
    resume: bool,
) -> None:
    """Write the table after checks of board, memory and disk. Raises BudgetError, FileError."""
    from noughts.solving.engines import choose
    from noughts.solving.problem import too_large
    from noughts.solving.published import and_known
    from noughts.solving.saved import require_room, save_solution, saving_estimate

    require_marking(board, "a table on disk")
    problem, packed = Problem(board, None, remoteness, counts_only=True), remoteness is False
    choose(problem, engine="retrograde", limits=Limits())
    estimate = saving_estimate(board, packed=packed, workers=workers.here.count)
    limits = replace(limits, disk=estimate.disk)
    if not limits.allow(estimate):
        known = and_known(Position(board))
        raise BudgetError(f"{too_large(problem, 'retrograde', estimate, limits).reason}: raise --memory{known}")
    require_room(folder, board, packed=packed)
    save_solution(folder, board, packed=packed, workers=workers, resume=resume, progress=progress)


@contextmanager
def saving_search(folder: Path, solution: Solution, *, resume: bool) -> Iterator[None]:
    """Save the search of a board with gravity in a folder, now and then and when it stops; or resume from it."""
    from noughts.solving.columns import ColumnSolution, SavedSearch

    if not isinstance(solution, ColumnSolution):
        raise InputError(f"the engine {solution.engine} has no search to save: remove --save")
    saved = SavedSearch(folder, solution.searcher, resume=resume)
    try:
        yield
    except BudgetError as stopped:
        raise BudgetError(f"{stopped}; the search is in {folder}: add --resume to continue") from None
    finally:
        saved.save()


def plan(folder: str, board: Board, look: Look, *, packed: bool, workers: int | None = None) -> VerbAnswer:
    """Return the estimate of a table, without writing it, and what it takes on a number of workers if one is given."""
    from noughts.kernels.index.ranks import MAX_CELLS
    from noughts.solving.saved import saving_estimate
    from noughts.solving.saving.plan import plan_saving

    require_marking(board, "a table on disk")
    found, work = plan_saving(board, packed=packed), None
    if workers is not None and board.cells <= MAX_CELLS:
        work = WorkForecast.of(found, workers, saving_estimate(board, packed=packed, workers=1).memory)
    return VerbAnswer(found, forms(found, look, folder=folder, most_cells=MAX_CELLS, work=work))


_PASS = "one backward pass values every position once, from its successors."
COLUMNS = ("x_wins", "draws", "o_wins", "positions")
"""The columns of data, in their order."""


def splits_of(plies: Sequence[PlyValues], same: str) -> tuple[tuple[int, Split], ...]:
    """Return each ply with its positions by outcome: boards, or classes."""
    return tuple((row.ply, row.labelled if same == "labelled" else row.symmetry) for row in plies)


def ply_forms(
    board: Board,
    splits: Sequence[tuple[int, Split]],
    same: str,
    look: Look,
    *,
    column: str = "positions",
    carried: str = "",
) -> Forms:
    """Return the distribution of values in every form.

    `column` is the column of bfile and oeis; `carried` says how the numbers were computed that the package carries.
    """
    rows = [{"ply": ply, **split.as_dict()} for ply, split in splits]
    record = {"board": board.spec, "same": same, "engine": "retrograde", "plies": rows}
    if carried:
        record["carried"] = carried
    terms = [_number(split, column) for _, split in splits]

    def tables(form: str) -> list[Table]:
        if form != "csv":
            return [_table(board, splits)]
        data = [[str(ply), *(str(_number(split, name)) for name in COLUMNS)] for ply, split in splits]
        return [Table(["ply", *COLUMNS], data)]

    def oeis() -> str:
        from noughts.verbs.sequences import board_in_words, draft_text

        name = f"Number of {_kind(same)} with n marks on {board_in_words(board)}{_meant(board, column)}"
        command = f"noughts solve {board} --by-ply --same {same} --column {column} --format bfile"
        return draft_text(name, terms, splits[0][0], command, ["retrograde"] * len(terms), finite=True)

    return {
        "table": lambda: as_text(_report(board, splits[0][1], same, _table(board, splits), carried), look),
        "json": lambda: json.dumps(record) + "\n",
        "bfile": lambda: "".join(f"{ply} {term}\n" for (ply, _), term in zip(splits, terms, strict=True)),
        "oeis": oeis,
        **table_forms(tables),
        **chart_forms(lambda: _chart(board, splits, same, look.theme), look=look),
    }


def _number(split: Split, column: str) -> int:
    found: int = split.total if column == "positions" else getattr(split, column)
    return found


def _kind(same: str) -> str:
    return "positions" if same == "labelled" else "position classes"


def _meant(board: Board, column: str) -> str:
    """Return which positions a column counts, in words."""
    x, o = board.rules.players
    ends = {"x_wins": f"that {x} wins", "draws": "that are drawn", "o_wins": f"that {o} wins"}
    rule = f", {board.rules.clause}" * bool(board.rules.clause)
    with_best_play = f", and {ends[column]} with best play" if column in ends else ""
    return f", {x} starts{rule}: those that play reaches{with_best_play}"


def _table(board: Board, splits: Sequence[tuple[int, Split]]) -> Table:
    total = sum((split for _, split in splits), Split(0, 0, 0))
    named = [*((str(ply), split) for ply, split in splits), ("all", total)]
    cells = [[name, *map(grouped, (s.x_wins, s.draws, s.o_wins, s.total))] for name, s in named]
    x, o = board.rules.labels
    return Table(["ply", f"{x} wins", "draws", f"{o} wins", "positions"], cells)


def _chart(board: Board, splits: Sequence[tuple[int, Split]], same: str, theme: str) -> Svg:
    from noughts.drawing.chart import Series, draw_chart

    x, o = board.rules.labels
    series = [
        Series(f"{x} wins", [split.x_wins for _, split in splits]),
        Series("draw", [split.draws for _, split in splits]),
        Series(f"{o} wins", [split.o_wins for _, split in splits]),
    ]
    title = f"{board}: {_kind(same)} by ply and outcome"
    note = "Outcome under best play of every reachable position, finished games included."
    return draw_chart([ply for ply, _ in splits], series, title, note, logarithmic=True, theme=theme)


def _report(board: Board, start: Split, same: str, table: Table, carried: str) -> Report:
    what = "positions" if same == "labelled" else f"position classes ({board.group('board').order} symmetries)"
    x, o = board.rules.players
    outcome = f"{x} wins" if start.x_wins else f"{o} wins" if start.o_wins else "a draw"
    return Report.of(
        [f"{board}: {outcome} with best play. All {what} by outcome under best play, finished games included."],
        [table],
        [
            How(f"the package carries these numbers, {carried}." if carried else _PASS),
            try_next(f"noughts solve {board}", f"noughts count {board} --same labelled"),
        ],
    )


# The estimate of a table of all positions: layers, disk and work items.


def forms(plan: SavingPlan, look: Look, *, folder: str, most_cells: int, work: WorkForecast | None = None) -> Forms:
    """Return an estimate in every form; `most_cells` is the limit of tables."""
    report = _report_saving(plan, folder, most_cells, work)

    def record() -> dict[str, object]:
        return plan.as_dict() | ({} if work is None else {"on_workers": work.as_dict()})

    return {**report_forms(lambda: report, record, look), "markdown": lambda: markdown(report)}


def _report_saving(plan: SavingPlan, folder: str, most_cells: int, work: WorkForecast | None) -> Report:
    board = plan.board
    what = "values only" if plan.packed else "with remoteness"
    sentences = [
        f"{board}, {what}, as a table of all positions: {plan.entries:,} entries and {format_size(plan.disk)} of disk. "
        "Nothing was solved or written."
    ]
    if board.cells > most_cells:
        sentences.append(f"Estimate only: tables go up to {most_cells} cells, and {board} has {board.cells}.")
    if work is not None:
        items = max(layer.files for layer in plan.layers)
        idle = f" At most {many(items, 'worker')} can share a layer." * (work.workers > items)
        sentences.append(
            f"On {many(work.workers, 'worker')} it takes {' to '.join(map(format_duration, work.seconds))} and "
            f"{format_size(work.memory)} of memory each; at most {format_size(work.read)} are read and "
            f"{format_size(work.written)} written.{idle}"
        )
    more = f" --save {folder}{' --values-only' if plan.packed else ''}" if board.cells <= most_cells else ""
    return Report.of(
        sentences,
        [_layers(plan)],
        [
            How(
                "Burnside's lemma counts the sets of X without a list; blocks, entries, bytes and items are exact."
                + " The time is a model: 9 to 18 ns an entry, 6.5 % more in processes, whole work items." * bool(work)
            ),
            try_next(f"noughts solve {board}{more}"),
        ],
    )


def _layers(plan: SavingPlan) -> Table:
    rows = [
        [
            str(layer.ply),
            f"{layer.blocks:,}",
            f"{layer.entries:,}",
            format_size(layer.bytes),
            f"{layer.files:,}",
            format_size(layer.read),
        ]
        for layer in plan.layers
    ]
    rows.append(["all", "", f"{plan.entries:,}", format_size(plan.disk), "", format_size(plan.read)])
    return Table(["ply", "sets of X", "entries", "bytes", "work items", "read at most"], rows)
