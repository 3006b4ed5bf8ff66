"""Notakto: both players place an X, on one board or several, and the player who completes the last line loses.

A board with a line is dead and takes no more marks. Several boards are the layers of a board, without lines between
them: `3x3+notakto*3` has the cells a1.1 to c3.3.

Source: T. Plambeck and G. Whitehead, The Secrets of Notakto, 2013, arXiv:1301.1672.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from noughts.rules.marks import Mask, Outcome, Player, cells_of
from noughts.rules.play import PlayedBoard, PlayRules
from noughts.rules.symmetry import CopiesGroup, Group


@dataclass(frozen=True)
class Notakto(PlayRules):
    """Both players place an X on a blank cell of a board without a line; who completes the last line loses."""

    boards: int = 1
    option = "notakto"
    alternating = any_blank = forks = False
    players, labels = ("the first player", "the second player"), ("first", "second")
    places = "each move places an X"
    difference = "both players place an X, and the player who completes the last line loses"

    @property
    def line_wins(self) -> bool:
        """Whether the player who completes a line wins: never."""
        return False

    @property
    def suffix(self) -> str:
        """The end of a specification with these rules."""
        return "+notakto" + (f"*{self.boards}" if self.boards > 1 else "")

    @property
    def goal(self) -> str:
        """Who loses, as a clause."""
        return f"the player who completes {'a' if self.boards == 1 else 'the last'} line loses"

    def problem(self, board: PlayedBoard) -> str | None:
        """Return why a board cannot have these rules, as a clause; None where it can."""
        for option, given in (("misere", self.misere), ("exact", self.exact)):
            if given:
                return f"+notakto says how a line ends the game, so +{option} cannot be used with it"
        return None

    def can_draw(self, board: PlayedBoard) -> bool:
        """Tell whether a game can end without a winner: on boards without lines alone."""
        return not board.completed(board.full)

    def group(self, board: PlayedBoard, group: Group) -> Group:
        """Return the symmetries of each board, and the exchanges of boards."""
        if self.boards == 1:
            return group
        size = board.cells // self.boards
        return CopiesGroup(
            Group(size, [each[:size] for each in group.generators if max(each[:size]) < size]), self.boards
        )

    def parts(self, board: PlayedBoard) -> tuple[Mask, ...]:
        """Return the cells of each board."""
        size = board.cells // self.boards
        return tuple(((1 << size) - 1) << start for start in range(0, board.cells, size))

    def to_move(self, x: Mask, o: Mask) -> Player:
        """Return whose turn it is: X names the player who began."""
        return "O" if x.bit_count() % 2 else "X"

    def closed(self, board: PlayedBoard, x: Mask, o: Mask) -> tuple[int, ...]:
        """Return which of several boards have a line, counted from 0."""
        parts = self.parts(board) if self.boards > 1 else ()
        return tuple(number for number, part in enumerate(parts) if board.has_line(x & part))

    def moves(self, board: PlayedBoard, x: Mask, o: Mask) -> Mask:
        """Return the blank cells of boards without a line."""
        lines = reduce(or_, board.completed(x), 0)
        return sum(part for part in self.parts(board) if not lines & part) & ~x

    def markings(self, more: int, of_x: int) -> int:
        """Return in how many ways further marks on chosen cells can be X and O: all X."""
        return 1

    def play(self, board: PlayedBoard, x: Mask, o: Mask, move: int) -> tuple[Mask, Mask]:
        """Return the marks after a move."""
        return x | 1 << move, o

    def ends_for(self, to_move: Player) -> tuple[Outcome, Outcome]:
        """Return the outcome of the last line, which the player not to move has completed, and of boards without."""
        return to_move, "draw"

    def winner(self, board: PlayedBoard, x: Mask, o: Mask) -> Player | None:
        """Return the player to move where every board has a line: the other one has completed the last."""
        lines = reduce(or_, board.completed(x), 0)
        return self.to_move(x, o) if all(lines & part for part in self.parts(board)) else None

    def is_over(self, board: PlayedBoard, x: Mask, o: Mask) -> bool:
        """Tell whether the game is over: no board takes a mark."""
        return not self.moves(board, x, o)

    def outcome(self, board: PlayedBoard, x: Mask, o: Mask) -> Outcome | None:
        """Return the outcome where the game is over, None while it goes on; a board without lines gives a draw."""
        return self.winner(board, x, o) or (None if self.moves(board, x, o) else "draw")

    def problems(self, board: PlayedBoard, x: Mask, o: Mask) -> tuple[str, ...]:
        """Return all the reasons why play cannot lead to a position; empty when it can."""
        found = ["there is an O, but both players place X"] if o else []
        lines = board.completed(x)
        for part in self.parts(board):
            completed = [line for line in lines if line & part]
            if completed and not reduce(and_, completed):
                found.append("the lines of a board share no cell, so no single mark completes them all")
        return tuple(found)

    def before(self, board: PlayedBoard, x: Mask, o: Mask) -> list[tuple[Mask, Mask]]:
        """Return the marks before the last move, for each mark that may have been the last."""
        return [(x & ~(1 << cell), o) for cell in cells_of(x)]
