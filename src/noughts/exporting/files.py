"""The catalogue of a board as a file: tables, a database, a graph; the ending of the name chooses the format."""

from __future__ import annotations

import csv
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from noughts._version import __version__
from noughts.analysis.records.catalogue import (
    ARRAY_CELLS,
    GraphCatalogue,
    about_classes,
    is_for_plain_python,
    require_listable,
)
from noughts.exporting.columns import (
    CLASSES,
    MOVES,
    POSITIONS,
    TABLES,
    Chunk,
    MemorySource,
    Source,
    TableSchema,
    fits_63_bits,
    rows_of,
    table_named,
)
from noughts.machine.budget import Estimate, Limits
from noughts.machine.files import is_sealed, make_folder, put_seal, require_writable, writing_file, writing_stream
from noughts.machine.packages import package
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import LISTED_CLASSES
from noughts.rules.values import roughly

if TYPE_CHECKING:
    import networkx


Done = Callable[[int], None]


def _converted(table: TableSchema, chunk: Chunk, kinds: dict[str, Callable[[Any], object]]) -> Chunk:
    """Return the columns with the values of some kinds converted; null stays null."""
    return [
        [value if value is None else kinds[column.kind](value) for value in values] if column.kind in kinds else values
        for column, values in zip(table.columns, chunk, strict=True)
    ]


def _large_as_text(board: Board) -> dict[str, Callable[[Any], object]]:
    """Return the conversion of counts that may exceed 63 bits."""
    return {} if fits_63_bits(board) else {"count": str}


def _reporting(chunks: Iterable[Chunk], done: Done | None, written: int = 0) -> Iterator[Chunk]:
    """Yield chunks, and report the number of written rows after each."""
    for chunk in chunks:
        yield chunk
        written += len(chunk[0])
        if done is not None:
            done(written)


def write_csv(table: TableSchema, chunks: Iterable[Chunk], file: IO[str]) -> None:
    """Write a table with a heading row. Truth is 1 or 0 and null is empty. Lines end in a line feed."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.names)
    for chunk in chunks:
        writer.writerows(zip(*_converted(table, chunk, {"bool": int}), strict=True))


def write_jsonl(table: TableSchema, chunks: Iterable[Chunk], file: IO[str]) -> None:
    """Write one JSON object a row; counts are decimal strings, cells are lists."""
    for chunk in chunks:
        for row in zip(*_converted(table, chunk, {"count": str, "cells": str.split}), strict=True):
            record = dict(zip(table.names, row, strict=True))
            file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")


def write_markdown(table: TableSchema, chunks: Iterable[Chunk], file: IO[str]) -> None:
    """Write the table in Markdown."""
    rule = ["---:" if column.kind in ("int", "count", "real") else "---" for column in table.columns]
    file.write("| " + " | ".join(table.names) + " |\n| " + " | ".join(rule) + " |\n")
    for chunk in chunks:
        for row in zip(*_converted(table, chunk, {"bool": int}), strict=True):
            cells = ("" if value is None else str(value).replace("|", "\\|") for value in row)
            file.write("| " + " | ".join(cells) + " |\n")


_TO_UCI = str.maketrans({"X": "x", "O": "o", ".": "b", "/": None, "|": None})
_ORDER = str.maketrans("xob", "012")


def _write_uci(source: Source, file: IO[str]) -> int:
    """Write the finished boards in the format of the endgame data set of the UCI repository; return their number.

    A row has one field a cell, in reading order, x, o or b for a blank, then `positive` where X has won and `negative`
    otherwise. Boards that X won come first, then those that O won, then the drawn ones; each part is sorted with x
    before o before b. On 3x3: 958 rows, 626 positive. (D. W. Aha, "Tic-Tac-Toe Endgame", UCI Machine Learning
    Repository, 1991, https://doi.org/10.24432/C5688J.)
    """
    found: dict[object, list[str]] = {"X": [], "O": [], "draw": []}
    for row in _rows(source, POSITIONS):
        if row["terminal"]:
            found[row["outcome"]].append(str(row["position"]).translate(_TO_UCI))
    for outcome, boards in found.items():
        for marks in sorted(boards, key=lambda marks: marks.translate(_ORDER)):
            file.write(",".join(marks) + (",positive\n" if outcome == "X" else ",negative\n"))
    return sum(map(len, found.values()))


_BYTES_PER_ROW = 250
_SECONDS_PER_ROW = 5e-5
"""What a row of positions costs in a database, its share of the other tables included, and in plain Python."""

# Which source gives the rows of a board: a catalogue in memory, or layers of arrays for large boards.


def source_for(
    board: Board,
    limits: Limits | None = None,
    *,
    done: Callable[[int, int], None] | None = None,
    before: Callable[[Estimate], None] = lambda estimate: None,
) -> Source:
    """Return the source of the rows of a board. `before` receives the estimate before the work starts, and may raise.

    The limits (three quarters of the free memory unless given) bound what may be started.
    Raises BudgetError, with the estimate, for boards that need more, and for boards of more than 20 cells whose classes
    are too many for plain Python.
    """
    require_listable(board)
    classes = about_classes(board)
    rows = classes * board.group().order
    if is_for_plain_python(board, classes):
        before(Estimate(0, rows * _SECONDS_PER_ROW, "", disk=rows * _BYTES_PER_ROW))
        return MemorySource(GraphCatalogue(board))
    if board.cells > ARRAY_CELLS:
        raise BudgetError(
            f"{board} has about {roughly(classes)} position classes; the limit above {ARRAY_CELLS} cells "
            f"is {LISTED_CLASSES:,}: choose a smaller board"
        )
    from noughts.analysis.records.layers import estimate_layers

    limits = Limits.of() if limits is None else limits
    needed = estimate_layers(board, classes)
    if not limits.allow(needed):
        raise BudgetError(
            f"{board} needs {needed}, over the budget of {limits.broken_by(needed)}: raise it, or ask about a smaller "
            "board"
        )
    before(replace(needed, disk=rows * _BYTES_PER_ROW))
    from noughts.exporting.arrays import LayerSource

    return LayerSource(board, done)


# The class graph for users of other tools: nodes are position classes, by canonical position; an edge leads to a
# distinct child class and stands for `times` moves.


def _rows(source: Source, table: TableSchema) -> Iterator[dict[str, object]]:
    for chunk in source.chunks(table):
        for row in zip(*chunk, strict=True):
            yield dict(zip(table.names, row, strict=True))


def _write_graphml(source: Source, file: IO[str]) -> int:
    """Write the class graph as GraphML, with the columns of the tables as data, and return the number of nodes."""
    counts = "long" if fits_63_bits(source.board) else "string"
    types = {"int": "long", "count": counts, "bool": "boolean", "real": "double"}
    classes, moves = CLASSES.on(source.board), MOVES.on(source.board)
    attributes = {
        table.name: [column for column in table.columns if column.name not in ("position", "class", "child")]
        for table in (classes, moves)
    }
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for table, owner in ((classes, "node"), (moves, "edge")):
        for column in attributes[table.name]:
            kind = types.get(column.kind, "string")
            key = f'<key id="{owner[0]}-{column.name}" for="{owner}" attr.name="{column.name}" attr.type="{kind}">'
            file.write(f"{key}<desc>{escape(column.meaning)}</desc></key>\n")

    def data(table: TableSchema, owner: str, row: dict[str, object]) -> str:
        values = ((column, row[column.name]) for column in attributes[table.name])
        return "".join(
            f'<data key="{owner}-{column.name}">'
            f"{str(value).lower() if column.kind == 'bool' else escape(str(value))}</data>"
            for column, value in values
            if value is not None
        )

    file.write(f'<graph id={quoteattr(source.board.spec)} edgedefault="directed">\n')
    for row in _rows(source, classes):
        file.write(f"<node id={quoteattr(str(row['position']))}>{data(classes, 'n', row)}</node>\n")
    for row in _rows(source, moves):
        ends = f"source={quoteattr(str(row['class']))} target={quoteattr(str(row['child']))}"
        file.write(f"<edge {ends}>{data(moves, 'e', row)}</edge>\n")
    file.write("</graph>\n</graphml>\n")
    return source.size(CLASSES)


_SHAPES = {"X": "box", "O": "ellipse", "draw": "diamond"}


def _write_dot(source: Source, file: IO[str]) -> int:
    """Write the class graph for Graphviz and return the number of nodes.

    A node shows its board; its shape tells the outcome: a box X, an ellipse O, a diamond a draw; finished games have a
    double line. A label on an edge counts the moves it stands for.
    """
    file.write(f'digraph "{source.board.spec}" {{\n  node [fontname="monospace"];\n')
    for row in _rows(source, CLASSES):
        name = str(row["position"])
        board = name.replace("/", "\\n").replace("|", "\\n\\n")
        over = ", peripheries=2" if row["terminal"] else ""
        shape = _SHAPES[str(row["outcome"])]
        file.write(f'  "{name}" [label="{board}", shape={shape}{over}, tooltip="{row["label"]}"];\n')
    for row in _rows(source, MOVES):
        times = f' [label="{row["times"]}"]' if row["times"] != 1 else ""
        file.write(f'  "{row["class"]}" -> "{row["child"]}"{times};\n')
    file.write("}\n")
    return source.size(CLASSES)


def to_networkx(board: Board | str = "3x3") -> networkx.DiGraph[str]:
    """Return the class graph as a networkx.DiGraph: nodes are canonical positions as text.

    Nodes have the columns of the table `classes` as attributes, edges those of `moves`, counts as exact integers; what
    is null is None. Cost: some 30 microseconds an edge. Raises InputError where networkx is not
    installed.

    >>> to_networkx("3x3").number_of_nodes()
    765
    """
    made_by = package("networkx", "a graph for NetworkX", "export to .graphml")
    source = source_for(Board.parse(board))
    graph: networkx.DiGraph[str] = made_by.DiGraph(board=source.board.spec)
    for row in _rows(source, CLASSES):
        graph.add_node(row.pop("position"), **row)
    for row in _rows(source, MOVES):
        graph.add_edge(row.pop("class"), row.pop("child"), **row)
    return graph


# Tables as Parquet, through pyarrow, which is an extra, and all of them as an SQLite database.


def _require_pyarrow() -> Any:
    package("pyarrow.parquet", "Parquet", "export to .csv or .sqlite")
    return package("pyarrow", "Parquet")


def _write_parquet(source: Source, table: TableSchema, path: Path, done: Done | None = None) -> None:
    """Write a table, one row group a chunk.

    Cells are lists of strings, truth is boolean, counts are int64, or strings on boards of more than 20 cells. The
    meaning of each column is in its metadata.
    """
    pa, board = _require_pyarrow(), source.board
    table = table.on(board)
    counts = pa.int64() if fits_63_bits(board) else pa.string()
    types = {"int": pa.int64(), "count": counts, "bool": pa.bool_(), "real": pa.float64()}
    types["cells"] = pa.list_(pa.string())
    about = {"board": board.spec, "table": table.name, "row": table.row, "made by": f"noughts {__version__}"}
    fields = [
        pa.field(
            column.name,
            types.get(column.kind, pa.string()),
            nullable=bool(column.null),
            metadata={"meaning": column.meaning},
        )
        for column in table.columns
    ]
    schema = pa.schema(fields, metadata=about)
    with pa.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for chunk in _reporting(source.chunks(table), done):
            columns = _converted(table, chunk, {"cells": str.split, **_large_as_text(board)})
            arrays = [pa.array(values, type=field.type) for values, field in zip(columns, schema, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


@lru_cache(maxsize=1 << 16)
def cells_json(names: str) -> str:
    """Return names of cells with spaces as a list in JSON, as the database has them: `["a1","b2"]`."""
    return json.dumps(names.split(), separators=(",", ":"))


_INDEXES = (
    "create unique index classes_by_position on classes (position)",
    "create unique index positions_by_position on positions (position)",
    "create index moves_by_class on moves (class)",
    "create index moves_by_child on moves (child)",
)


def write_database(source: Source, path: Path, done: Done | None = None) -> None:
    """Write the three tables, `about` and `columns` to a new SQLite file.

    Counts are INTEGER, or TEXT on boards of more than 20 cells; cells are JSON. The same board and version give the
    same bytes. Assumes that the file is empty and may be lost if the process dies: see `writing_file`. Raises OSError
    where it cannot grow.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("pragma journal_mode = off")
        connection.execute("pragma synchronous = off")
        connection.execute("begin")
        _describe(connection, source.board)
        written = 0
        for table in TABLES.values():
            _fill(connection, source, table, _reporting(source.chunks(table), done, written))
            written += source.size(table)
        for statement in _INDEXES:
            connection.execute(statement)
        connection.execute("commit")
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from None
    finally:
        connection.close()


def _describe(connection: sqlite3.Connection, board: Board) -> None:
    connection.execute("create table about (name text primary key, value text not null) without rowid")
    facts = {"board": board.spec, "made by": f"noughts {__version__}", "symmetries": str(board.group().order)}
    connection.executemany("insert into about values (?, ?)", facts.items())
    connection.execute('create table columns ("table" text, name text, type text, meaning text, "null" text)')
    rows = [
        (table.name, column.name, column.kind, column.meaning, column.null or None)
        for table in TABLES.values()
        for column in table.on(board).columns
    ]
    connection.executemany("insert into columns values (?, ?, ?, ?, ?)", rows)


def _fill(connection: sqlite3.Connection, source: Source, table: TableSchema, chunks: Iterable[Chunk]) -> None:
    types = {"int": "integer", "bool": "integer", "real": "real"}
    types["count"] = "integer" if fits_63_bits(source.board) else "text"
    definitions = ", ".join(
        f'"{column.name}" {types.get(column.kind, "text")}{"" if column.null else " not null"}'
        for column in table.on(source.board).columns
    )
    connection.execute(f"create table {table.name} ({definitions})")
    places, kinds = ", ".join("?" * len(table.columns)), _large_as_text(source.board)
    kinds["cells"] = cells_json
    for chunk in chunks:
        rows = zip(*_converted(table, chunk, kinds), strict=True)
        connection.executemany(f"insert into {table.name} values ({places})", rows)


# The databases behind `noughts query`: built on first use, kept sealed, and built again on any doubt.

_LAYOUT = 3
"""Raised when tables change within a version."""
_REMEDY = "make room there, or set NOUGHTS_CACHE to another folder"
_SEAL = 60
"""Where SQLite keeps the `user_version` of a database, four bytes that mean nothing to it."""


def cache_folder() -> Path:
    """Return where databases are kept: NOUGHTS_CACHE, else `noughts` in the cache folder of the user.

    That is XDG_CACHE_HOME where it is an absolute path, as its specification has it, else `.cache` at home.
    """
    given = os.environ.get("NOUGHTS_CACHE")
    if given:
        return Path(given)
    of_desktop = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (of_desktop if of_desktop.is_absolute() else Path.home() / ".cache") / "noughts"


def database_for(board: Board, source: Callable[[], Source], done: Callable[[int, int], None] | None = None) -> Path:
    """Return the path of the database of a board; build it unless this version has stored a complete one.

    `source` gives rows only when the file has to be built; `done` receives the number of rows written and the number in
    all. Every byte of a stored file is read: half a second for a gigabyte. Raises FileError.
    """
    words = re.sub(r"[^0-9a-z]+", "-", board.spec.lower()).strip("-")[:40]
    given = f"{__version__} {_LAYOUT} {board} {board.given_lines} {board.given_symmetries} {board.misere}"
    mark = sha256(given.encode()).hexdigest()[:12]
    path = cache_folder() / f"{words}-{__version__}-{mark}.sqlite"
    make_folder(path.parent, _REMEDY)
    if not is_sealed(path, given, _SEAL):
        with writing_file(path, _REMEDY) as temporary:
            tables = source()
            rows = rows_of(tables)
            write_database(tables, temporary, done and (lambda written: done(written, rows)))
            put_seal(temporary, given, _SEAL)
    return path


# One file from one name: the format follows from the ending.

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
"""The content of a file for each ending of its name."""
SINGLE = ("csv", "jsonl", "parquet", "md")
"""The formats that hold one table."""
_SAME = {"db": "sqlite", "sqlite3": "sqlite", "ndjson": "jsonl", "markdown": "md", "gv": "dot", "data": "uci"}


def format_of(path: Path, table: str | None = None) -> str:
    """Return the format for the ending of a file name.

    Raises InputError for an unknown ending, and where a table is named that the format does not leave out.
    """
    ending = path.suffix[1:].lower()
    form = _SAME.get(ending, ending)
    if form not in FORMATS:
        raise InputError(f"cannot tell the format from {shown(path.name)}: end the name in .{', .'.join(FORMATS)}")
    if table is not None and form not in SINGLE:
        raise InputError(f"--table cannot be used with .{form}, which holds {FORMATS[form]}: remove it")
    return form


def write_tables(source: Source, path: Path, *, table: str | None = None, done: Done | None = None) -> int:
    """Write the catalogue to a file, in the format of its ending, and return the number of rows (or nodes).

    `table` chooses among positions (unless given), classes and moves where the format holds one. The file appears whole
    or not at all. `done` receives the number of rows written so far. Raises InputError for unknown endings and a
    missing extra package; FileError.
    """
    form, chosen = format_of(path, table), table_named(table or "positions")
    if form == "parquet":
        _require_pyarrow()
    require_writable(path)
    if form in ("sqlite", "parquet"):
        with writing_file(path) as temporary:
            if form == "sqlite":
                write_database(source, temporary, done)
                return rows_of(source)
            _write_parquet(source, chosen, temporary, done)
            return source.size(chosen)
    with writing_stream(path) as stream, TextIOWrapper(stream, encoding="utf-8", newline="") as file:
        if form not in SINGLE:
            return {"uci": _write_uci, "graphml": _write_graphml, "dot": _write_dot}[form](source, file)
        write = {"csv": write_csv, "jsonl": write_jsonl, "md": write_markdown}[form]
        write(chosen.on(source.board), _reporting(source.chunks(chosen), done), file)
        return source.size(chosen)
