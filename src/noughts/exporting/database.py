"""The whole catalogue as one SQLite file: the three tables, their columns in words, and what made it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from noughts._version import __version__
from noughts.domain.board import Board
from noughts.exporting.columns import TABLES, Column, TableSchema, fits_63_bits
from noughts.exporting.rows import Chunk, Source

__all__ = ["write_database"]

_INDEXES = (
    "create unique index classes_by_position on classes (position)",
    "create unique index positions_by_position on positions (position)",
    "create index moves_by_class on moves (class)",
    "create index moves_by_child on moves (child)",
)


def write_database(source: Source, path: Path, done: Callable[[int], None] | None = None) -> int:
    """Write the three tables, `about` and `columns` to a new SQLite file and return the number of rows.

    Counts are INTEGER, or TEXT on boards of more than 20 cells. The same board and version give the same bytes. Assumes
    that the file is empty and may be lost if the process dies: see `writing_file`. Raises OSError where it cannot grow.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("pragma journal_mode = off")
        connection.execute("pragma synchronous = off")
        connection.execute("begin")
        _describe(connection, source.board)
        written = 0
        for table in TABLES.values():
            written = _fill(connection, source, table, written, done)
        for statement in _INDEXES:
            connection.execute(statement)
        connection.execute("commit")
        return written
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from None
    finally:
        connection.close()


def _describe(connection: sqlite3.Connection, board: Board) -> None:
    connection.execute("create table about (name text primary key, value text not null) without rowid")
    facts = {"board": board.spec, "made by": f"noughts {__version__}", "symmetries": str(board.group().order)}
    connection.executemany("insert into about values (?, ?)", facts.items())
    connection.execute('create table columns ("table" text, name text, type text, meaning text, "null" text)')
    connection.executemany(
        "insert into columns values (?, ?, ?, ?, ?)",
        [
            (table.name, column.name, column.kind, column.meaning, column.null or None)
            for table in TABLES.values()
            for column in table.columns
        ],
    )


def _sql_type(column: Column, board: Board) -> str:
    if column.kind in ("int", "bool") or (column.kind == "count" and fits_63_bits(board)):
        return "integer"
    return "text"


def _fill(
    connection: sqlite3.Connection, source: Source, table: TableSchema, written: int, done: Callable[[int], None] | None
) -> int:
    board = source.board
    definitions = ", ".join(
        f'"{column.name}" {_sql_type(column, board)}{"" if column.null else " not null"}' for column in table.columns
    )
    connection.execute(f"create table {table.name} ({definitions})")
    places = ", ".join("?" * len(table.columns))
    for chunk in source.chunks(table):
        rows = zip(*_stored(table, chunk, board), strict=True)
        connection.executemany(f"insert into {table.name} values ({places})", rows)
        written += len(chunk[0])
        if done is not None:
            done(written)
    return written


def _stored(table: TableSchema, chunk: Chunk, board: Board) -> Chunk:
    """Return the columns as SQLite keeps them: counts that may pass 63 bits as text."""
    if fits_63_bits(board):
        return chunk
    return [
        [str(value) for value in values] if column.kind == "count" else values
        for column, values in zip(table.columns, chunk, strict=True)
    ]
