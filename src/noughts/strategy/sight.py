"""What a player knows of a position where not all is valued: the moves known to win, to draw, to lose, and the rest."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask, cells_of, mask_of
from noughts.domain.errors import BudgetError
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Position, completing_cells, opponent
from noughts.solving.codes import Value
from noughts.solving.solution import Solution

__all__ = ["Sight", "sight_of"]


@dataclass(frozen=True)
class Sight:
    """What is known of an unfinished position. Values are for the side to move, None where they were not found.

    `opened` is how many positions a search opened for it; None where nothing was searched.
    """

    position: Position
    value: Value | None
    moves: FrozenDict[Cell, Value | None]
    opened: int | None

    @property
    def kept(self) -> Mask:
        """The moves known to keep what can be forced; none where that is not known, or no such move was found."""
        return mask_of(cell for cell, value in self.moves.items() if value is not None and value == self.value)

    @property
    def good(self) -> Mask:
        """The moves to choose among: those known to keep what can be forced, else those not known to be worse.

        Never empty; where some move is not known to lose, none that is.
        """
        hopeful = (None,) if self.value is not None else (None, "draw")
        return self.kept or mask_of(cell for cell, value in self.moves.items() if value in hopeful)

    @property
    def worse(self) -> Mask:
        """The moves known to be worse than the good ones, or known to lose where the good ones are not."""
        good = self.good
        return mask_of(cell for cell, value in self.moves.items() if value is not None and not good >> cell & 1)

    @property
    def sentence(self) -> str:
        """What is known, in words."""
        board, mover = self.position.board, self.position.to_move
        if self.value is None:
            within = "" if self.opened is None else f" within {self.opened:,} positions"
            searched = (
                f"{board} is too large for a search, and what can be forced" if self.opened is None else "Who wins"
            )
            lost = sum(value == "loss" for value in self.moves.values())
            losing = f"; {lost:,} of its {len(self.moves):,} moves {'is' if lost == 1 else 'are'} known to lose"
            return f"{searched} was not found{within} where {mover} was to move{losing if lost else ''}."
        forced = {
            "win": f"{mover} could force a win",
            "draw": "neither could force a win",
            "loss": f"{opponent(mover)} could force a win against all moves",
        }[self.value]
        unclear = "" if self.kept else "; which move keeps that was not found"
        return f"A search found that {forced} where {mover} was to move{unclear}."


def sight_of(position: Position, solution: Solution | None) -> Sight:
    """Return what a solution knows of an unfinished position; `solution` None knows what ends the game only."""
    found: dict[Cell, Value | None]
    value: Value | None = None
    if solution is None:
        found = _ends(position)
    else:
        try:
            value = solution.value(position)
        except BudgetError:
            value = None
        found = {move.cell: move.value for move in solution.moves(position)}
    values = set(found.values())
    if "win" in values:
        value = "win"
    elif None not in values:
        value = "draw" if "draw" in values else "loss"
    opened = None if solution is None else solution.nodes
    return Sight(position, value, FrozenDict(sorted(found.items())), opened)


def _ends(position: Position) -> dict[Cell, Value | None]:
    """Return the values of the moves that end the game, None for all others."""
    board, blanks = position.board, position.blanks
    lines = completing_cells(board, position.marks(position.to_move), blanks)
    full: Value | None = None if blanks & (blanks - 1) else "draw"
    completed: Value = "loss" if board.misere else "win"
    return {cell: completed if lines >> cell & 1 else full for cell in cells_of(blanks)}
