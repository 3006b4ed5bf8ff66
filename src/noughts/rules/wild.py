"""Games whose players choose the mark that they place: wild tic-tac-toe, and order and chaos.

Moves are the cells for an X, then the cells for an O, so `3x3+wild` has moves 0 to 17. Outcomes call the player who
begins X; sentences name the players, for the marks do not.
"""

from __future__ import annotations

from functools import reduce
from operator import and_

from noughts.rules.marks import Mask, Outcome, Player, cells_of
from noughts.rules.play import PlayedBoard, PlayRules


class Wild(PlayRules):
    """Players place an X or an O on any blank cell, and the player who completes a line wins, or loses under misere."""

    option = "wild"
    alternating = any_blank = forks = False
    chooses_mark = True
    players, labels = ("the first player", "the second player"), ("first", "second")
    places = difference = "each move places an X or an O"

    def to_move(self, x: Mask, o: Mask) -> Player:
        """Return whose turn it is: X names the player who began."""
        return "O" if (x | o).bit_count() % 2 else "X"

    def moves(self, board: PlayedBoard, x: Mask, o: Mask) -> Mask:
        """Return the moves of an unfinished game: an X or an O on any blank cell."""
        blank = board.full & ~(x | o)
        return blank | blank << board.cells

    def markings(self, more: int, of_x: int) -> int:
        """Return in how many ways further marks on chosen cells can be X and O: any."""
        return 1 << more

    def play(self, board: PlayedBoard, x: Mask, o: Mask, move: int) -> tuple[Mask, Mask]:
        """Return the marks after a move."""
        return (x | 1 << move, o) if move < board.cells else (x, o | 1 << move - board.cells)

    def winner(self, board: PlayedBoard, x: Mask, o: Mask) -> Player | None:
        """Return the winner by a completed line, None where there is none."""
        found = self.ends_for(self.to_move(x, o))[0] if board.has_line(x) or board.has_line(o) else "draw"
        return None if found == "draw" else found

    def outcome(self, board: PlayedBoard, x: Mask, o: Mask) -> Outcome | None:
        """Return the outcome where the game is over, None while it goes on."""
        return self.winner(board, x, o) or (self.ends_for(self.to_move(x, o))[1] if x | o == board.full else None)

    def problems(self, board: PlayedBoard, x: Mask, o: Mask) -> tuple[str, ...]:
        """Return all the reasons why play cannot lead to a position; empty when it can. Raises BudgetError."""
        lines = {"X": board.completed(x), "O": board.completed(o)}
        if lines["X"] and lines["O"]:
            return ("there are lines of both marks, but the first line ends the game",)
        for mark, completed in lines.items():
            if completed and not reduce(and_, completed):
                return (f"the lines of the mark {mark} share no cell, so no single mark completes them all",)
        if self.exact and not self._leads(board, x, o):
            return ("no order of the marks leads to it",)
        return ()

    def before(self, board: PlayedBoard, x: Mask, o: Mask) -> list[tuple[Mask, Mask]]:
        """Return the marks before the last move, for each mark that may have been the last."""
        return [(x & ~(1 << cell), o & ~(1 << cell)) for cell in cells_of(x | o)]


class Order(Wild):
    """Order and chaos: players place an X or an O; Order, who begins, wants a line of either mark, Chaos none."""

    option = "order"
    players = labels = ("Order", "Chaos")
    difference = "each move places an X or an O, Order wins with a line of either mark, and Chaos wins without one"

    def problem(self, board: PlayedBoard) -> str | None:
        """Return why a board cannot have these rules, as a clause; None where it can."""
        return f"+{self.option} says who wants a line, so +misere cannot be used with it" if self.misere else None

    def can_draw(self, board: PlayedBoard) -> bool:
        """Tell whether a game can end without a winner: never, as Chaos wins without a line."""
        return False

    @property
    def goal(self) -> str:
        """Who wins, as a clause."""
        return "Order wins with a line of either mark, and Chaos without one"

    def ends_for(self, to_move: Player) -> tuple[Outcome, Outcome]:
        """Return the outcome of a line, a win of Order, and of a board full without one, a win of Chaos."""
        return ("X", "O") if self.players[0] == "Order" else ("O", "X")


class Chaos(Order):
    """Order and chaos where Chaos begins."""

    option = "chaos"
    players = labels = ("Chaos", "Order")
