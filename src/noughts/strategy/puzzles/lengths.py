"""Exact values with plies to the end for single positions, in plain Python: by the plies within which a side wins.

Forced moves are followed and not weighed: who can complete a line does, who is threatened once blocks, who is
threatened twice has lost. Under misere nobody completes a line while another cell is left. So ends of games are short,
on large boards as well; the work is counted in positions, and is the same on every machine.
"""

from __future__ import annotations

from sys import maxsize

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Outcome, Position, completing_cells, opponent
from noughts.solving.solution import Evaluation, Solution

__all__ = ["LengthSolution", "move_ends"]

_NEVER = maxsize


class _Lengths:
    """One search: what is known of positions, as (marks of the side to move, marks of the other)."""

    def __init__(self, board: Board, positions: int) -> None:
        self.board, self.left = board, positions
        self._known: dict[tuple[Mask, Mask], tuple[int, int]] = {}

    def ends(self, own: Mask, other: Mask) -> tuple[int, int]:
        """Return the value for the side to move, +1, 0 or -1, and the plies to the end. Raises BudgetError."""
        blanks = (self.board.full & ~(own | other)).bit_count()
        for plies in range(1, blanks + 1):
            if self._wins(own, other, plies):
                return 1, plies
            if self._loses(own, other, plies):
                return -1, plies
        return 0, blanks

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise BudgetError("the position is not valued within the positions that may be opened")

    def _wins(self, own: Mask, other: Mask, plies: int) -> bool:
        """Tell whether the side to move wins within so many plies."""
        if plies < 1:
            return False
        self._count()
        board, blank = self.board, self.board.full & ~(own | other)
        lines = completing_cells(board, own, blank)
        if board.misere:
            return self._kept(own, other, blank & ~lines, plies)
        if lines:
            return True
        must = completing_cells(board, other, blank)
        if plies < 3 or must & (must - 1):
            return False
        return self._kept(own, other, must or blank, plies)

    def _kept(self, own: Mask, other: Mask, cells: Mask, plies: int) -> bool:
        """Tell whether after one of these moves the other loses in time; kept for each position."""
        key = (own, other)
        least, most = self._known.get(key, (0, _NEVER))
        if plies <= least or plies >= most:
            return plies >= most
        if not self._has_hope(own, other):
            self._known[key] = (_NEVER, _NEVER)
            return False
        found = any(self._loses(other, own | 1 << cell, plies - 1) for cell in cells_of(cells))
        least, most = self._known.get(key, (0, _NEVER))
        self._known[key] = (least, min(most, plies)) if found else (max(least, plies), most)
        return found

    def _has_hope(self, own: Mask, other: Mask) -> bool:
        """Tell whether the side to move may win: False where it surely cannot. (Erdos and Selfridge, 1973.)"""
        lines = self.board.line_masks
        if self.board.misere:
            return any(not line & own for line in lines)
        missing = [(line & ~own).bit_count() for line in lines if not line & other]
        longest = max(missing, default=0)
        return 2 * sum(1 << longest - each for each in missing) >= 1 << longest and bool(missing)

    def _loses(self, own: Mask, other: Mask, plies: int) -> bool:
        """Tell whether the side to move loses within so many plies, whatever it plays."""
        board, blank = self.board, self.board.full & ~(own | other)
        if not blank or plies < 1:
            return False
        self._count()
        lines = completing_cells(board, own, blank)
        if board.misere:
            safe = blank & ~lines
            return not safe or all(self._wins(other, own | 1 << cell, plies - 1) for cell in cells_of(safe))
        if plies < 2 or lines:
            return False
        must = completing_cells(board, other, blank)
        if must & (must - 1):
            return True
        return plies > 3 and all(self._wins(other, own | 1 << cell, plies - 1) for cell in cells_of(must or blank))


def move_ends(position: Position, positions: int) -> FrozenDict[Cell, tuple[Outcome, int]]:
    """Return for each move of an unfinished position who wins after it under best play, and the plies to the end then.

    Raises BudgetError where more than so many positions would have to be opened.
    """
    search, board, mover = _Lengths(position.board, positions), position.board, position.to_move
    own, other = position.marks(mover), position.marks(opponent(mover))
    found: dict[Cell, tuple[Outcome, int]] = {}
    for cell in cells_of(position.blanks):
        after = own | 1 << cell
        if board.has_line(after):
            found[cell] = (opponent(mover) if board.misere else mover, 0)
            continue
        value, plies = search.ends(other, after)
        found[cell] = ("draw", plies) if not value else (mover if value < 0 else opponent(mover), plies)
    return FrozenDict(found)


class LengthSolution(Solution):
    """The values of the positions below one position, each searched for when it is asked about.

    `positions` may be opened for each; beyond that BudgetError is raised.
    """

    engine = "lengths"

    def __init__(self, start: Position, positions: int) -> None:
        super().__init__(start.board, start)
        vars(self).update(positions=positions)

    positions: int

    def __reduce__(self) -> tuple[type[LengthSolution], tuple[Position, int]]:
        return LengthSolution, (self.start, self.positions)

    def _evaluate_open(self, position: Position) -> Evaluation:
        mover = position.to_move
        own, other = position.marks(mover), position.marks(opponent(mover))
        value, plies = _Lengths(self.board, self.positions).ends(own, other)
        outcome: Outcome = "draw" if not value else mover if value > 0 else opponent(mover)
        return Evaluation(outcome, plies, "every line of play was followed")
