"""Names of cells: a column letter and a row number, `a1` top left; in three dimensions `a1.2` is in layer 2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal

from noughts.rules.arguments import integer, one_of, plain
from noughts.rules.errors import InvalidCell, shown
from noughts.rules.marks import Cell, cells_of
from noughts.rules.symmetry import coordinates

if TYPE_CHECKING:
    from noughts.rules.board import Board

__all__ = [
    "SPELLINGS",
    "CellSpelling",
    "Cells",
    "Move",
    "are_numbered",
    "cell_name",
    "cells_as",
    "column_name",
    "move_name",
    "number_cells",
    "parse_cell",
    "parse_move",
]

CellSpelling = Literal["names", "numbers"]
SPELLINGS: tuple[CellSpelling, ...] = ("names", "numbers")

_SPELLING: ContextVar[CellSpelling] = ContextVar("_SPELLING", default="names")
"""The spelling of cells in output; each thread and each call of `cells_as` has its own."""

_NAME = re.compile(r"([a-z]+)([0-9]+)(?:\.([0-9]+))?")


def cells_as(spelling: CellSpelling) -> AbstractContextManager[None]:
    """Return a context in which all output writes cells as `names`, a1 to c3, or as `numbers`, 1 to 9 in reading order.

    Input can always have both. Raises InputError for another word.

    >>> with cells_as("numbers"):
    ...     cell_name("3x3", "b2")
    '5'
    """
    one_of("the spelling of cells", spelling, SPELLINGS)
    return _written(spelling)


@contextmanager
def _written(spelling: CellSpelling) -> Iterator[None]:
    token = _SPELLING.set(spelling)
    try:
        yield
    finally:
        _SPELLING.reset(token)


def number_cells() -> None:
    """Write cells as numbers until the present context ends; the command line calls this for a whole run."""
    _SPELLING.set("numbers")


def are_numbered() -> bool:
    """Return whether output writes cells as numbers."""
    return _SPELLING.get() == "numbers"


def column_name(column: int) -> str:
    """Return the letters of a column counted from 0, as in a spreadsheet: a..z, aa, ab, ..."""
    if 0 <= column < 26:
        return chr(ord("a") + column)
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number - 1


def cell_name(board: Board | str, cell: Cell | str) -> str:
    """Return the name of a cell in output: its number from 1 on a board given by its lines or in `cells_as("numbers")`.

    Raises InvalidBoard and InvalidCell.

    >>> cell_name("3x3", 4), cell_name("3x3", "5")
    ('b2', 'b2')
    """
    from noughts.rules.board import Board

    board = Board.parse(board)
    if type(cell) is not int or not 0 <= cell < board.cells:
        cell = parse_cell(board, cell)
    shape = board.shape
    if shape is None or are_numbered():
        return str(cell + 1)
    row, column, layer = coordinates(shape, cell)
    name = f"{column_name(column)}{row + 1}"
    return f"{name}.{layer + 1}" if board.is_solid else name


def parse_cell(board: Board | str, given: str | Cell) -> Cell:
    """Return the index of a cell, counted from 0 in reading order; every function reads cells like this.

    Text is a name (`b2`, `B2`, `a1.2`), or a number from 1, as on the command line: `"5"` is the fifth cell. An
    integer is the index itself, as in all results: 5 is the sixth cell. Raises InvalidCell, which says what works.

    >>> parse_cell("3x3", "b2"), parse_cell("3x3", "5"), parse_cell("3x3", 4)
    (4, 4, 4)
    """
    from noughts.rules.board import Board

    board = Board.parse(board)
    return _cell_of_text(board, given) if isinstance(given, str) else _cell_of_index(board, given)


def move_name(board: Board, move: int) -> str:
    """Return the name of a move in output: its cell, after the mark where players choose it, as in Xa1."""
    if not board.rules.chooses_mark:
        return cell_name(board, move)
    return "XO"[move >= board.cells] + cell_name(board, move % board.cells)


def parse_move(board: Board, given: str | Cell) -> int:
    """Return the index of a move: its cell, plus the number of cells for an O where players choose the mark.

    Text is the name of the cell, after the mark where players choose it (`Xa1`, `O5`). Raises InvalidCell.
    """
    if not board.rules.chooses_mark:
        return parse_cell(board, given)
    if isinstance(given, str):
        name = plain(given).strip().lower() if len(given) <= 40 else ""
        if name[:1] not in ("x", "o") or not name[1:]:
            example = f"X{cell_name(board, 0)} or O{cell_name(board, 0)}"
            raise InvalidCell(
                f"{shown(given)} is not a move on {board}: write the mark before the cell, as in {example}"
            )
        return board.cells * (name[0] == "o") + parse_cell(board, name[1:])
    move = integer("a move", given, "a name such as Xa1, or an index from 0")
    if not 0 <= move < board.move_count:
        raise InvalidCell(f"{board} has no move {move}: as integers, moves are 0 to {board.move_count - 1}")
    return move


class Move(int):
    """A move on a board: an integer, the index of its cell, that prints as the name of the cell.

    Where players choose the mark, the moves with an X come before those with an O and print as Xa1 and Oa1.

    >>> Move("3x3", "b2"), Move("3x3", "b2") == 4
    (b2, True)
    """

    board: Board

    def __new__(cls, board: Board | str, move: Cell | str) -> Move:
        """Return a move, given by index, name or number. Raises InvalidCell."""
        if isinstance(board, str) or type(move) is not int or not 0 <= move < board.move_count:
            from noughts.rules.board import Board

            board = Board.parse(board)
            move = parse_move(board, move)
        found = super().__new__(cls, move)
        found.board = board
        return found

    @property
    def cell(self) -> Cell:
        """The index of its cell."""
        return self % self.board.cells

    def __repr__(self) -> str:
        return move_name(self.board, int(self))

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.board, int(self))


class Cells(int):
    """A set of cells of a board: an integer, bit i for cell i, that iterates over the cells and prints their names.

    Operators such as `&` are those of integers. Where players choose the mark, `playable` is a set of moves, bit i for
    move i.

    >>> blank = Cells("3x3", 0b101)
    >>> print(blank), list(blank), len(blank), "c1" in blank, blank == 5
    a1 c1
    (None, [a1, c1], 2, True, True)
    """

    board: Board

    def __new__(cls, board: Board | str, cells: int) -> Cells:
        """Return the set of an integer. Raises InvalidCell."""
        if isinstance(board, str) or type(cells) is not int or cells >> board.move_count:
            from noughts.rules.board import Board

            board, cells = Board.parse(board), int(integer("a set of cells", cells, "bit i for cell i"))
            if cells >> board.move_count:
                raise InvalidCell(f"{cells} is not a set of cells of {board}: use bits 0 to {board.move_count - 1}")
        found = super().__new__(cls, cells)
        found.board = board
        return found

    def __iter__(self) -> Iterator[Move]:
        return iter(moves_on(self.board, cells_of(self)))

    def __len__(self) -> int:
        return self.bit_count()

    def __contains__(self, cell: object) -> bool:
        return bool(self >> parse_move(self.board, cell) & 1)  # type: ignore[arg-type]  # which says what is wrong

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"{{{', '.join(map(str, self))}}}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[object, ...]:
        return Cells, (self.board, int(self))


def moves_on(board: Board, moves: Iterable[Cell]) -> tuple[Move, ...]:
    """Return the moves with some indices, in their order; an index is the cell unless players choose the mark."""
    return tuple([Move(board, move) for move in moves])


def _cell_of_index(board: Board, given: Cell) -> Cell:
    cell = integer("a cell", given, "a name such as a1, or an index from 0")
    if not 0 <= cell < board.cells:
        raise InvalidCell(
            f"{board} has no cell {cell}: cells are 0 to {board.cells - 1} as integers, {cell_name(board, 0)} to "
            f"{cell_name(board, board.cells - 1)} as text"
        )
    return cell


def _cell_of_text(board: Board, text: str) -> Cell:
    name = plain(text).strip().lower() if len(text) <= 40 else ""
    if name.isascii() and name.isdecimal():
        cell = int(name) - 1
        if 0 <= cell < board.cells:
            return cell
    elif board.shape is not None and (match := _NAME.fullmatch(name)):
        rows, columns, layers = board.shape
        column, row, layer = _column_number(match[1]), int(match[2]) - 1, int(match[3] or 1) - 1
        if board.is_solid == (match[3] is not None) or (layers == 1 and layer == 0):
            if 0 <= row < rows and 0 <= column < columns and 0 <= layer < layers:
                return (layer * rows + row) * columns + column
        else:
            layer_word = "board" if board.rules.boards > 1 else "layer"
            remedy = (
                f"add the {layer_word}, as in {name}.1" if board.is_solid else f"remove the layer: {name.split('.')[0]}"
            )
            raise InvalidCell(f"{board} has no cell {shown(text)}: {remedy}")
    last = cell_name(board, board.cells - 1)
    by_name = "" if board.shape is None or are_numbered() else f"{cell_name(board, 0)} to {last}, or by number "
    raise InvalidCell(f"{board} has no cell {shown(text)}: cells are {by_name}1 to {board.cells}")
