"""The three tables and their columns, each with its meaning: the one place that files, queries and the datasheet share.

Kinds of columns, and how each is written:

- `text`: text.
- `int`: an integer that never exceeds 63 bits.
- `count`: an integer; a decimal string in JSON. On boards of more than 20 cells it may exceed 63 bits. There it is text
  everywhere, and the name of the column ends in `_text`.
- `real`: a number, the nearest to the exact one of 64 bits.
- `bool`: true or false; 1 or 0 in CSV and SQLite.
- `cells`: names of cells in reading order; a list in JSON, Parquet and SQLite (as JSON), text with spaces elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, Protocol

from noughts.analysis.records.catalogue import GraphCatalogue
from noughts.analysis.records.record import Record, RecordMove, of_playable
from noughts.rules.arguments import offered, text_of
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell

Kind = Literal["text", "int", "count", "bool", "cells", "real"]

COUNT_CELLS = 20
"""Counts of games and paths are at most N!, which fits 63 bits up to this many cells."""


CHOSEN_CELLS = 16
"""The same where players choose the mark that they place."""


@dataclass(frozen=True)
class Column:
    """A column: its name, kind and meaning, and when it is null (never unless said)."""

    name: str
    kind: Kind
    meaning: str
    null: str = ""


@dataclass(frozen=True)
class TableSchema:
    """A table: its name, what a row is, and its columns; the first is the key where rows are positions."""

    name: str
    row: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def on(self, board: Board) -> TableSchema:
        """Return this table for a board: where counts may exceed 63 bits they are text, and named so.

        Under rules such as gravity and wild the columns are about playable cells and moves, not about blank cells.
        """
        columns = list(self.columns)
        if not board.rules.any_blank:
            columns = [replace(each, meaning=of_playable(each.meaning)) for each in columns]
        if not fits_63_bits(board):
            columns = [replace(each, name=f"{each.name}_text") if each.kind == "count" else each for each in columns]
        return replace(self, columns=tuple(columns))


def fits_63_bits(board: Board) -> bool:
    """Return whether every count of the board fits a signed 64-bit integer: up to 20 cells.

    Where players choose the mark, games are at most N! 2^N: up to 16 cells.
    """
    return board.cells <= (CHOSEN_CELLS if board.rules.chooses_mark else COUNT_CELLS)


_MISERE = "under misere, and where marks do not name the players"

_FORKS = "blank cells that complete no line for {0}, but threaten two or more; none if the game is over"

_VALUES = (
    Column("ply", "int", "number of marks"),
    Column("to_move", "text", "X or O: whose turn the marks imply, in finished games too"),
    Column("terminal", "bool", "the game is over: a line, or a full board"),
    Column("outcome", "text", "X, O or draw under best play; of a finished game, who won"),
    Column("value", "text", "win, draw or loss: the outcome as the player to_move sees it"),
    Column("remoteness", "int", "plies to the end: the winner hurries, the loser delays, a draw fills the board"),
    Column(
        "label",
        "text",
        "X wins, X can force a win, draw, either can force a draw, O can force a win or O wins. `wins` and `draw` hold "
        "however both play",
    ),
    Column("decided", "bool", "every continuation has the same outcome"),
    Column(
        "fork", "bool", "the game goes on, and on two or more blank cells the last mover would complete a line", _MISERE
    ),
    Column("trap", "bool", "the side to move has a move that loses and another that does not"),
    Column("best_moves", "cells", "the moves that keep the value and, of these, win soonest or lose latest"),
)

POSITIONS = TableSchema(
    "positions",
    "a reachable board, cells distinguishable",
    (
        Column("position", "text", "rows from the top joined by /, layers by |; . is a blank"),
        Column("class", "text", "its position class: the canonical position, a key into classes"),
        *_VALUES,
        Column("ways", "count", "paths from the empty board to this board"),
        Column("finishes", "count", "ways to finish the game from here"),
        Column("games", "count", "finished games through this board: ways times finishes"),
    ),
)

CLASSES = TableSchema(
    "classes",
    "a position class: all boards that the symmetries of the board take to one another",
    (
        Column("position", "text", "the canonical position, least of its images as the sets of X and then of O"),
        Column("orbit", "int", "number of boards in the class"),
        Column("stabiliser", "int", "number of symmetries that keep the position"),
        *_VALUES,
        Column("decision", "bool", "unfinished with more than one blank cell"),
        Column("real_decision", "bool", "a decision with no win to take and none to block", _MISERE),
        Column("threats_x", "cells", "blank cells that complete a line for X; none if the game is over", _MISERE),
        Column("threats_o", "cells", "blank cells that complete a line for O; none if the game is over", _MISERE),
        Column("forks_x", "cells", _FORKS.format("X"), _MISERE),
        Column("forks_o", "cells", _FORKS.format("O"), _MISERE),
        Column("ways", "count", "paths from the empty board to any board of the class"),
        Column("ways_by_choices", "count", "paths to the class, each distinct child class being one choice"),
        Column("finishes", "count", "ways to finish the game from one board of the class"),
        Column("finishes_by_choices", "count", "ways to finish the game, each distinct child class being one choice"),
        Column("games", "count", "finished games through the class: ways times finishes"),
        Column("games_by_choices", "count", "finished games through the class, by choices"),
        Column("random_x", "real", "probability that X wins when every move is chosen at random"),
        Column("random_draw", "real", "probability of a draw when every move is chosen at random"),
        Column("random_o", "real", "probability that O wins when every move is chosen at random"),
        Column("random_x_numerator", "count", "random_x is exactly this over random_denominator"),
        Column("random_draw_numerator", "count", "random_draw is exactly this over random_denominator"),
        Column("random_o_numerator", "count", "random_o is exactly this over random_denominator"),
        Column("random_denominator", "count", "least common denominator of the three probabilities"),
        Column("pattern", "text", "name of a drawn full board", "unless the board is full and drawn"),
        Column("predecessors", "int", "number of classes with a move to this one"),
        Column("successors", "int", "number of distinct child classes"),
    ),
)

MOVES = TableSchema(
    "moves",
    "a move to a distinct child class, for all cells of the canonical position that lead there",
    (
        Column("class", "text", "the position class in which the move is made, a key into classes"),
        Column("cells", "cells", "cells of the canonical position that lead to the child class"),
        Column("times", "int", "number of these cells"),
        Column("child", "text", "the child class, a key into classes"),
        Column("outcome", "text", "X, O or draw under best play after the move"),
        Column("remoteness", "int", "plies to the end after the move"),
        Column("label", "text", "the label of the child"),
        Column("best", "bool", "the move keeps the value and, of those that do, wins soonest or loses latest"),
    ),
)

TABLES = {table.name: table for table in (POSITIONS, CLASSES, MOVES)}
"""The tables by name."""


def table_named(name: str) -> TableSchema:
    """Return a table by name. Raises InputError for an unknown one."""
    if text_of("the table", name) not in TABLES:
        raise InputError(f"the table {shown(name)} does not exist: choose {offered(name, TABLES)}")
    return TABLES[name]


# Rows of the three tables from a catalogue in memory, in chunks of columns.

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
        if table.name == "positions":
            return chunked(map(position_row, self.catalogue.labelled()))
        if table.name == "moves":
            return chunked(_move_row(record, move) for record in self.catalogue for move in record.moves)
        return chunked(map(class_row, self.catalogue))


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
    return (str(record.position), str(record.canonical), *_values(record), record.ways, record.finishes, record.games)


def class_row(record: Record) -> Row:
    """Return the row of a class in the table classes."""
    decision = not record.is_terminal and record.position.playable.bit_count() > 1
    threats, forks = record.threats, record.forks
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
        *record.random_play.as_row().values(),
        record.pattern,
        len(record.predecessors),
        len(record.moves),
    )


def _move_row(record: Record, move: RecordMove) -> Row:
    return (
        str(record.canonical),
        cells_text(record, move.cells),
        len(move.cells),
        str(move.position),
        move.outcome,
        move.remoteness,
        move.label,
        move.best,
    )


def cells_text(record: Record, cells: Iterable[Cell]) -> str:
    """Return the names of cells with spaces between."""
    return " ".join(record.names(cells))
