"""The catalogue at work: how long listing, a site, and the export of all positions of 4x4:4 take, and what they weigh.

    python benchmarks/catalogue.py            3x3 and 3x4:4
    python benchmarks/catalogue.py --large    4x4:4 as well (some minutes, 2.5 GB of disk)

Results are asserted. The baseline beside the arrays is the catalogue in plain Python, which gives the same rows: the
ratio is what the arrays gain.
"""

from __future__ import annotations

import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import noughts
from noughts.analysis.records.catalogue import GraphCatalogue
from noughts.exporting.arrays import LayerSource
from noughts.exporting.columns import TABLES, MemorySource, Source
from noughts.exporting.files import write_tables
from noughts.rules.board import Board

T = TypeVar("T")


def timed(what: str, work: Callable[[], T]) -> T:
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what:48} {wall:8.2f} s  {cpu:8.2f} s CPU  {peak:5.2f} GB at most so far", flush=True)
    return found


def all_rows(make: Callable[[], Source]) -> int:
    source = make()
    return sum(len(chunk[0]) for table in TABLES.values() for chunk in source.chunks(table))


def small(folder: Path) -> None:
    records = timed("3x3, every record", lambda: list(GraphCatalogue("3x3")))
    assert len(records) == 765
    assert sum(record.games for record in records if record.ply == 4) == 255_168
    assert timed("3x3, site", lambda: noughts.site("3x3", folder / "site").rows) > 5478
    size = sum(path.stat().st_size for path in (folder / "site").rglob("*") if path.is_file())
    assert size < 150e6
    print(f"3x3, site: {size / 1e6:.1f} MB")


def gain() -> None:
    """The same rows by plain Python and by arrays."""
    board, seconds = Board.parse("3x4:4"), []
    sources: dict[str, Callable[[], Source]] = {
        "plain Python": lambda: MemorySource(GraphCatalogue(board)),
        "arrays": lambda: LayerSource(board),
    }
    for what, make in sources.items():
        start = time.process_time()
        rows = timed(f"3x4:4, all rows by {what}", partial(all_rows, make))
        seconds.append(time.process_time() - start)
        assert rows == 142_231 + 35_957 + 147_648
    print(f"ratio plain Python : arrays, in CPU seconds: {seconds[0] / seconds[1]:.1f}")


def large(folder: Path) -> None:
    source = timed("4x4:4, layers", lambda: LayerSource(Board.parse("4x4:4")))
    games = noughts.count("4x4:4").totals.finished
    for ending in ("csv", "parquet", "sqlite"):
        path = folder / f"4x4.{ending}"
        rows = timed(f"4x4:4, export to .{ending}", partial(write_tables, source, path))
        assert rows == (9_722_011 if ending != "sqlite" else 9_722_011 + 1_217_977 + 6_448_291)
        print(f"4x4:4, .{ending}: {path.stat().st_size / 1e6:.0f} MB")
        if ending == "sqlite":
            with sqlite3.connect(path) as connection:
                through = "select sum(games) from classes where ply = 7 or (terminal and ply < 7)"
                assert connection.execute(through).fetchone()[0] == games
        path.unlink()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        small(Path(name))
        gain()
        if "--large" in sys.argv:
            large(Path(name))
