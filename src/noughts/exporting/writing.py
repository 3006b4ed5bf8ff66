"""One file from one name: the format follows from the ending."""

from __future__ import annotations

from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from noughts.domain.errors import InputError, shown
from noughts.exporting.columns import TableSchema, table_named
from noughts.exporting.rows import Source
from noughts.machine.files import require_writable, writing_file, writing_stream

__all__ = ["FORMATS", "SINGLE", "format_of", "write_tables"]

Done = Callable[[int], None]

FORMATS = {
    "sqlite": "all tables, with their columns described, as one SQLite database",
    "csv": "one table as comma-separated values",
    "jsonl": "one table, one JSON object a line",
    "parquet": "one table as Parquet (needs pyarrow)",
    "md": "one table in Markdown",
    "uci": "the finished boards in the form of the UCI tic-tac-toe endgame data set",
    "graphml": "the class graph as GraphML",
    "dot": "the class graph for Graphviz",
}
"""For each ending of a file name what is written."""
SINGLE = ("csv", "jsonl", "parquet", "md")
"""The formats that hold one table."""
_SAME = {"db": "sqlite", "sqlite3": "sqlite", "ndjson": "jsonl", "markdown": "md", "gv": "dot", "data": "uci"}


def format_of(path: Path, table: str | None = None) -> str:
    """Return the format that the ending of a file name stands for.

    Raises InputError for an unknown ending, and where a table is named that the format does not leave out.
    """
    ending = path.suffix[1:].lower()
    form = _SAME.get(ending, ending)
    if form not in FORMATS:
        raise InputError(f"cannot tell the format from {shown(path.name)}: end the name in .{', .'.join(FORMATS)}")
    if table is not None and form not in SINGLE:
        raise InputError(f"--table has no place with .{form}, which holds {FORMATS[form]}: leave it out")
    return form


def write_tables(source: Source, path: Path, *, table: str | None = None, done: Done | None = None) -> int:
    """Write the catalogue to a file, in the format of its ending, and return the number of rows (or nodes).

    `table` chooses among positions (unless given), classes and moves where the format holds one. The file appears whole
    or not at all. `done` is told the number of rows written so far. Raises InputError for unknown endings, and where an
    extra package is missing; FileError.
    """
    form = format_of(path, table)
    if form == "parquet":
        from noughts.exporting.parquet import require_pyarrow

        require_pyarrow()
    require_writable(path)
    chosen = table_named(table or "positions")
    if form == "sqlite":
        from noughts.exporting.database import write_database

        with writing_file(path) as temporary:
            return write_database(source, temporary, done)
    if form == "parquet":
        from noughts.exporting.parquet import write_parquet

        with writing_file(path) as temporary:
            return write_parquet(source, chosen, temporary, done)
    with writing_stream(path) as stream, TextIOWrapper(stream, encoding="utf-8", newline="") as file:
        return _write_text(source, form, chosen, file, done)


def _write_text(source: Source, form: str, table: TableSchema, file: IO[str], done: Done | None) -> int:
    from noughts.exporting import graphs, text, uci

    if form == "uci":
        return uci.write_uci(source, file, done)
    if form == "graphml":
        return graphs.write_graphml(source, file)
    if form == "dot":
        return graphs.write_dot(source, file)
    writer = {"csv": text.write_csv, "jsonl": text.write_jsonl, "md": text.write_markdown}[form]
    return writer(table, source.chunks(table), file, done)
