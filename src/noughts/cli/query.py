"""`noughts query`: read-only SQL over the catalogue of a board."""

from __future__ import annotations

import click

from noughts.cli.options import Verb, is_typed, memory_budget, require_sense
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

__all__ = ["query"]


@click.command(cls=Verb, short_help="Read-only SQL over the catalogue.")
@click.argument("board")
@click.argument("sql", required=False)
@answers("table", "json", "jsonl", "csv", "markdown")
@click.option("--rows", type=click.IntRange(min=1), default=10_000, metavar="N", help="Stop beyond N rows (10,000).")
@click.option("--time", default="10s", metavar="TIME", help="Stop a query that runs longer (10s).")
@click.option("--memory", metavar="SIZE", help="Memory to build the tables with, on first use.")
@click.option("--build-time", default="2m", metavar="TIME", help="Refuse to build tables that take longer (2m).")
def query(board: str, sql: str | None, rows: int, time: str, memory: str | None, build_time: str, to: Sink) -> None:
    """Answer one SELECT over the tables positions, classes and moves of BOARD; without SQL list their columns.

    The tables are built on first use and kept in the cache folder (NOUGHTS_CACHE says where).
    """
    from noughts.exporting.api import query as ask
    from noughts.rules.board import Board
    from noughts.verbs.export import column_forms, forms

    if sql is None:
        for name in ("rows", "time", "memory", "build_time"):
            option = name.replace("_", "-")
            require_sense((is_typed(name), f"--{option} is about a query: add the SELECT, or leave it out"))
        Board.parse(board)
        to.write(column_forms(to.look))
        return
    budget, line = memory_budget(memory), progress_line()
    to.write(forms(ask(board, sql, rows=rows, time=time, memory=budget, build_time=build_time, progress=line), to.look))
