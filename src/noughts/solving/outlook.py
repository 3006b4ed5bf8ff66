"""Is a position decided? What the rest of the game can bring, whatever the players do."""

from __future__ import annotations

import random

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.position import Outcome, Position

__all__ = ["decided_outcome"]

PLAYOUTS = 64


def decided_outcome(position: Position) -> Outcome | None:
    """Return the one outcome that all continuations have, or None where they differ.

    Any blank cell may be played, and the game ends at a line or a full board. Sample games settle nearly all undecided
    positions; the rest is searched in full, which stops at dead positions and at the second outcome.
    """
    if position.outcome is not None:
        return position.outcome
    if _is_dead(position.board, position.x, position.o):
        return "draw"
    seen: set[Outcome] = set()
    for number in range(PLAYOUTS):
        seen.add(_sample_game(position, random.Random(number)))
        if len(seen) > 1:
            return None
    for player in ("X", "O"):
        for line in position.board.line_masks:
            outcome = _help_to_line(position, player == "X", line)
            if outcome is not None:
                seen.add(outcome)
        if len(seen) > 1:
            return None
    _collect(position.board, position.x, position.o, seen, set())
    return seen.pop() if len(seen) == 1 else None


def _is_dead(board: Board, x: Mask, o: Mask) -> bool:
    """Tell whether every line has marks of both."""
    return all(line & x and line & o for line in board.line_masks)


def _sample_game(position: Position, dice: random.Random) -> Outcome:
    cells = list(cells_of(position.blanks))
    dice.shuffle(cells)
    for cell in cells:
        position = position.play(cell)
        if position.outcome is not None:
            return position.outcome
    raise AssertionError("a full board has an outcome")


def _help_to_line(position: Position, for_x: bool, line: Mask) -> Outcome | None:
    """Play on so that one player fills a line while the other keeps out of the way; return the outcome, if it works."""
    if line & position.marks("O" if for_x else "X"):
        return None
    while position.outcome is None:
        mine = (position.to_move == "X") == for_x
        wanted = position.blanks & line if mine else position.blanks & ~line
        if not mine:
            for cell in position.threats(position.to_move):
                wanted &= ~(1 << cell)
        if not wanted:
            return None
        position = position.play(next(cells_of(wanted)))
    return position.outcome


def _collect(board: Board, x: Mask, o: Mask, seen: set[Outcome], known: set[tuple[Mask, Mask]]) -> None:
    """Add the outcomes of all continuations to `seen` until there are two."""
    if (x, o) in known or len(seen) > 1:
        return
    known.add((x, o))
    position = Position(board, x, o)
    outcome: Outcome | None = position.outcome or ("draw" if _is_dead(board, x, o) else None)
    if outcome is not None:
        seen.add(outcome)
        return
    x_moves = position.to_move == "X"
    for cell in cells_of(position.blanks):
        bit = 1 << cell
        _collect(board, x | bit if x_moves else x, o if x_moves else o | bit, seen, known)
