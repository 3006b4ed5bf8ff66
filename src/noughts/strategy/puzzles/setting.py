"""What makes a position a puzzle: exactly one of its moves wins, or none does and exactly one does not lose.

It has three or more blank cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Outcome, Position, opponent

__all__ = ["ENOUGH_BLANKS", "LEAST_BLANKS", "PuzzleGoal", "Setting", "setting_of"]

PuzzleGoal = Literal["win", "not lose"]

LEAST_BLANKS = 3
"""Blank cells of a puzzle at least: of two moves one is hit by a guess."""
ENOUGH_BLANKS = "three or more blank cells"
"""The same in words."""


@dataclass(frozen=True)
class Setting:
    """A position with one solution. `ends` has for each move who wins after it, and the plies to the end after it.

    `traps` says that the solution draws and that some replies to it lose, and others do not.
    """

    position: Position
    goal: PuzzleGoal
    cell: Cell
    ends: FrozenDict[Cell, tuple[Outcome, int]]
    traps: bool = False

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def wrong(self) -> tuple[Cell, ...]:
        """The moves that do not reach the goal, in reading order."""
        return tuple(cell for cell in self.ends if cell != self.cell)


def setting_of(position: Position, ends: dict[Cell, tuple[Outcome, int]]) -> Setting | None:
    """Return an unfinished position as a puzzle, by what each of its moves comes to; None where it is none.

    A position in which all moves are alike, or in which several reach what can be reached, is no puzzle.
    """
    if len(ends) < LEAST_BLANKS:
        return None
    mover = position.to_move
    winning = [cell for cell, (outcome, _) in ends.items() if outcome == mover]
    kept = winning or [cell for cell, (outcome, _) in ends.items() if outcome != opponent(mover)]
    if len(kept) != 1:
        return None
    return Setting(position, "win" if winning else "not lose", kept[0], FrozenDict(sorted(ends.items())))
