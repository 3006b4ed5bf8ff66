"""Exports read back equal, by readers that are not ours, and appear whole or not at all."""

from __future__ import annotations

import csv
import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.exporting.columns import TABLES, Source, TableSchema
from noughts.exporting.files import database_for, format_of, source_for, write_tables
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from tests.dear import dear

BOARDS = dear(["3x3", "2x4:3", "3x3+misere", "3x3+torus", "1x21:1"], "3x3+misere", "3x3+torus")
Rows = list[tuple[Any, ...]]


@cache
def source_of(spec: str) -> Source:
    return source_for(Board.parse(spec))


@cache
def rows_of(spec: str, table: TableSchema) -> Rows:
    """The rows as the source gives them."""
    return [row for chunk in source_of(spec).chunks(table) for row in zip(*chunk, strict=True)]


def as_given(table: TableSchema, row: dict[str, Any]) -> tuple[Any, ...]:
    """A row of strings from CSV as typed values, by the kinds of the columns and what the datasheet says of nulls."""
    kinds: dict[str, Callable[[str], Any]] = {"int": int, "count": int, "real": float}
    kinds["bool"] = {"1": True, "0": False}.__getitem__
    return tuple(
        None
        if row[column.name] == "" and column.null and (column.kind != "cells" or row["fork"] == "")
        else kinds.get(column.kind, str)(row[column.name])
        for column in table.columns
    )


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("spec", BOARDS)
def test_csv_reads_back_equal(tmp_path: Path, spec: str, name: str) -> None:
    path = tmp_path / "out.csv"
    written = write_tables(source_of(spec), path, table=name)
    with open(path, encoding="utf-8", newline="") as file:
        found = [as_given(TABLES[name].on(Board.parse(spec)), row) for row in csv.DictReader(file)]
    assert found == rows_of(spec, TABLES[name])
    assert written == len(found)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("spec", BOARDS)
def test_jsonl_reads_back_equal(tmp_path: Path, spec: str, name: str) -> None:
    path, table = tmp_path / "out.jsonl", TABLES[name].on(Board.parse(spec))
    write_tables(source_of(spec), path, table=name)
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    written: dict[str, Callable[[Any], Any]] = {"count": str, "cells": str.split}
    for row, given in zip(found, rows_of(spec, table), strict=True):
        assert list(row) == table.names
        assert row == {
            column.name: value if value is None else written.get(column.kind, lambda each: each)(value)
            for column, value in zip(table.columns, given, strict=True)
        }


@pytest.mark.parametrize("spec", BOARDS)
def test_sqlite_reads_back_equal(tmp_path: Path, spec: str) -> None:
    path, board = tmp_path / "out.sqlite", Board.parse(spec)
    write_tables(source_of(spec), path)
    connection = sqlite3.connect(path)
    assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    for table in (table.on(board) for table in TABLES.values()):
        found = connection.execute(f"select * from {table.name} order by rowid").fetchall()
        types = {row[1]: row[2] for row in connection.execute(f"pragma table_info({table.name})")}
        text = [name for name, given in types.items() if given == "TEXT"]
        numbers = [column.name for column in table.columns if column.kind in ("int", "count", "bool", "real")]
        assert [name for name in text if name in numbers] == [name for name in types if name.endswith("_text")]
        given = [
            tuple(
                str(value)
                if column.name.endswith("_text")
                else json.dumps(str(value).split(), separators=(",", ":"))
                if column.kind == "cells" and value is not None
                else value
                for column, value in zip(table.columns, row, strict=True)
            )
            for row in rows_of(spec, table)
        ]
        assert found == given
        described = connection.execute('select name, meaning from columns where "table" = ?', (table.name,)).fetchall()
        assert described == [(column.name, column.meaning) for column in table.columns]
    connection.close()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("spec", BOARDS)
def test_parquet_reads_back_equal(tmp_path: Path, spec: str, name: str) -> None:
    from pyarrow import parquet

    path, board = tmp_path / "out.parquet", Board.parse(spec)
    table = TABLES[name].on(board)
    write_tables(source_of(spec), path, table=name)
    found = parquet.read_table(path)
    assert found.column_names == table.names
    for column, values in zip(table.columns, zip(*rows_of(spec, table), strict=True), strict=True):
        back = found.column(column.name).to_pylist()
        if column.kind == "cells":
            back = [None if cells is None else " ".join(cells) for cells in back]
        if column.kind == "count" and board.cells > 20:
            back = [int(text) for text in back]
        assert tuple(back) == values
        assert found.schema.field(column.name).metadata[b"meaning"].decode() == column.meaning


def test_uci_is_the_published_data_set(tmp_path: Path) -> None:
    path = tmp_path / "endgame.uci"
    assert write_tables(source_of("3x3"), path) == 958
    lines = path.read_text().splitlines()
    assert len(set(lines)) == 958
    assert sum(line.endswith(",positive") for line in lines) == 626
    assert lines[0] == "x,x,x,x,o,o,x,o,o,positive"
    assert lines[625].endswith(",positive")
    for line in lines:
        *cells, verdict = line.split(",")
        triples = ["012", "345", "678", "036", "147", "258", "048", "246"]
        won = any(all(cells[int(i)] == "x" for i in triple) for triple in triples)
        assert (verdict == "positive") == won


def test_graphml_is_the_class_graph(tmp_path: Path) -> None:
    import networkx

    for spec in ("3x3", "2x2:2+misere"):
        path = tmp_path / f"{spec}.graphml"
        write_tables(source_of(spec), path)
        found, given = networkx.read_graphml(path), noughts.exporting.to_networkx(spec)
        assert set(found.nodes) == set(given.nodes)
        assert set(found.edges) == set(given.edges)
        for name, facts in given.nodes(data=True):
            assert found.nodes[name] == {key: value for key, value in facts.items() if value is not None}
        for edge in given.edges:
            assert found.edges[edge] == given.edges[edge]


def test_networkx_carries_the_records() -> None:
    graph, found = noughts.exporting.to_networkx("3x3"), noughts.analysis.catalogue("3x3")
    assert graph.number_of_nodes() == 765
    for record in found:
        facts = graph.nodes[str(record.canonical)]
        assert facts["ways"] == record.ways
        assert set(graph.successors(str(record.canonical))) == {str(move.canonical) for move in record.moves}
    assert sum(times for _, _, times in graph.out_edges(".../.../...", data="times")) == 9


@pytest.mark.parametrize("name", ["x.xlsx", "x", ".csv", "x.pickle", "x.sqlite"])
def test_an_unknown_ending_is_refused_and_a_table_in_a_database(name: str) -> None:
    with pytest.raises(InputError, match="remove it" if name == "x.sqlite" else r"end the name in \.sqlite"):
        format_of(Path(name), "moves")


@pytest.mark.parametrize("ending", [".jsonl", ".sqlite"])
def test_a_signal_leaves_nothing_and_a_kill_until_the_next_run(tmp_path: Path, ending: str) -> None:
    """Stopped while the temporary file grows: nothing has the final name, and nothing stays."""
    target = tmp_path / f"out{ending}"
    done = _stopped(["export", "3x4:3", "-o", str(target)], tmp_path, signal.SIGTERM)
    assert done == (143, "noughts: ended by a signal\n")
    assert list(tmp_path.iterdir()) == []
    assert _stopped(["export", "3x4:3", "-o", str(target)], tmp_path, signal.SIGKILL)[0] == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(f".{target.name}.")
    write_tables(source_for(Board.parse("1x1:1")), target)
    assert list(tmp_path.iterdir()) == [target]


def test_a_killed_query_leaves_nothing_after_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    assert _stopped(["query", "3x4:3", "select 1"], tmp_path, signal.SIGTERM)[0] == 143
    assert list(tmp_path.iterdir()) == []
    board = Board.parse("1x1:1")
    kept = database_for(board, lambda: source_for(board))
    assert _stopped(["query", "3x4:3", "select 1"], tmp_path, signal.SIGKILL)[0] == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2
    assert database_for(board, lambda: source_for(board)) == kept
    assert list(tmp_path.iterdir()) == [kept]


def _stopped(arguments: list[str], folder: Path, how: signal.Signals) -> tuple[int, str]:
    """Run the program until a new file in a folder has grown, stop it, and return its exit code and its words."""
    command = [sys.executable, "-m", "noughts", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(1200):
            there = [path for path in folder.iterdir() if path.name.startswith(".")]
            if there and there[0].stat().st_size > 0:
                break
            time.sleep(0.05)
        else:
            process.kill()
            pytest.fail("the program did not begin to write")
        process.send_signal(how)
        _, words = process.communicate(timeout=60)
    return process.returncode, words
