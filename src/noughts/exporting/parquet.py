"""Tables as Parquet, through pyarrow, which is an extra."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts._version import __version__
from noughts.domain.board import Board
from noughts.exporting.columns import Column, TableSchema, fits_63_bits
from noughts.exporting.rows import Source
from noughts.machine.packages import package

if TYPE_CHECKING:
    import pyarrow

__all__ = ["require_pyarrow", "write_parquet"]


def require_pyarrow() -> Any:
    """Return the module pyarrow. Raises InputError where it is not installed."""
    package("pyarrow.parquet", "Parquet", "export to .csv or .sqlite")
    return package("pyarrow", "Parquet")


def write_parquet(source: Source, table: TableSchema, path: Path, done: Callable[[int], None] | None = None) -> int:
    """Write a table, one row group a chunk, and return the number of rows.

    Cells are lists of strings, truth is boolean, counts are int64, or strings on boards of more than 20 cells. The
    meaning of each column is in its metadata.
    """
    pa = require_pyarrow()
    schema = _schema(pa, table, source.board)
    written = 0
    with pa.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for chunk in source.chunks(table):
            arrays = [
                pa.array(_values(column, values, source.board), type=field.type)
                for column, values, field in zip(table.columns, chunk, schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            written += len(chunk[0])
            if done is not None:
                done(written)
    return written


def _schema(pa: Any, table: TableSchema, board: Board) -> pyarrow.Schema:
    types = {
        "text": pa.string(),
        "fraction": pa.string(),
        "int": pa.int64(),
        "count": pa.int64() if fits_63_bits(board) else pa.string(),
        "bool": pa.bool_(),
        "cells": pa.list_(pa.string()),
    }
    about = {"board": board.spec, "table": table.name, "row": table.row, "made by": f"noughts {__version__}"}
    fields = [
        pa.field(column.name, types[column.kind], nullable=bool(column.null), metadata={"meaning": column.meaning})
        for column in table.columns
    ]
    return pa.schema(fields, metadata=about)


def _values(column: Column, values: list[object], board: Board) -> list[object]:
    if column.kind == "cells":
        return [value.split() if isinstance(value, str) else value for value in values]
    if column.kind == "bool":
        return [value if value is None else bool(value) for value in values]
    if column.kind == "count" and not fits_63_bits(board):
        return [str(value) for value in values]
    return values
