"""`noughts count`: positions and games of a board, under one convention or all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from noughts.cli.options import budget_options, memory_budget, time_budget, words
from noughts.cli.progress import progress_line
from noughts.domain.errors import BudgetError, InputError, shown

if TYPE_CHECKING:
    from noughts.counting.census import Census
    from noughts.domain.board import Board

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
    "engine",
    "column",
    "explain",
    "check",
    "resume",
)
_RULES = ("any", "win", "block", "fork", "perfect")


@click.command(short_help="How many positions and games, under any convention.")
@click.argument("board", default="3x3")
@click.option(
    "--same", default="labelled", **words("labelled", "symmetry", "choices"), help="When two games are the same."
)
@click.option("--moves", default="any", **words(*_RULES), help="Which moves are allowed.")
@click.option("--x-moves", **words(*_RULES), help="The rule for X, where it differs.")
@click.option("--o-moves", **words(*_RULES), help="The rule for O, where it differs.")
@click.option("--end", default="line", **words("line", "decided", "full"), help="When the game is over.")
@click.option("--symmetry", default="board", **words("board", "lines"), help="Which symmetries.")
@click.option("--from", "start", metavar="POSITION", help="Count from here: X.O/.X./..O, or moves such as 'a1 b2'.")
@click.option("--to-ply", type=click.IntRange(min=0), metavar="K", help="Stop after this ply.")
@click.option("--engine", metavar="NAME", help="Count by this engine (the cheapest that can answer).")
@click.option("--check", is_flag=True, help="Count by a second engine too, and say whether they agree.")
@click.option("--explain", is_flag=True, help="Show the derivation, ply by ply.")
@click.option(
    "--format",
    "form",
    default="table",
    **words("table", "json", "csv", "markdown", "latex", "bfile", "oeis", "svg", "png", "pdf"),
    help="How to print; svg, png and pdf are charts by ply.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the chart to this file.")
@click.option("--column", metavar="NAME", default="finished", help="The column of bfile and oeis, and of ranges.")
@click.option("--resume", metavar="DIR", help="Keep the state of long work in this folder, and go on from there.")
@budget_options()
def count(**given: Any) -> None:
    """How many positions and games BOARD has, or each board of a range such as 1x1..12x12.

    Without a question: the matrix of all conventions, each in words. With any of --same, --moves, --end, ...: the
    answer to that question, ply by ply.
    """
    context = click.get_current_context()
    asked = any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in _QUESTION)
    chart = given["output"] is not None or given["form"] in ("svg", "png", "pdf")
    if ".." in given["board"]:
        if chart:
            raise InputError(f"{shown(given['board'])} is a range of boards, which has no chart: ask about one board")
        _range(given)
    elif chart:
        _chart(given)
    elif asked or given["form"] in ("bfile", "oeis"):
        _one_convention(given)
    else:
        _all_conventions(given)


def _answer(given: dict[str, Any], memory: int, board: Board | None = None) -> Census:
    from noughts.counting.api import ask
    from noughts.counting.engines import answer

    parts = {key: given[key] for key in ("same", "moves", "x_moves", "o_moves", "end", "symmetry", "start", "to_ply")}
    question = ask(board or given["board"], **parts)
    time = time_budget(given["time"])
    resume = Path(given["resume"]) if given["resume"] else None
    return answer(
        question,
        engine=given["engine"],
        memory=memory,
        time=time,
        partial=given["memory"] is None,
        progress=progress_line(),
        resume=resume,
    )


def _range(given: dict[str, Any]) -> None:
    from noughts.reports.sequences import print_sequence

    for option in ("check", "explain"):
        if given[option]:
            raise InputError(f"--{option} has no place with a range of boards: ask about one board")
    memory = memory_budget(given["memory"])
    print_sequence(given["board"], given["form"], given["column"], lambda board: _answer(given, memory, board))


def _chart(given: dict[str, Any]) -> None:
    from noughts.cli.pictures import chart_sink, emit_picture

    to = chart_sink(None if given["form"] == "table" else given["form"], given["output"])
    census = _answer(given, memory_budget(given["memory"]))
    from noughts.drawing.figures import census_chart

    emit_picture(census_chart(census), to)


def _one_convention(given: dict[str, Any]) -> None:
    from noughts.reports import census

    census.require_form(given["form"], given["column"], explain=given["explain"])
    budget, second = memory_budget(given["memory"]), None
    found = _answer(given, budget)
    if given["check"]:
        try:
            second = census.second_opinion(
                found, memory=budget, time=time_budget(given["time"]), progress=progress_line()
            )
        except BudgetError:
            # what was counted is not thrown away, though nobody confirms it
            census.print_census(found, given["form"], given["column"], explain=given["explain"], second=None)
            raise
    elif given["form"] == "table" and given["engine"] is None:
        second = census.quick_second_opinion(found, memory=budget)
    census.print_census(found, given["form"], given["column"], explain=given["explain"], second=second)


def _all_conventions(given: dict[str, Any]) -> None:
    from noughts.domain.board import Board
    from noughts.reports import conventions

    conventions.require_form(given["form"])
    board = Board.parse(given["board"])
    conventions.print_conventions(
        board,
        given["form"],
        memory=memory_budget(given["memory"]),
        time=time_budget(given["time"]),
        progress=progress_line(),
    )
