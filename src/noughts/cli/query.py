"""`noughts query`: read-only SQL over the catalogue of a board."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.choices import one_of
from noughts.cli.options import memory_budget, time_budget, words
from noughts.cli.progress import progress_line
from noughts.domain.errors import InputError

if TYPE_CHECKING:
    from noughts.exporting.query import QueryResult

__all__ = ["query"]

_FORMS = ("table", "json", "jsonl", "csv", "markdown")


@click.command(short_help="Read-only SQL over the catalogue.")
@click.argument("board")
@click.argument("sql", required=False)
@click.option("--format", "form", **words(*_FORMS), default="table", help="How to print.")
@click.option("--rows", type=click.IntRange(min=1), default=10_000, metavar="N", help="Stop beyond N rows (10,000).")
@click.option("--time", default="10s", metavar="TIME", help="Stop a query that runs longer (10s).")
@click.option("--memory", metavar="SIZE", help="Memory to build the tables with, on first use.")
@click.option("--build-time", default="2m", metavar="TIME", help="Refuse to build tables that take longer (2m).")
def query(board: str, sql: str | None, form: str, rows: int, time: str, memory: str | None, build_time: str) -> None:
    """Answer one SELECT over the tables positions, classes and moves of BOARD; without SQL list their columns.

    The tables are built on first use and kept in the cache folder (NOUGHTS_CACHE says where).
    """
    from noughts.domain.board import Board
    from noughts.exporting import query as engine
    from noughts.exporting.sources import source_for

    one_of("--format", form, _FORMS)
    limit = time_budget(time)
    on = Board.parse(board)
    if sql is None:
        _print_columns(form)
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
    _print_answer(engine.query(path, sql, time=10.0 if limit is None else limit, rows=rows), form)


def _print_answer(answer: QueryResult, form: str) -> None:
    if form in ("json", "jsonl"):
        rows = [dict(zip(answer.columns, map(_json_value, row), strict=True)) for row in answer.rows]
        print(json.dumps(rows, indent=1) if form == "json" else "\n".join(map(json.dumps, rows)))
        return
    if form == "csv":
        import csv
        import sys

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(answer.columns)
        writer.writerows([["" if value is None else value for value in row] for row in answer.rows])
        return
    from noughts.reports.tables import Table, as_markdown, show

    texts = {i for i in range(len(answer.columns)) if any(isinstance(row[i], str) for row in answer.rows)}
    rows_as_text = [["" if value is None else str(value) for value in row] for row in answer.rows]
    table = Table(list(answer.columns), rows_as_text, frozenset(texts))
    if form == "markdown":
        print(as_markdown(table))
        return
    show(table)
    print()
    print(f"{len(answer.rows):,} row{'s' * (len(answer.rows) != 1)}.")


def _json_value(value: object) -> Any:
    """Return a value that readers keep: integers beyond 53 bits and bytes as text."""
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return str(value)
    return value.hex() if isinstance(value, bytes) else value


def _print_columns(form: str) -> None:
    from noughts.exporting.columns import TABLES
    from noughts.reports.tables import Table, as_csv, as_markdown, show

    rows = [
        [table.name, column.name, column.kind, column.meaning + (f"; null {column.null}" if column.null else "")]
        for table in TABLES.values()
        for column in table.columns
    ]
    found = Table(["table", "column", "kind", "meaning"], rows, frozenset(range(4)))
    if form in ("json", "jsonl"):
        records = [dict(zip(found.headings, row, strict=True)) for row in rows]
        print(json.dumps(records, indent=1) if form == "json" else "\n".join(map(json.dumps, records)))
    elif form in ("csv", "markdown"):
        print({"csv": as_csv, "markdown": as_markdown}[form](found))
    else:
        show(found)
        print()
        print("Try next:")
        print("  noughts query 3x3 'select ply, outcome, count(*) from classes group by 1, 2'")
        print("  noughts query 3x3 'select label, count(*) from positions group by 1'")
