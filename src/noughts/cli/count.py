"""`noughts count`: positions and games of a board, under one convention or all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.options import (
    Verb,
    budget_options,
    is_typed,
    limits_of,
    rule_options,
    words,
    worker_options,
    workers_of,
)
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers
from noughts.rules.errors import BudgetError, InputError, shown

if TYPE_CHECKING:
    from noughts.counting.census import Census
    from noughts.counting.engines import Opinion
    from noughts.counting.offers import Run
    from noughts.machine.budget import Limits
    from noughts.machine.workers import Workers
    from noughts.rules.board import Board

__all__ = ["count"]

_QUESTION = (
    "same",
    "moves",
    "x_moves",
    "o_moves",
    "end",
    "symmetry",
    "start",
    "to_ply",
    "starts",
    "engine",
    "column",
    "explain",
    "check",
    "resume",
)
_CHARTS = ("svg", "png", "pdf")
_COLUMNS = (
    "positions",
    "terminal_positions",
    "terminal_x",
    "terminal_o",
    "terminal_draw",
    "paths",
    "finished",
    "x_wins",
    "o_wins",
    "draws",
)


@click.command(cls=Verb, short_help="How many positions and games, under any convention.")
@click.argument("board", default="3x3")
@click.option(
    "--same", default="labelled", **words("labelled", "symmetry", "choices"), help="When two games are the same."
)
@rule_options(policies=True)
@click.option("--symmetry", default="board", **words("board", "lines"), help="Which symmetries.")
@click.option("--from", "start", metavar="POSITION", help="Count from here: X.O/.X./..O, or moves such as 'a1 b2'.")
@click.option("--starts", default="X", **words("X", "O", "either"), help="Who moves first on the empty board.")
@click.option("--to-ply", type=click.IntRange(min=0), metavar="K", help="Stop after this ply.")
@click.option("--engine", metavar="NAME", help="Count by this engine (the cheapest that can answer).")
@click.option("--check", is_flag=True, help="Count by a second engine too, and say whether they agree.")
@click.option("--explain", is_flag=True, help="Show the derivation, ply by ply.")
@answers("table", "json", "csv", "markdown", "latex", "bfile", "oeis", "svg", "png", "pdf")
@click.option(
    "--column",
    **{**words(*_COLUMNS), "metavar": "NAME"},
    default="finished",
    help="The column of bfile and oeis, and of ranges.",
)
@click.option("--resume", metavar="DIR", help="Keep the state of long work in this folder, and go on from there.")
@worker_options
@budget_options()
def count(to: Sink, **given: Any) -> None:
    """How many positions and games BOARD has, or each board of a range such as 1x1..12x12.

    Without a question: the matrix of all conventions, each in words. With any of --same, --moves, --end, ...: the
    answer to that question, ply by ply; as svg, png and pdf a chart by ply. A POLICY is a file of moves or a name, as
    versus takes it: then the games are those that its possible moves allow.
    """
    from noughts.verbs.count import require_sense_of_count

    require_sense_of_count([name for name in given if is_typed(name)], given, to.form)
    with workers_of(given.pop("workers"), given.pop("on")) as workers:
        _told(to, given, workers)


def _told(to: Sink, given: dict[str, Any], workers: Workers) -> None:
    asked = any(is_typed(name) for name in _QUESTION)
    if ".." in str(given["board"]):
        _range(given, to, workers)
    elif not asked and to.form in _CHARTS:
        from noughts.verbs.conventions import NO_CHART

        raise InputError(NO_CHART)
    elif asked or to.form in ("bfile", "oeis"):
        _one_convention(given, to, workers)
    else:
        _all_conventions(given, to, workers)


def _answer(given: dict[str, Any], limits: Limits, workers: Workers, board: Board | None = None) -> Census:
    from noughts.analysis.policies.counted import ask
    from noughts.counting.engines import answer

    parts = {
        key: given[key]
        for key in ("same", "moves", "x_moves", "o_moves", "end", "symmetry", "start", "to_ply", "starts")
    }
    question = ask(board or given["board"], **parts)
    resume = Path(given["resume"]) if given["resume"] else None
    return answer(
        question, engine=given["engine"], limits=limits, workers=workers, progress=progress_line(), resume=resume
    )


def _run(workers: Workers) -> Run:
    from noughts.counting.offers import Run
    from noughts.machine.workers import silent

    return Run(workers, progress_line() or silent)


def _range(given: dict[str, Any], to: Sink, workers: Workers) -> None:
    from noughts.verbs.sequences import forms

    if to.form in _CHARTS:
        raise InputError(f"{shown(given['board'])} is a range of boards, which has no chart: ask about one board")
    for option in ("check", "explain"):
        if given[option]:
            raise InputError(f"--{option} has no place with a range of boards: ask about one board")
    limits = limits_of(given["memory"], given["time"])
    to.write(forms(given["board"], given["column"], lambda board: _answer(given, limits, workers, board), to.look))


def _quick_opinion(found: Census, limits: Limits) -> Opinion | None:
    from noughts.counting.engines import quick_second_opinion

    return quick_second_opinion(found, limits)


def _one_convention(given: dict[str, Any], to: Sink, workers: Workers) -> None:
    from noughts.verbs.count import forms

    limits = limits_of(given["memory"], given["time"])
    found = _answer(given, limits, workers)

    def write(second: Opinion | None) -> None:
        to.write(forms(found, to.look, column=given["column"], explain=given["explain"], second=second))

    if given["check"]:
        from noughts.counting.engines import second_opinion

        try:
            second = second_opinion(found, limits, _run(workers))
        except BudgetError:
            write(None)  # what was counted is not thrown away, though nobody confirms it
            raise
        write(second)
    else:
        write(_quick_opinion(found, limits) if to.form == "table" and given["engine"] is None else None)


def _all_conventions(given: dict[str, Any], to: Sink, workers: Workers) -> None:
    from noughts.rules.board import Board
    from noughts.verbs.conventions import forms, survey

    board, limits = Board.parse(given["board"]), limits_of(given["memory"], given["time"])
    to.write(forms(survey(board, limits, _run(workers)), to.look))
