"""How often the value of a position has to be looked up in the next layer: by sampling, always the same positions.

Most entries of a table are told by the board alone: a line is complete or can be completed, two threats cannot both be
stopped. Where one threat has to be stopped one move is looked up, elsewhere up to as many as there are blanks.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from noughts.domain.bits import Mask
from noughts.domain.board import Board

__all__ = ["Looks", "looks_by_ply"]

SAMPLES = 250
ATTEMPTS = 100


class Looks(NamedTuple):
    """Moves that are looked up for an entry of a layer, on the average, if none ends the looking early."""

    ply: int
    mean: float


def looks_by_ply(board: Board) -> list[Looks]:
    """Return how many moves are looked up for an entry of each layer, about. Cost: half a second for 30 cells."""
    dice = random.Random(16)
    return [Looks(ply, _mean(board, ply, dice)) for ply in range(board.cells + 1)]


def _mean(board: Board, ply: int, dice: random.Random) -> float:
    found = []
    for _ in range(SAMPLES):
        x = _line_free(board, (ply + 1) // 2, dice)
        if x is None:
            break
        blank = [cell for cell in range(board.cells) if not x >> cell & 1]
        found.append(_looked_up(board, x, sum(1 << cell for cell in dice.sample(blank, ply // 2))))
    return sum(found) / len(found) if found else 0.0


def _line_free(board: Board, marks: int, dice: random.Random) -> Mask | None:
    """Return a set of so many cells without a line, grown cell by cell; None where that does not succeed."""
    for _ in range(ATTEMPTS):
        x, order = 0, dice.sample(range(board.cells), board.cells)
        for cell in order:
            if x.bit_count() == marks:
                return x
            if not board.has_line(x | 1 << cell):
                x |= 1 << cell
        if x.bit_count() == marks:
            return x
    return None


def _looked_up(board: Board, x: Mask, o: Mask) -> int:
    """Return how many moves are looked up in a position in which X has no line."""
    blanks = board.full & ~(x | o)
    if not blanks or board.has_line(o):
        return 0
    own, other = (x, o) if x.bit_count() == o.bit_count() else (o, x)
    completing, stopping = 0, 0
    for line in board.line_masks:
        missing = line & blanks
        if missing.bit_count() == 1:
            completing |= missing if line & ~missing & ~own == 0 else 0
            stopping |= missing if line & ~missing & ~other == 0 else 0
    if board.misere:
        return (blanks & ~completing).bit_count() if own == x else blanks.bit_count()
    if completing or stopping.bit_count() > 1:
        return 0
    return 1 if stopping else blanks.bit_count()
