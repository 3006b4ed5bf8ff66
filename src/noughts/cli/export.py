"""`noughts export`: the catalogue of a board as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from noughts.cli.options import budget_options, memory_budget, time_budget, words
from noughts.cli.progress import progress_line
from noughts.cli.screen import screen

__all__ = ["export"]


@click.command(short_help="The whole catalogue as one file: SQLite, CSV, Parquet, ...")
@click.argument("board")
@click.option("-o", "--output", metavar="FILE", required=True, help="The file; its ending gives the format.")
@click.option(
    "--table", **words("positions", "classes", "moves"), help="Which table, where the format holds one (positions)."
)
@budget_options()
def export(board: str, output: str, table: str | None, **given: Any) -> None:
    """Write every position of BOARD, its class, and every move, with all that is known of them.

    .sqlite holds the tables positions, classes and moves; .csv, .jsonl, .parquet and .md hold one of them; .uci has the
    finished boards as the UCI endgame data set, .graphml and .dot the class graph.
    """
    from noughts.domain.board import Board
    from noughts.exporting.columns import TABLES, table_named
    from noughts.exporting.sources import source_for
    from noughts.exporting.writing import format_of, write_tables
    from noughts.machine.files import require_writable
    from noughts.reports.catalogue.written import file_report
    from noughts.reports.text import as_text

    path = Path(output)
    form = format_of(path, table)
    if table is not None:
        table_named(table)
    require_writable(path)
    on = Board.parse(board)
    line = progress_line()
    source = source_for(
        on,
        memory=memory_budget(given["memory"]),
        time=time_budget(given["time"]),
        done=line and (lambda ply, plies: line(ply, plies + 1, f"listing {on}")),
    )
    tables = list(TABLES.values()) if form == "sqlite" else [table_named(table or "positions")]
    rows = sum(map(source.size, tables))
    written = write_tables(source, path, table=table, done=line and (lambda n: line(n, rows, f"writing {path.name}")))
    if line is not None:
        line(1, 1, "")
    report = file_report(on, path, form, table or "positions", written, path.stat().st_size)
    print(as_text(report, screen()), end="")
