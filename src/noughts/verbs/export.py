"""`noughts export` and `noughts query`: the catalogue of a board as one file, and read-only SQL over it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass

from noughts.exporting.api import QueryResult, Written, export, query
from noughts.exporting.columns import TABLES
from noughts.exporting.files import FORMATS, SINGLE
from noughts.machine.budget import format_size
from noughts.present.forms import Forms, as_json
from noughts.present.report import Look, Report, Table, as_csv, as_markdown, try_next
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.verbs.request import (
    Budgeted,
    Caller,
    VerbAnswer,
    VerbRequest,
    argument,
    option,
)


@dataclass(frozen=True, kw_only=True)
class ExportRequest(Budgeted):
    """Write every position of BOARD, its class, and every move, with all that is known of them.

    .sqlite holds the tables positions, classes and moves; .csv, .jsonl, .parquet and .md hold one of them; .uci has the
    finished boards as the UCI endgame data set, .graphml and .dot the class graph.
    """

    forms = ()

    board: str | Board = argument()
    output: str = option("The file; its ending gives the format.", MISSING, short="-o", metavar="FILE")
    table: str | None = option(
        "Which table, where the format holds one (positions).", choices=("positions", "classes", "moves")
    )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return what was written."""
        budget = {"memory": caller.memory(self.memory), "time": self.time}
        written = export(self.board, self.output, table=self.table, progress=caller.progress, **budget)
        return VerbAnswer(written, {"": lambda: as_text(file_report(written), caller.look)})


@dataclass(frozen=True, kw_only=True)
class QueryRequest(VerbRequest):
    """Answer one SELECT over the tables positions, classes and moves of BOARD; without SQL list their columns.

    The tables are built on first use and kept in the cache folder (NOUGHTS_CACHE says where).
    """

    forms = ("table", "json", "jsonl", "csv", "markdown")

    board: str | Board = argument()
    sql: str | None = argument(default=None)
    rows: int = option("Stop beyond N rows.", 10_000, least=1, metavar="N", usual="10,000")
    time: str = option("Stop a query that runs longer.", "10s", metavar="TIME")
    memory: str | None = option("Memory to build the tables with, on first use.", metavar="SIZE")
    build_time: str = option("Refuse to build tables that take longer.", "2m", metavar="TIME")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return what is about a query where there is none."""
        for name in ("rows", "time", "memory", "build-time"):
            given = self.sql is None and name.replace("-", "_") in self.given
            yield given, f"--{name} is about a query: add the SELECT, or leave it out"

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the rows, or the columns that can be asked for."""
        if self.sql is None:
            Board.parse(self.board)
            return VerbAnswer(None, column_forms(caller.look))
        how = self.parts("rows", "time", "build_time") | {"memory": caller.memory(self.memory)}
        found = query(self.board, self.sql, progress=caller.progress, **how)
        return VerbAnswer(found, forms(found, caller.look))


def file_report(written: Written) -> Report:
    """Return what there is to say about a catalogue in a file."""
    board = written.board
    noun = "classes" if written.form in ("graphml", "dot") else "rows"
    what = f"the table {written.table}" if written.form in SINGLE else FORMATS[written.form]
    sentence = f"{board}: wrote {written.rows:,} {noun} to {written.path} ({what}; {format_size(written.size)})."
    ask = f"noughts query {board} 'select ply, outcome, count(*) from classes group by 1, 2'"
    return Report.of([sentence, try_next(f"noughts query {board}   # lists the columns", ask)])


def site_report(written: Written) -> Report:
    """Return what there is to say about a site."""
    board, size, rules = written.board, format_size(written.size), written.rules
    sentence = f"{board}: wrote {written.rows:,} pages to {written.path} ({size}). Open {written.path / 'index.html'}."
    more = f"noughts export {board} -o {str(board).partition(':')[0]}.sqlite"
    more = f"noughts count {board} --same choices {rules}" if rules else more
    return Report.of([sentence, try_next(f"noughts positions {board}{f' {rules}' if rules else ''} --terminal", more)])


def report(answer: QueryResult) -> Report:
    """Return the rows of a query as a table."""
    texts = frozenset(i for i in range(len(answer.columns)) if any(isinstance(row[i], str) for row in answer.rows))
    rows = [["" if value is None else str(value) for value in row] for row in answer.rows]
    row_count = f"{len(answer.rows):,} row{'s' * (len(answer.rows) != 1)}."
    return Report.of([Table(list(answer.columns), rows, texts)], [row_count])


def forms(answer: QueryResult, look: Look) -> Forms:
    """Return the rows of a query in every form; in CSV values as they are: a comma in a text is no grouping."""

    def values() -> str:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerows([answer.columns, *(["" if value is None else value for value in row] for row in answer.rows)])
        return buffer.getvalue()

    return _forms(answer.records, report(answer), look) | {"csv": values}


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
    return _forms(lambda: records, Report.of([found], [commands]), look)


def _forms(records: Callable[[], Sequence[Mapping[str, object]]], report: Report, look: Look) -> Forms:
    (table,) = report.tables
    return {
        "table": lambda: as_text(report, look),
        "json": lambda: as_json(records()),
        "jsonl": lambda: "\n".join(map(json.dumps, records())) + "\n",
        "csv": lambda: as_csv(table) + "\n",
        "markdown": lambda: as_markdown(table) + "\n",
    }
