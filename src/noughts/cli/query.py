"""`noughts query`: read-only SQL over the catalogue of a board."""

from __future__ import annotations

import click

from noughts.cli.options import memory_budget, time_budget
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers
from noughts.domain.errors import InputError

__all__ = ["query"]


@click.command(short_help="Read-only SQL over the catalogue.")
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
    from noughts.domain.board import Board
    from noughts.exporting import query as engine
    from noughts.exporting.sources import source_for
    from noughts.reports.catalogue.rows import column_forms, forms

    limit = time_budget(time)
    on = Board.parse(board)
    if sql is None:
        to.write(column_forms(to.look))
        return
    if not sql.strip():
        raise InputError("the query is empty: write one SELECT, such as select ply, count(*) from classes group by 1")
    budget, patience = memory_budget(memory), time_budget(build_time)
    line = progress_line()
    path = engine.database_for(
        on,
        lambda: source_for(on, memory=budget, time=patience),
        line and (lambda n: line(n % 1000, 1001, f"building {on}, {n:,} rows")),
    )
    if line is not None:
        line(1, 1, "")
    to.write(forms(engine.query(path, sql, time=10.0 if limit is None else limit, rows=rows), to.look))
