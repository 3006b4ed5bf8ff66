"""Moves that give value away, among all that a player made, with what it could have played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Player, Position
from noughts.solving.codes import Value
from noughts.solving.search import NAME as SEARCH
from noughts.strategy.outcomes import Outcomes

__all__ = ["Blunder", "blunders_of"]

_WORTH: dict[Value, int] = {"loss": 0, "draw": 1, "win": 2}


@dataclass(frozen=True)
class Blunder:
    """A move after which the player has less than before, under best play from then on; values are the player's.

    `better` are all moves that keep what it had; `lines` in how many of the sequences of moves asked it was made.
    """

    position: Position
    move: Cell
    before: Value
    after: Value
    better: tuple[Cell, ...]
    lines: int

    def as_dict(self) -> dict[str, object]:
        """Return the blunder for JSON, cells by name."""
        board = self.position.board
        return {
            "position": str(self.position),
            "move": cell_name(board, self.move),
            "before": self.before,
            "after": self.after,
            "better": [cell_name(board, cell) for cell in self.better],
            "met": self.lines,
        }


def blunders_of(board: Board, role: Player, moves: Mapping[tuple[Mask, Mask, Cell], int]) -> tuple[Blunder, ...] | None:
    """Return the blunders among moves, the earliest first; None where the positions of the board cannot be valued."""
    outcomes = Outcomes(Position(board))
    try:
        if outcomes.solution.engine == SEARCH:  # which values one position at a time, and here there are many
            return None
    except BudgetError:
        return None
    known: dict[tuple[Mask, Mask], Outcome] = {}

    def value(position: Position) -> Value:
        key = (position.x, position.o)
        if key not in known:
            known[key] = outcomes.outcome(position)
        return "draw" if known[key] == "draw" else "win" if known[key] == role else "loss"

    found = []
    for (x, o, cell), lines in sorted(moves.items(), key=lambda item: ((item[0][0] | item[0][1]).bit_count(), item)):
        position = Position(board, x, o)
        before, after = value(position), value(position.play(cell))
        if _WORTH[after] < _WORTH[before]:
            better = tuple(each for each in position.moves() if value(position.play(each)) == before)
            found.append(Blunder(position, cell, before, after, better, lines))
    return tuple(found)
