"""Gravity: a mark falls to the lowest blank cell of its column, as in Connect Four.

The bottom row is the last one, so the first mark in column d of `6x7:4+gravity` falls to d6. Only the mirror that
exchanges left and right keeps the rules.
"""

from __future__ import annotations

from functools import cache

from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask, Player, opponent
from noughts.rules.play import PlayedBoard, PlayRules
from noughts.rules.symmetry import Group

_ORDERS = 300_000
"""Maximum number of earlier positions to look at, some seconds."""


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

    def landing(self, board: PlayedBoard, x: Mask, o: Mask, column: int) -> int | None:
        """Return the cell to which a mark falls in a column, None if the column is full."""
        found = self.moves(board, x, o) & _column(board.full, _columns(board), column)
        return found.bit_length() - 1 if found else None

    def unreachable(self, board: PlayedBoard, x: Mask, o: Mask) -> str | None:
        """Return why no order of moves leads to balanced marks, as a clause; None where one does.

        Takes marks back from the top, the last mover's first, in every order: at most one step for each way to fill
        the columns lower. Raises BudgetError where that is too many.
        """
        columns, looked = _columns(board), 0
        if (x | o) << columns & board.full & ~(x | o):
            return "a mark floats above a blank cell, but marks fall"
        stacks = [_column(board.full, columns, column) for column in range(columns)]
        last = opponent(self.to_move(x, o))

        @cache
        def leads(x: Mask, o: Mask, mover: Player) -> bool:
            nonlocal looked
            looked += 1
            if looked > _ORDERS:
                raise BudgetError("too many orders of marks may lead to this position: give the moves that lead there")
            if not x | o:
                return True
            own = x if mover == "X" else o
            for stack in stacks:
                there = (x | o) & stack
                top = there & -there
                if not own & top:
                    continue
                before = x & ~top, o & ~top
                if not (board.has_line(before[0]) or board.has_line(before[1])) and leads(*before, opponent(mover)):
                    return True
            return False

        return None if leads(x, o, last) else "no order of falling marks leads to it"


def _columns(board: PlayedBoard) -> int:
    return (board.shape or (1, board.cells, 1))[1]


def _column(full: Mask, columns: int, column: int) -> Mask:
    """Return the cells of a column."""
    return full // ((1 << columns) - 1) << column
