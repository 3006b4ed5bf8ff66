"""Gravity: a mark falls to the lowest blank cell of its column, as in Connect Four.

The bottom row is the last one, so the first mark in column d of `6x7:4+gravity` falls to d6. Only the mirror that
exchanges left and right keeps the rules.
"""

from __future__ import annotations

from noughts.rules.marks import Mask
from noughts.rules.play import PlayedBoard, PlayRules
from noughts.rules.symmetry import Group


class Gravity(PlayRules):
    """X and O drop marks into columns in turn, and the first player with a line wins, or under misere loses."""

    option = "gravity"
    any_blank = order_free = forks = False
    by_column = True
    difference = "a mark falls to the lowest blank cell of its column"

    def problem(self, board: PlayedBoard) -> str | None:
        """Return why a board cannot have gravity, as a clause; None where it can."""
        if board.shape is None or board.is_solid:
            return "marks fall in the columns of a board with two sides"
        if self.exact:
            return "+gravity and +exact cannot be used together"
        return "marks fall to the edge that +torus removes" if board.torus else None

    def group(self, board: PlayedBoard, group: Group) -> Group:
        """Return the identity and the mirror of left and right."""
        rows, columns, _ = board.shape or (1, board.cells, 1)
        mirror = tuple(row * columns + columns - 1 - column for row in range(rows) for column in range(columns))
        return Group(board.cells, (mirror,))

    def moves(self, board: PlayedBoard, x: Mask, o: Mask) -> Mask:
        """Return the blank cells that have a mark or the bottom edge below them."""
        columns = _columns(board)
        supported = (x | o) >> columns | board.full & ~(board.full >> columns)
        return board.full & ~(x | o) & supported

    def fillings(self, board: PlayedBoard, marked: Mask) -> list[int]:
        """Return for each number of further marks how many sets of cells they can take, without regard to lines."""
        columns, ways = _columns(board), [1]
        for column in range(columns):
            blanks = (_column(board.full, columns, column) & ~marked).bit_count()
            ways = [sum(ways[max(0, n - blanks) : n + 1]) for n in range(len(ways) + blanks)]
        return ways

    def landing(self, board: PlayedBoard, x: Mask, o: Mask, column: int) -> int | None:
        """Return the cell to which a mark falls in a column, None if the column is full."""
        found = self.moves(board, x, o) & _column(board.full, _columns(board), column)
        return found.bit_length() - 1 if found else None

    def problems(self, board: PlayedBoard, x: Mask, o: Mask) -> tuple[str, ...]:
        """Return all the reasons why play cannot lead to a position; empty when it can. Raises BudgetError."""
        if (x | o) << _columns(board) & board.full & ~(x | o):
            return ("a mark floats above a blank cell, but marks fall",)
        return super().problems(board, x, o)

    def before(self, board: PlayedBoard, x: Mask, o: Mask) -> list[tuple[Mask, Mask]]:
        """Return the marks before the last move, for each column with a mark of the last mover on top."""
        tops = (x | o) & ~((x | o) << _columns(board))
        return [(p, q) for p, q in super().before(board, x, o) if (x | o) & ~(p | q) & tops]


def _columns(board: PlayedBoard) -> int:
    return (board.shape or (1, board.cells, 1))[1]


def _column(full: Mask, columns: int, column: int) -> Mask:
    """Return the cells of a column."""
    return full // ((1 << columns) - 1) << column
