"""Read-only SQL over the catalogue: one SELECT over a database that is closed to every change."""

from __future__ import annotations

import os
import re
import sqlite3
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from urllib.parse import quote

from noughts.exporting.columns import CLASSES, MOVES, TABLES, rows_of, table_named
from noughts.exporting.files import cache_folder, cells_json, database_for, format_of, source_for, write_tables
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import Estimate, Limits, format_duration, format_size, seconds_of
from noughts.machine.files import require_writable
from noughts.machine.packages import Framed
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import flag, function_or_none, path_of, whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.position import Position, parse_position
from noughts.rules.values import Reported, short

_EMPTY = "the query is empty: write one SELECT, such as select ply, count(*) from classes group by 1"
_STEPS = 20_000
_LONGEST = 10_000_000
_LONGEST_TIME = 1_000_000.0
_HEAP = 1_000_000_000
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


@dataclass(frozen=True, repr=False)
class QueryResult(Reported, Framed):
    """The result of a query: the names of its columns, and its rows of integers, reals, texts and nulls.

    `notes` says which boards of the query were read as others, and which boards play cannot lead to.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        noun = "row" if len(self.rows) == 1 else "rows"
        return f"<QueryResult: {len(self.rows):,} {noun} of {short(', '.join(self.columns), 60)}>"

    def frame_rows(self) -> list[dict[str, object]]:
        """Return the rows as they are, for `to_pandas` and `to_polars`.

        Raises InputError if two columns have one name.
        """
        self._require_names()
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def records(self) -> list[dict[str, object]]:
        """Return the rows for JSON; integers beyond 53 bits, bytes and infinities as text, which no reader corrupts.

        Raises InputError if two columns have one name.
        """
        self._require_names()
        return [dict(zip(self.columns, map(_json_value, row), strict=True)) for row in self.rows]

    def as_dict(self) -> dict[str, object]:
        """Return the columns, the rows and the notes for JSON."""
        return {"columns": list(self.columns), "rows": self.records(), "notes": list(self.notes)}

    def _require_names(self) -> None:
        """Raise InputError if two columns have one name: rows by name would lose one."""
        twice = next((name for at, name in enumerate(self.columns) if name in self.columns[:at]), None)
        if twice is not None:
            raise InputError(f"two columns are called {shown(twice)}: name one of them otherwise, with AS")


def _json_value(value: object) -> object:
    if (isinstance(value, int) and abs(value) >= 1 << 53) or (isinstance(value, float) and not isfinite(value)):
        return str(value)
    return value.hex() if isinstance(value, bytes) else value


def ask_database(path: Path, sql: str, *, time: float = 10.0, rows: int = 100_000) -> QueryResult:
    """Return the answer of one SELECT over a database, run in a separate process; any other statement is refused.

    A name in double quotes is a column, never text, as which SQLite reads one that it does not know. SQL functions
    cannot be interrupted: the process is ended half a second after the time limit. Raises InputError for
    bad SQL, for a statement that writes, attaches or sets anything, and for several statements; BudgetError for one
    that runs longer than `time` seconds, returns more than `rows` rows, or needs too much memory.
    """
    try:
        return apart(min(time, _LONGEST_TIME) + 0.5, _query_file, path, _with_names(sql), time, rows)
    except TooLate:
        raise _late(time) from None


def require_query(sql: object) -> str:
    """Return a text that may be a query. Raises InvalidType, and InputError for one that is empty or no text."""
    if not isinstance(sql, str):
        raise wrong_type("a query", sql, "text: one SELECT")
    if not sql.strip():
        raise InputError(_EMPTY)
    if any("\ud800" <= sign <= "\udfff" for sign in sql):
        raise InputError(f"{shown(sql)} is not text: write one SELECT in whole characters, in UTF-8")
    return sql


_QUOTED = re.compile(
    r"""'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|\[[^\]]*\]|`[^`]*`|"(?P<name>[^"\[\]]+)"(?!")|"(?:[^"]|"")*\"""", re.DOTALL
)
"""What may hold a double quote that begins no name, and a name in double quotes."""


def _with_names(sql: str) -> str:
    """Return a query with names in brackets for double quotes: of these SQLite reads an unknown name as text."""

    return re.sub(_QUOTED, lambda found: f"[{found['name']}]" if found["name"] else found[0], sql)


def _late(time: float) -> BudgetError:
    return BudgetError(f"the query ran longer than {time:g} s and was stopped: ask for less, or raise --time")


def _query_file(path: Path, sql: str, time: float, rows: int) -> QueryResult:
    """Return the answer of a query."""
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path.absolute()))}?mode=ro&immutable=1", uri=True, isolation_level=None
    )
    refused: list[str] = []
    deadline = clock.monotonic() + time
    try:
        connection.execute(f"pragma hard_heap_limit = {_HEAP}")
        connection.execute("pragma temp_store = memory")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.set_authorizer(_guard(refused))
        connection.set_progress_handler(lambda: int(clock.monotonic() > deadline), _STEPS)
        return _fetched(connection, sql, rows)
    except sqlite3.Error as error:
        raise _explained(error, sql, refused, time, clock.monotonic() > deadline) from None
    except MemoryError:
        raise BudgetError(f"the query needs more than {_HEAP // 10**9} GB of memory: ask for less") from None
    finally:
        connection.close()


def _guard(refused: list[str]) -> Callable[[int, str | None, str | None, str | None, str | None], int]:
    def allow(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
        if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":  # SQLite asks so before json_each
            return sqlite3.SQLITE_OK
        if action in _ALLOWED and (second or "").lower() != "load_extension":
            return sqlite3.SQLITE_OK
        refused.append(first or "")
        return sqlite3.SQLITE_DENY

    return allow


def _fetched(connection: sqlite3.Connection, sql: str, rows: int) -> QueryResult:
    cursor = connection.execute(sql)
    if cursor.description is None:
        raise InputError(_EMPTY)
    found, size = [], 0
    for row in cursor:
        found.append(tuple(row))
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(found) > rows:
            raise BudgetError(f"the query returns more than {rows:,} rows: add a LIMIT, or raise --rows")
        if size > 10 * _LONGEST:
            raise BudgetError(f"the query returns more than {10 * _LONGEST // 10**6} MB of text: ask for less")
    return QueryResult(tuple(column[0] for column in cursor.description), tuple(found))


def _explained(error: sqlite3.Error, sql: str, refused: list[str], time: float, late: bool) -> Exception:
    """Return an error of SQLite as an error of noughts, in one sentence."""
    text = " ".join(str(error).split())
    if refused:
        return InputError(
            "the catalogue is read-only, and changes, attachments and pragmas are refused: write one SELECT"
        )
    if "interrupted" in text and late:
        return _late(time)
    if "out of memory" in text or "too big" in text:
        return BudgetError(f"the query needs too much memory ({text}): ask for less")
    if "one statement" in text:
        return InputError("there is more than one statement: write one SELECT")
    words = shown(text, 120)[1:-1] if len(text) > 120 else text
    return InputError(f"the query cannot be read ({words}): {_remedy(text, sql)}")


def _remedy(text: str, sql: str) -> str:
    """Return what to do about an error of SQLite."""
    if "no such column" in text:
        name = text.partition("no such column: ")[2].rpartition(".")[2]
        having = [table.name for table in TABLES.values() if name.lower() in table.names]
        if having:
            return f"{name} is a column of {' and '.join(having)}"
        if f"[{name}]" in sql:
            return f"double quotes hold names; text stands in single quotes, as in {shown(name)}"
        return "noughts query BOARD lists the columns"
    remedies = {
        "no such table": f"the tables are {', '.join(TABLES)}",
        "ambiguous column": "put its table and a dot before it, as in classes.ply",
        "malformed JSON": "columns of cells alone hold lists, as in json_each(best_moves)",
        "": "write one SELECT in the SQL of SQLite",
    }
    return next(remedy for words, remedy in remedies.items() if words in text)


# The catalogue of a board as a file, and as tables to query: one function call each.


@dataclass(frozen=True, repr=False)
class Written(Reported):
    """The written file: the path, the format (`site` for a folder of pages), how many rows or pages, and the bytes.

    `table` is the table if the format holds one, else None. `rules`: the options that restrict play, such as
    `--moves block --end decided`; empty for free play.
    """

    board: Board
    path: Path
    form: str
    table: str | None
    rows: int
    size: int
    rules: str = ""

    def __repr__(self) -> str:
        nouns = {"site": ("page", "pages"), "graphml": ("class", "classes"), "dot": ("class", "classes")}
        noun = nouns.get(self.form, ("row", "rows"))[self.rows != 1]
        return f"<Written {short(self.path)}, {self.form} of {short(self.board)}: {self.rows:,} {noun}>"

    def as_dict(self) -> dict[str, object]:
        """Return the facts about the file for JSON."""
        named = {"board": self.board.spec, "path": str(self.path), "format": self.form, "table": self.table}
        return {
            **named,
            "rows": str(self.rows),
            "bytes": str(self.size),
            **({"rules": self.rules} if self.rules else {}),
        }


def export(
    board: Board | str,
    path: str | os.PathLike[str],
    *,
    table: str | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    progress: Progress | None = None,
) -> Written:
    """Write every position of a board, its class, and every move to one file, in the format of its ending.

    Parameters
    ----------
    board
        The board, or its name.
    path
        The file. `.sqlite` holds all tables; `.csv`, `.jsonl`, `.parquet` and `.md` hold one; `.uci`, `.graphml` and
        `.dot` hold the finished boards or the class graph. An existing file is replaced whole.
    table
        `positions` (the default), `classes` or `moves`.
    memory, time
        The budget, in bytes and seconds or as text; free memory and no limit by default.
    progress
        Receives what is being done.

    Returns
    -------
    Written
        What the file holds, how many rows, and its size in bytes.

    Raises
    ------
    InputError
        The ending or the table is unknown.
    FileError
        The file cannot be written.
    BudgetError
        The board does not fit the budget.
    """
    on, target, budget = Board.parse(board), path_of("the file", path), Limits.of(memory, time)
    function_or_none("progress", progress)
    if table is not None and not isinstance(table, str):
        raise wrong_type("the table", table, f"one of {', '.join(TABLES)}")
    say = progress or silent
    form = format_of(target, table)
    tables = list(TABLES.values()) if form == "sqlite" else [table_named(table or "positions")]
    require_writable(target)
    source = source_for(on, budget, done=_listing(on, say))
    rows = rows_of(source, tables)
    written = write_tables(source, target, table=table, done=lambda n: say(n, rows + 1, f"writing {target.name}"))
    say(1, 1, "")
    named = None if form == "sqlite" else table or "positions"
    return Written(on, target, form, named, written, target.stat().st_size)


def query(
    board: Board | str,
    sql: str | None = None,
    *,
    rows: int = 10_000,
    time: float | str = 10.0,
    memory: int | str | None = None,
    build_time: float | str | None = "2m",
    yes: bool = False,
    progress: Progress | None = None,
) -> QueryResult:
    """Return the answer of one SELECT over the tables positions, classes and moves of a board, or their columns.

    A board beside `class` or `child`, in any spelling, stands for its class. So does one beside `position` unless the
    query names the table positions. Names of cells beside a column of cells stand for their list.

    Parameters
    ----------
    board
        The board, or its name.
    sql
        One SELECT; None asks for the columns.
    rows, time
        The most rows, and seconds or text such as `10s`, of the query.
    memory, build_time
        The budget for the tables, which are built on first use and kept in the cache folder (NOUGHTS_CACHE).
    yes
        Build the tables also where they take more than 100 MB of disk; without it the error says how much they take.
    progress
        Receives what is being done.

    Returns
    -------
    QueryResult
        The columns and rows.

    Raises
    ------
    InputError
        The text is not one SELECT.
    BudgetError
        The query or the tables exceed their budget.
    """
    on, budget = Board.parse(board), Limits.of(memory, build_time)
    function_or_none("progress", progress)
    flag("yes", yes)
    if sql is None:
        return table_columns(on)
    rows = whole_number("the number of rows", rows, 1)
    seconds = seconds_of(time)
    require_query(sql)
    say = progress or silent

    def ask_disk(estimate: Estimate) -> None:
        if estimate.disk > _FREE_DISK and not yes:
            cost = f"{format_size(estimate.disk)} in {cache_folder()} and {format_duration(estimate.seconds)}"
            raise BudgetError(f"the tables of {on} would take about {cost}: add --yes to build them")

    path = database_for(
        on,
        lambda: source_for(on, budget, done=_listing(on, say), before=ask_disk),
        lambda written, rows: say(written, rows + 1, f"building the tables of {on}"),
    )
    say(1, 1, "")
    found, notes = _with_boards(on, sql)
    return replace(ask_database(path, found, time=seconds, rows=rows), notes=notes)


def table_columns(board: Board) -> QueryResult:
    """Return the columns of the tables of a board: the table, the name, the kind and the meaning of each."""
    rows = [
        (table.name, column.name, column.kind, column.meaning + (f"; null {column.null}" if column.null else ""))
        for table in TABLES.values()
        for column in table.on(board).columns
    ]
    return QueryResult(("table", "column", "kind", "meaning"), tuple(rows))


_TEXT = "'(?:[^']|'')*'"
_CELLS = {column.name for table in (CLASSES, MOVES) for column in table.columns if column.kind == "cells"}
_COLUMNS = "|".join(("class", "child", "position", *sorted(_CELLS)))
_COMPARED = re.compile(
    rf"\b({_COLUMNS})\b\"?\s*(?:==?|!=|<>|\bis\b(?:\s+not\b)?|\b(?:not\s+)?in\s*\()\s*{_TEXT}(?:\s*,\s*{_TEXT})*", re.I
)
"""A column of boards or of cells with the texts that it is compared to."""
_REVERSED = re.compile(rf"{_TEXT}(?=\s*(?:==?|!=|<>)\s*(?:\w+\.)?\"?({_COLUMNS})\b)", re.IGNORECASE)
"""A text that is compared to such a column after it."""


def _with_boards(board: Board, sql: str) -> tuple[str, tuple[str, ...]]:
    """Return a query with its boards as the tables have them, and notes on those that were written otherwise."""
    notes: dict[str, None] = {}
    labelled = re.search(r"\bpositions\b", sql, re.IGNORECASE) is not None

    def stored(column: str, text: str) -> str:
        given = text[1:-1].replace("''", "'")
        if column in _CELLS:
            return text if given.startswith("[") else f"'{_stored_cells(board, given, notes)}'"
        if not given:
            return text
        try:
            at = parse_position(board, given).require_reachable()
        except InputError as error:
            notes[str(error)] = None
            return text
        is_class = not labelled or column != "position"
        found = str(Position(board, *board.group().canonical(at.x, at.o)) if is_class else at)
        if found != given:
            notes[f"{shown(given)} is read as {f'its class {found}' if is_class else found}"] = None
        return f"'{found}'"

    def compared(match: re.Match[str]) -> str:
        return re.sub(_TEXT, lambda text: stored(match[1].lower(), text[0]), match[0])

    found = _REVERSED.sub(lambda text: stored(text[1].lower(), text[0]), sql)
    return _COMPARED.sub(compared, found), tuple(notes)


def _stored_cells(board: Board, given: str, notes: dict[str, None]) -> str:
    """Return cells in any spelling as the database has them."""
    try:
        cells = sorted(parse_cell(board, word) for word in given.replace(",", " ").split())
    except InputError as error:
        notes[str(error)] = None
        return given.replace("'", "''")
    return cells_json(" ".join(cell_name(board, cell) for cell in cells))


_FREE_DISK = 100_000_000
"""Tables of up to so many bytes are built without a question."""


def _listing(board: Board, say: Progress) -> Callable[[int, int], None]:
    return lambda ply, plies: say(ply, plies + 1, f"listing {board}")
