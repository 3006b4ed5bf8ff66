"""`noughts export`: the catalogue of a board as one file."""

from __future__ import annotations

from typing import Any

import click

from noughts.cli.options import Verb, budget_options, memory_budget, words
from noughts.cli.progress import at_rest, progress_line
from noughts.cli.sink import screen

__all__ = ["export"]


@click.command(cls=Verb, short_help="The whole catalogue as one file: SQLite, CSV, Parquet, ...")
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
    from noughts.exporting.api import export as ask
    from noughts.present.text import as_text
    from noughts.verbs.export import file_report

    memory = memory_budget(given["memory"])
    written = ask(board, output, table=table, memory=memory, time=given["time"], progress=progress_line())
    at_rest()
    print(as_text(file_report(written), screen()), end="")
