"""Tables as CSV, JSON lines and Markdown: text that any program reads."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from noughts.exporting.columns import Column, TableSchema
from noughts.exporting.rows import Chunk

__all__ = ["json_rows", "write_csv", "write_jsonl", "write_markdown"]

Done = Callable[[int], None]


def write_csv(table: TableSchema, chunks: Iterable[Chunk], file: IO[str], done: Done | None = None) -> int:
    """Write a table with a heading row and return the number of rows.

    Truth is 1 or 0 and null is empty. Lines end in a line feed.
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.names)
    written = 0
    for chunk in chunks:
        writer.writerows(zip(*_plain(table, chunk), strict=True))
        written = _told(written, chunk, done)
    return written


def write_jsonl(table: TableSchema, chunks: Iterable[Chunk], file: IO[str], done: Done | None = None) -> int:
    """Write one JSON object a row and return the number of rows; counts are decimal strings, cells are lists."""
    written = 0
    for chunk in chunks:
        for row in json_rows(table, chunk):
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
        written = _told(written, chunk, done)
    return written


def write_markdown(table: TableSchema, chunks: Iterable[Chunk], file: IO[str], done: Done | None = None) -> int:
    """Write the table in Markdown and return the number of rows."""
    rule = ["---:" if column.kind in ("int", "count") else "---" for column in table.columns]
    file.write("| " + " | ".join(table.names) + " |\n| " + " | ".join(rule) + " |\n")
    written = 0
    for chunk in chunks:
        for row in zip(*_plain(table, chunk), strict=True):
            cells = ("" if value is None else str(value).replace("|", "\\|") for value in row)
            file.write("| " + " | ".join(cells) + " |\n")
        written = _told(written, chunk, done)
    return written


def json_rows(table: TableSchema, chunk: Chunk) -> Iterator[dict[str, object]]:
    """Yield rows as JSON objects."""
    columns = [_json_values(column, values) for column, values in zip(table.columns, chunk, strict=True)]
    for row in zip(*columns, strict=True):
        yield dict(zip(table.names, row, strict=True))


def _json_values(column: Column, values: list[object]) -> list[object]:
    if column.kind == "count":
        return [str(value) for value in values]
    if column.kind == "cells":
        return [value.split() if isinstance(value, str) else value for value in values]
    return values


def _plain(table: TableSchema, chunk: Chunk) -> Chunk:
    """Return the columns with truth as 1 and 0."""
    return [
        [value if value is None else int(bool(value)) for value in values] if column.kind == "bool" else values
        for column, values in zip(table.columns, chunk, strict=True)
    ]


def _told(written: int, chunk: Chunk, done: Done | None) -> int:
    written += len(chunk[0])
    if done is not None:
        done(written)
    return written
