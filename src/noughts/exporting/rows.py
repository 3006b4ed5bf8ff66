"""Rows of the three tables from a catalogue in memory, in chunks of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Protocol

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.exporting.columns import TABLES, TableSchema
from noughts.records.record import Move, Record, fraction_text
from noughts.records.small import GraphCatalogue

__all__ = [
    "CHUNK",
    "Chunk",
    "MemorySource",
    "Row",
    "Source",
    "cells_text",
    "chunked",
    "class_row",
    "position_row",
    "rows_of",
]

Row = tuple[object, ...]
Chunk = list[list[object]]
"""Some rows, as one list for each column; cells are text with spaces."""
CHUNK = 20_000


class Source(Protocol):
    """Where rows come from."""

    @property
    def board(self) -> Board:
        """The board."""

    def size(self, table: TableSchema) -> int:
        """Return the number of rows."""

    def chunks(self, table: TableSchema) -> Iterator[Chunk]:
        """Yield the rows of a table in order of ply, some thousand at a time."""


def rows_of(source: Source, tables: Iterable[TableSchema] = TABLES.values()) -> int:
    """Return how many rows some tables have together."""
    return sum(map(source.size, tables))


class MemorySource:
    """The rows of a catalogue in memory."""

    def __init__(self, catalogue: GraphCatalogue) -> None:
        self.catalogue = catalogue
        self.board = catalogue.board

    def size(self, table: TableSchema) -> int:
        """Return the number of rows."""
        if table.name == "positions":
            return self.catalogue.boards
        if table.name == "moves":
            return sum(len(node.children) for node in self.catalogue.graph.nodes)
        return len(self.catalogue)

    def chunks(self, table: TableSchema) -> Iterator[Chunk]:
        """Yield the rows of a table in order of ply."""
        return chunked(self._rows(table))

    def _rows(self, table: TableSchema) -> Iterator[Row]:
        if table.name == "positions":
            return map(position_row, self.catalogue.labelled())
        if table.name == "moves":
            return (_move_row(record, move) for record in self.catalogue for move in record.moves)
        return map(class_row, self.catalogue)


def chunked(rows: Iterable[Row]) -> Iterator[Chunk]:
    """Yield rows as chunks of columns."""
    rows = iter(rows)
    while part := list(islice(rows, CHUNK)):
        yield [list(column) for column in zip(*part, strict=True)]


def _values(record: Record) -> Row:
    return (
        record.ply,
        record.to_move,
        record.is_terminal,
        record.outcome,
        record.value,
        record.remoteness,
        record.label,
        record.decided,
        record.is_fork,
        record.is_trap,
        cells_text(record, record.best_moves),
    )


def position_row(record: Record) -> Row:
    """Return the row of a labelled board in the table positions."""
    return (
        str(record.position),
        str(record.canonical),
        *_values(record),
        record.ways,
        record.finishes,
        record.games,
    )


def class_row(record: Record) -> Row:
    """Return the row of a class in the table classes."""
    decision = not record.is_terminal and record.position.blanks.bit_count() > 1
    threats, forks, chances = record.threats, record.forks, record.random_play
    return (
        str(record.canonical),
        record.orbit,
        record.stabiliser,
        *_values(record),
        decision,
        None if threats is None else decision and not any(threats.values()),
        None if threats is None else cells_text(record, threats["X"]),
        None if threats is None else cells_text(record, threats["O"]),
        None if forks is None else cells_text(record, forks["X"]),
        None if forks is None else cells_text(record, forks["O"]),
        record.ways,
        record.ways_by_choices,
        record.finishes,
        record.finishes_by_choices,
        record.games,
        record.games_by_choices,
        fraction_text(chances.x_wins),
        fraction_text(chances.draw),
        fraction_text(chances.o_wins),
        record.pattern,
        len(record.predecessors),
        len(record.moves),
    )


def _move_row(record: Record, move: Move) -> Row:
    return (
        str(record.canonical),
        cells_text(record, move.cells),
        len(move.cells),
        str(move.canonical),
        move.outcome,
        move.remoteness,
        move.label,
        move.best,
    )


def cells_text(record: Record, cells: Iterable[Cell]) -> str:
    """Return the names of cells with spaces between."""
    return " ".join(record.names(cells))
