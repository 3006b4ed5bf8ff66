"""Marks on cells, and what they say: whose move it is, threats, lines, and whether play can lead there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_

from noughts.domain.arguments import one_of, wrong_type
from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import Move, cell_name, parse_cell
from noughts.domain.errors import InvalidPosition, InvalidType
from noughts.domain.frozen import short
from noughts.domain.marks import format_marks
from noughts.domain.players import Outcome, Player, opponent

__all__ = ["Outcome", "Player", "Position", "completing_cells", "opponent"]


def completing_cells(board: Board, own: Mask, blank: Mask) -> Mask:
    """Return the blank cells that complete a line for the owner of the marks `own`. Linear in the number of lines."""
    found = 0
    for line in board.line_masks:
        missing = line & ~own
        if missing & (missing - 1) == 0 and missing & blank:
            found |= missing
    return found


@dataclass(frozen=True)
class Position:
    """Marks on the cells of a board and nothing else: `x` and `o` are disjoint sets of cells.

    Any two disjoint sets make a position; `problems()` tells whether play from the empty board can lead to it.
    """

    board: Board
    x: Mask = 0
    o: Mask = 0

    def __post_init__(self) -> None:
        try:
            wrong = self.x & self.o or (self.x | self.o) & ~self.board.full or self.x < 0 or self.o < 0
        except (AttributeError, TypeError):
            raise _wrong_part(self.board, self.x, self.o) from None
        if wrong:
            raise InvalidPosition(f"the sets of cells {self.x} and {self.o} are no position of {self.board}")

    def __repr__(self) -> str:
        whole = f"Position({self.board!r}, x={self.x}, o={self.o})"
        return whole if len(whole) < 120 else f"<Position of {short(self.board)} with {self.ply} marks>"

    def __str__(self) -> str:
        return format_marks(self.board, self.x, self.o)

    @property
    def ply(self) -> int:
        """The number of marks."""
        return (self.x | self.o).bit_count()

    @property
    def to_move(self) -> Player:
        """The player whose turn the marks imply: X when there are as many X as O."""
        return "X" if self.x.bit_count() <= self.o.bit_count() else "O"

    @property
    def blanks(self) -> Mask:
        """The set of blank cells."""
        return self.board.full & ~(self.x | self.o)

    def marks(self, player: Player) -> Mask:
        """The set of cells of one player, X or O."""
        if player not in ("X", "O"):
            one_of("the player", player, ("X", "O"))
        return self.x if player == "X" else self.o

    def mark_at(self, cell: Cell | str) -> Player | None:
        """The mark on a cell, given by index, name or number, or None for a blank one."""
        if type(cell) is not int or not 0 <= cell < self.board.cells:
            cell = parse_cell(self.board, cell)
        if self.x >> cell & 1:
            return "X"
        return "O" if self.o >> cell & 1 else None

    def moves(self) -> tuple[Move, ...]:
        """Return the moves of the side to move, in reading order: none when the game is over."""
        return () if self.is_terminal else tuple(Move(self.board, cell) for cell in cells_of(self.blanks))

    def play(self, cell: Cell | str) -> Position:
        """Return the position after the side to move has taken a blank cell, given by index, name or number.

        Raises InvalidPosition where the cell is not blank or the game is over, InvalidCell where there is no such cell.

        >>> str(Position(Board.parse("3x3")).play("c3"))
        '.../.../..X'
        """
        if type(cell) is not int:
            cell = parse_cell(self.board, cell)
        if cell < 0 or not self.blanks >> cell & 1:
            raise InvalidPosition(f"{cell_name(self.board, cell)} is not blank in {self}: play one of the blank cells")
        if self.is_terminal:
            name = cell_name(self.board, cell)
            raise InvalidPosition(f"the game is over in {self}, so {name} cannot be played: take an earlier position")
        x, o = (self.x | 1 << cell, self.o) if self.to_move == "X" else (self.x, self.o | 1 << cell)
        after = Position(self.board, x, o)
        own = x if x != self.x else o
        lined = any(own & line == line for line in self.board.lines_through[cell])
        vars(after)["is_terminal"] = lined or not after.blanks  # else all lines of the board are gone through for it
        return after

    def completed_lines(self, player: Player) -> tuple[Mask, ...]:
        """The winning lines that one player has filled, as sets of cells."""
        own = self.marks(player)
        if not own:  # a large board has many lines, which an empty one need not find
            return ()
        return tuple(line for line in self.board.line_masks if own & line == line)

    def threats(self, player: Player) -> tuple[Cell, ...]:
        """The blank cells that complete a line for one player, whoever is to move, in reading order."""
        return tuple(cells_of(completing_cells(self.board, self.marks(player), self.blanks)))

    @property
    def winner(self) -> Player | None:
        """The player who wins by the completed lines, as `Board.winner` has it; None when nobody does."""
        return self.board.winner(self.x, self.o)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome where a line is completed or the board is full; None while play goes on."""
        return self.winner or ("draw" if not self.blanks and not self.board.has_line(self.x) else None)

    @cached_property
    def is_terminal(self) -> bool:
        """Whether a line is completed or the board is full."""
        return not self.blanks or self.board.has_line(self.x) or self.board.has_line(self.o)

    def as_dict(self) -> dict[str, object]:
        """Return the position for JSON."""
        return {"board": self.board.spec, "position": str(self), "to_move": self.to_move, "ply": self.ply}

    def problems(self) -> tuple[str, ...]:
        """Return all the reasons why play that ends at the first line cannot lead here; empty when it can.

        The position is reachable iff the marks are balanced and nobody has a line, or only the last mover has and some
        mark of the last mover lies on all of that player's completed lines.
        """
        p, q = self.x.bit_count(), self.o.bit_count()
        found = []
        if p not in (q, q + 1):
            many = "X" if p > q + 1 else "O"
            found.append(f"too many {many}: X has {_marks(p)} and O {q}, but X starts and the players alternate")
        lines: dict[Player, tuple[Mask, ...]] = {"X": self.completed_lines("X"), "O": self.completed_lines("O")}
        if lines["X"] and lines["O"]:
            found.append("both have a line, but the first line ends the game")
        if lines["X"] and not lines["O"] and p == q:
            found.append("X has a line and yet O moved after it")
        if lines["O"] and not lines["X"] and p == q + 1:
            found.append("O has a line and yet X moved after it")
        for player, completed in lines.items():
            if completed and not reduce(and_, completed):
                found.append(f"the lines of {player} share no cell, so no single mark completes them all")
        return tuple(found)

    def require_reachable(self) -> Position:
        """Return this position, or raise InvalidPosition with all the reasons why play cannot lead to it."""
        problems = self.problems()
        if problems:
            raise InvalidPosition(f"{self} cannot arise in play on {self.board}: {'; '.join(problems)}")
        return self


def _wrong_part(board: object, x: object, o: object) -> InvalidType:
    if not isinstance(board, Board):
        return wrong_type("the board of a position", board, "a Board")
    return wrong_type("a set of cells", o if isinstance(x, int) else x, "an integer, bit i for cell i")


def _marks(count: int) -> str:
    return "1 mark" if count == 1 else f"{count} marks"
