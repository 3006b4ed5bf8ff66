"""Game trees to finish: a position near the end, with all that can follow, of which only the top is given."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.lots import drawn
from noughts.domain.position import Position
from noughts.worksheets.exercise import Exercise, Knot
from noughts.worksheets.kinds import winner_of
from noughts.worksheets.lots import kept_apart, open_position

__all__ = ["trees"]

_BLANKS = 3
"""Blank cells at the root: at most six games can follow."""
_ENDS = {"X": "X wins", "O": "O wins", "draw": "draw"}


def trees(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield positions with three blank cells, or as many as there are, whose games do not all end alike."""
    blanks = min(_BLANKS, board.cells)

    def draw(lot: str) -> Position | None:
        return open_position(board, blanks, lot)

    for at in kept_apart(board, f"{seed} tree", draw):
        knots = list(_knots(at))
        ends = {knot.outcome for knot in knots if knot.position.is_terminal}
        if board.lines and len(ends) < 2 and drawn(12, f"{seed} {at}"):
            continue
        yield Exercise(
            f"{at.to_move} to move.",
            [at],
            f"{_said(knots[0].outcome)} with best play.",
            {"outcome": knots[0].outcome, "tree": [_record(knot) for knot in knots]},
            tree=knots,
        )


def _said(outcome: str) -> str:
    return "Nobody wins" if outcome == "draw" else f"{outcome} wins"


def _record(knot: Knot) -> dict[str, object]:
    return {"position": str(knot.position), "above": knot.parent, "outcome": knot.outcome, "given": knot.is_given}


def _knots(root: Position) -> Iterator[Knot]:
    """Yield the tree below a position, each board after the one above it, row by row."""
    row: list[Knot] = [Knot(None, root, _outcome(root), is_given=True)]
    number = 0
    while row:
        yield from row
        below = []
        for place, knot in enumerate(row):
            if knot.position.is_terminal:
                continue
            for cell in cells_of(knot.position.blanks):
                after = knot.position.play(cell)
                below.append(Knot(number + place, after, _outcome(after), is_given=False, last=cell))
        number += len(row)
        row = below


def _outcome(at: Position) -> str:
    return at.outcome or winner_of(at)[0]
