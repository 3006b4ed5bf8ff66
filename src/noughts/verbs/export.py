"""What was written to a file or a folder for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence

from noughts.exporting.api import QueryResult, Written
from noughts.exporting.columns import TABLES
from noughts.exporting.files import FORMATS, SINGLE
from noughts.machine.budget import format_size
from noughts.present.forms import Forms, as_json
from noughts.present.report import Look, Report, Table, as_csv, as_markdown, try_next
from noughts.present.text import as_text


def file_report(written: Written) -> Report:
    """Return what there is to say about a catalogue in a file."""
    board = written.board
    noun = "classes" if written.form in ("graphml", "dot") else "rows"
    what = f"the table {written.table}" if written.form in SINGLE else FORMATS[written.form]
    size = format_size(written.size)
    commands = try_next(
        f"noughts query {board}   # lists the columns",
        f"noughts query {board} 'select ply, outcome, count(*) from classes group by 1, 2'",
    )
    return Report.of([f"{board}: wrote {written.rows:,} {noun} to {written.path} ({what}; {size}).", commands])


def site_report(written: Written) -> Report:
    """Return what there is to say about a site."""
    board, size = written.board, format_size(written.size)
    said = f"{board}: wrote {written.rows:,} pages to {written.path} ({size}). Open {written.path / 'index.html'}."
    if written.rules:
        commands = try_next(
            f"noughts positions {board} {written.rules} --terminal",
            f"noughts count {board} --same choices {written.rules}",
        )
    else:
        commands = try_next(
            f"noughts positions {board} --terminal",
            f"noughts export {board} -o {str(board).partition(':')[0]}.sqlite",
        )
    return Report.of([said, commands])


# The rows that a query gives, and the columns that it may ask for.


def forms(answer: QueryResult, look: Look) -> Forms:
    """Return the rows of a query in every form."""
    said = f"{len(answer.rows):,} row{'s' * (len(answer.rows) != 1)}."
    return _forms(answer.records, _table(answer), lambda table: Report.of([table], [said]), look) | {
        "csv": lambda: _csv(answer)
    }


def column_forms(look: Look) -> Forms:
    """Return the columns of the tables that a query may ask for, in every form."""
    rows = [
        [table.name, column.name, column.kind, column.meaning + (f"; null {column.null}" if column.null else "")]
        for table in TABLES.values()
        for column in table.columns
    ]
    found = Table(["table", "column", "kind", "meaning"], rows, frozenset(range(4)))
    commands = try_next(
        "noughts query 3x3 'select ply, outcome, count(*) from classes group by 1, 2'",
        "noughts query 3x3 'select label, count(*) from positions group by 1'",
    )
    records = [dict(zip(found.headings, row, strict=True)) for row in rows]
    return _forms(lambda: records, found, lambda table: Report.of([table], [commands]), look)


def _forms(
    records: Callable[[], Sequence[Mapping[str, object]]],
    table: Table,
    report: Callable[[Table], Report],
    look: Look,
) -> Forms:
    return {
        "table": lambda: as_text(report(table), look),
        "json": lambda: as_json(records()),
        "jsonl": lambda: "\n".join(map(json.dumps, records())) + "\n",
        "csv": lambda: as_csv(table) + "\n",
        "markdown": lambda: as_markdown(table) + "\n",
    }


def _table(answer: QueryResult) -> Table:
    texts = frozenset(i for i in range(len(answer.columns)) if any(isinstance(row[i], str) for row in answer.rows))
    rows = [["" if value is None else str(value) for value in row] for row in answer.rows]
    return Table(list(answer.columns), rows, texts)


def _csv(answer: QueryResult) -> str:
    """Return the rows with their values as they are: a comma in a text is no grouping."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows([["" if value is None else value for value in row] for row in answer.rows])
    return buffer.getvalue()
