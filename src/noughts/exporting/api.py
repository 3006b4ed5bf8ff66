"""The catalogue of a board as a file, and as tables to query: one function call each."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from noughts.domain.arguments import function_or_none, path_of, whole_number, wrong_type
from noughts.domain.board import Board
from noughts.domain.frozen import short
from noughts.exporting.columns import TABLES, table_named
from noughts.exporting.kept import database_for
from noughts.exporting.query import QueryResult, require_query
from noughts.exporting.query import query as ask_database
from noughts.exporting.rows import rows_of
from noughts.exporting.sources import source_for
from noughts.exporting.writing import format_of, write_tables
from noughts.machine.budget import Limits, seconds_of
from noughts.machine.files import require_writable
from noughts.machine.progress import Progress, silent

__all__ = ["Written", "export", "query"]


@dataclass(frozen=True, repr=False)
class Written:
    """What was written: the path, the format (`site` for a folder of pages), how many rows or pages, and the bytes.

    `table` is the table where the format holds one, else None. `rules`: the options that bind play, such as
    `--moves block --end decided`; nothing where play is free.
    """

    board: Board
    path: Path
    form: str
    table: str | None
    rows: int
    size: int
    rules: str = ""

    def __repr__(self) -> str:
        return f"<Written {short(self.path)}, {self.form} of {short(self.board)}: {self.rows:,} rows or pages>"

    def as_dict(self) -> dict[str, object]:
        """Return what was written for JSON."""
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

    `.sqlite` holds the tables positions, classes and moves; `.csv`, `.jsonl`, `.parquet` and `.md` hold the `table`
    named, positions unless given; `.uci`, `.graphml` and `.dot` the finished boards or the class graph. A file that is
    there is replaced whole. Raises InputError, FileError, and BudgetError for boards that do not fit `memory` and
    `time`.
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
    sql: str,
    *,
    rows: int = 10_000,
    time: float | str = 10.0,
    memory: int | str | None = None,
    build_time: float | str | None = "2m",
    progress: Progress | None = None,
) -> QueryResult:
    """Return the answer of one SELECT over the tables positions, classes and moves of a board.

    The tables are built on first use, within `memory` and `build_time`, and kept in the cache folder (NOUGHTS_CACHE
    says where). Raises InputError for anything but one SELECT, BudgetError for more than `rows` rows or `time`.
    """
    on, budget = Board.parse(board), Limits.of(memory, build_time)
    function_or_none("progress", progress)
    whole_number("the number of rows", rows, 1)
    seconds = seconds_of(time)
    require_query(sql)
    say = progress or silent
    path = database_for(
        on,
        lambda: source_for(on, budget, done=_listing(on, say)),
        lambda written, rows: say(written, rows + 1, f"building the tables of {on}"),
    )
    say(1, 1, "")
    return ask_database(path, sql, time=seconds, rows=rows)


def _listing(board: Board, say: Progress) -> Callable[[int, int], None]:
    return lambda ply, plies: say(ply, plies + 1, f"listing {board}")
