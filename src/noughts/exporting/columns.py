"""The three tables and their columns, each with its meaning: the one place that files, queries and the datasheet share.

Kinds of columns, and how each is written:

text      text
int       an integer that never passes 63 bits
count     an integer; a decimal string in JSON, and text everywhere on boards of more than 20 cells, where it may pass
          63 bits
bool      true or false; 1 or 0 in CSV and SQLite
cells     names of cells in reading order; a list in JSON, text with spaces elsewhere
fraction  an exact probability as text, p/q
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.domain.arguments import text_of
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.spelling import offered

__all__ = [
    "CLASSES",
    "COUNT_CELLS",
    "MOVES",
    "POSITIONS",
    "TABLES",
    "Column",
    "Kind",
    "TableSchema",
    "fits_63_bits",
    "table_named",
]

Kind = Literal["text", "int", "count", "bool", "cells", "fraction"]

COUNT_CELLS = 20
"""Counts of games and paths are at most N!, which fits 63 bits up to this many cells."""


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


def fits_63_bits(board: Board) -> bool:
    """Return whether every count of the board fits a signed 64-bit integer: up to 20 cells."""
    return board.cells <= COUNT_CELLS


_MISERE = "under misere, where a completed line loses"

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
        "X wins, X can force a win, draw, either can force a draw, O can force a win or O wins; `wins` and `draw` mean "
        "however both play",
    ),
    Column("decided", "bool", "every continuation has the same outcome"),
    Column("fork", "bool", "the last mover has two or more threats: cells, not lines", _MISERE),
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
        Column("threats_x", "cells", "blank cells that complete a line for X", _MISERE),
        Column("threats_o", "cells", "blank cells that complete a line for O", _MISERE),
        Column("forks_x", "cells", "blank cells on which X would have two or more threats", _MISERE),
        Column("forks_o", "cells", "blank cells on which O would have two or more threats", _MISERE),
        Column("ways", "count", "paths from the empty board to any board of the class"),
        Column("ways_by_choices", "count", "paths to the class, each distinct child class being one choice"),
        Column("finishes", "count", "ways to finish the game from one board of the class"),
        Column("finishes_by_choices", "count", "ways to finish the game, each distinct child class being one choice"),
        Column("games", "count", "finished games through the class: ways times finishes"),
        Column("games_by_choices", "count", "finished games through the class, by choices"),
        Column("random_x", "fraction", "probability that X wins when every move is chosen at random"),
        Column("random_draw", "fraction", "probability of a draw when every move is chosen at random"),
        Column("random_o", "fraction", "probability that O wins when every move is chosen at random"),
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
        raise InputError(f"there is no table {shown(name)}: there are {offered(name, TABLES)}")
    return TABLES[name]
