"""`noughts export` and `noughts query`: the catalogue of a board as one file, and read-only SQL over it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, replace

from noughts.exporting.api import QueryResult, Written, export, query, table_columns
from noughts.exporting.files import FORMATS, SINGLE
from noughts.machine.budget import format_size
from noughts.present.forms import Forms, as_json
from noughts.present.report import Look, Report, Table, as_csv, as_markdown, try_next
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.verbs.request import Budgeted, Caller, VerbAnswer, VerbRequest, argument, option


@dataclass(frozen=True, kw_only=True)
class ExportRequest(Budgeted):
    """File with every position, position class and move of BOARD, and all their facts.

    .sqlite has the tables positions, classes and moves; .csv, .jsonl, .parquet and .md have one of them. .uci has the
    finished boards in the form of the UCI endgame data set; .graphml and .dot have the class graph.
    """

    forms = ()

    board: str | Board = argument()
    output: str = option("Output file; its ending gives the format", MISSING, short="-o", metavar="FILE")
    table: str | None = option(
        "Table, for formats with one table", choices=("positions", "classes", "moves"), usual="positions"
    )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Write the file, and return its description."""
        budget = {"memory": caller.memory(self.memory), "time": self.time}
        written = export(self.board, self.output, table=self.table, progress=caller.progress, **budget)
        return VerbAnswer(written, {"": lambda: as_text(file_report(written), caller.look)})


@dataclass(frozen=True, kw_only=True)
class QueryRequest(VerbRequest):
    """Result of one SELECT over the tables positions, classes and moves of BOARD; without SQL their columns.

    A board beside the columns class and child, in any spelling, stands for its class. The first use builds the tables
    in the cache folder, which NOUGHTS_CACHE can set.
    """

    forms = ("table", "json", "jsonl", "csv", "markdown")

    board: str | Board = argument()
    sql: str | None = argument(default=None)
    rows: int = option("Maximum number of rows", 10_000, least=1, metavar="N", usual="10,000")
    time: str = option("Time limit of the query", "10s", metavar="TIME")
    memory: str | None = option("Memory limit for building the tables on first use", metavar="SIZE")
    build_time: str = option("Limit on the estimated time for building the tables", "2m", metavar="TIME")
    yes: bool = option("Build tables of more than 100 MB", False)

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        for name in ("rows", "time", "memory", "build-time", "yes"):
            given = self.sql is None and name.replace("-", "_") in self.given
            yield given, f"--{name} needs a query: add a SELECT, or remove --{name}"

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the rows of the query, or the columns of the tables."""
        if self.sql is None:
            return VerbAnswer(None, column_forms(Board.parse(self.board), caller.look))
        how = self.parts("rows", "time", "build_time", "yes") | {"memory": caller.memory(self.memory)}
        found = query(self.board, self.sql, progress=caller.progress, **how)
        for line in found.notes:
            caller.note(f"noughts: {line}")
        return VerbAnswer(found, forms(found, caller.look))


def file_report(written: Written) -> Report:
    """Return the report on a written catalogue."""
    board = written.board
    noun = "classes" if written.form in ("graphml", "dot") else "rows"
    what = f"the table {written.table}" if written.form in SINGLE else FORMATS[written.form]
    sentence = f"{board}: wrote {written.rows:,} {noun} to {written.path} ({what}; {format_size(written.size)})."
    ask = f"noughts query {board} 'select ply, outcome, count(*) from classes group by 1, 2'"
    return Report.of([sentence, try_next(f"noughts query {board}   # lists the columns", ask)])


def site_report(written: Written) -> Report:
    """Return the report on a written site."""
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
    """Return the rows of a query in every form."""
    return _forms(answer.records, report(answer), look)


def column_forms(board: Board, look: Look) -> Forms:
    """Return the columns of the tables of a board in every form."""
    columns = table_columns(board)
    found = Table(list(columns.columns), [list(map(str, row)) for row in columns.rows], frozenset(range(4)))
    commands = try_next(
        f"noughts query {board} 'select ply, outcome, count(*) from classes group by 1, 2'",
        f"noughts query {board} 'select label, count(*) from positions group by 1'",
    )
    return _forms(columns.records, Report.of([found], [_KEYS, commands]), look)


_KEYS = (
    "Keys to join by: positions.class, moves.class and moves.child are values of classes.position. Cells are lists in "
    "JSON, for json_each."
)


def _forms(records: Callable[[], Sequence[Mapping[str, object]]], report: Report, look: Look) -> Forms:
    (table,) = report.tables
    return {
        "table": lambda: as_text(report, look),
        "json": lambda: as_json(records()),
        "jsonl": lambda: "\n".join(map(json.dumps, records())) + "\n",
        "csv": lambda: as_csv(replace(table, words=frozenset(range(len(table.headings))))) + "\n",  # raw values
        "markdown": lambda: as_markdown(table) + "\n",
    }
