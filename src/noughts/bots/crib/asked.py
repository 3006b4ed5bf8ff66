"""What a crib is asked for: who plays, towards what, what counts as an entry, and where play begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.notation import format_start
from noughts.domain.position import Player, Position

__all__ = ["COUNTS", "GOALS", "CribCount", "CribGoal", "CribQuestion"]

CribGoal = Literal["never-lose", "perfect", "win"]
CribCount = Literal["own", "all"]
GOALS: tuple[CribGoal, ...] = ("never-lose", "perfect", "win")
COUNTS: tuple[CribCount, ...] = ("own", "all")


@dataclass(frozen=True)
class CribQuestion:
    """What a crib is for.

    `never-lose` is never to lose, `win` to win always, `perfect` to keep at every board the best value that it has.
    `own` counts the boards, up to symmetry, at which the player moves, a last blank cell included; `all` those after
    each move too, endings included. `opening` is the first move of X on the empty board, by either player's count.
    """

    start: Position
    player: Player
    goal: CribGoal
    count: CribCount
    opening: Cell | None = None

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    @property
    def where(self) -> str:
        """The board, and where play begins, in words."""
        after = "" if self.opening is None else f" after the opening {cell_name(self.board, self.opening)}"
        return f"{self.board}{format_start(self.start)}{after}"

    @property
    def does(self) -> str:
        """What the player does with the crib, as a verb phrase."""
        return {"never-lose": "never loses", "perfect": "plays perfectly", "win": "always wins"}[self.goal]
