"""What a player's answers came to: how the lines end, the shortest loss, what was no move, which moves were made."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Player, Position

__all__ = ["ENDS", "FoulPlay", "Score"]

ENDS = ("win", "draw", "loss", "illegal")
"""How a line can end, seen from the player: `illegal` where it gave no move, or none in time."""

History = tuple[Cell, ...]


@dataclass(frozen=True)
class FoulPlay:
    """What was no move: after which moves, of which kind (illegal, late, ended, garbled), and in words.

    `lines` is in how many lines it happens: 1, but for players that are asked once for each position.
    """

    position: Position
    history: History
    kind: str
    said: str
    lines: int


class Score:
    """How the lines of one side ended so far. `role` is what the player plays, X or O."""

    def __init__(self, role: Player) -> None:
        self.role = role
        self.asked = 0
        self.fouls: list[FoulPlay] = []
        self.shortest_loss: History | None = None
        self.moves: dict[tuple[Mask, Mask, Cell], int] = {}
        """In how many histories each move was made, by position."""
        self._ends = dict.fromkeys(ENDS, 0)

    @property
    def ends(self) -> FrozenDict[str, int]:
        """The number of lines by how they ended."""
        return FrozenDict(self._ends)

    @property
    def lines(self) -> int:
        """The number of lines that have ended."""
        return sum(self._ends.values())

    def finish(self, position: Position, history: History, lines: int) -> None:
        """Take note of a finished game, which so many lines reach."""
        outcome = position.outcome
        end = "draw" if outcome == "draw" else "win" if outcome == self.role else "loss"
        self._ends[end] += lines
        if end == "loss" and (self.shortest_loss is None or _length(history) < _length(self.shortest_loss)):
            self.shortest_loss = history

    def foul(self, position: Position, history: History, kind: str, said: str, lines: int) -> None:
        """Take note that so many lines end with what is no move."""
        self._ends["illegal"] += lines
        self.fouls.append(FoulPlay(position, history, kind, said, lines))

    def note(self, position: Position, cell: Cell, lines: int) -> None:
        """Take note of a move."""
        key = (position.x, position.o, cell)
        self.moves[key] = self.moves.get(key, 0) + lines


def _length(history: History) -> tuple[int, History]:
    return len(history), history
