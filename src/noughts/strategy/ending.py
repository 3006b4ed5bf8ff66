"""How a finished game ended: who won and by which line or lines, or that nobody did; in cells and in a sentence."""

from __future__ import annotations

from noughts.domain.bits import Cell, cells_of
from noughts.domain.cells import cell_name
from noughts.domain.position import Position, opponent

__all__ = ["completed_lines", "ending", "line_words"]


def completed_lines(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Return the lines that are completed, each in reading order: those of the winner, under misere the loser's."""
    return tuple(tuple(cells_of(line)) for player in ("X", "O") for line in position.completed_lines(player))


def line_words(position: Position) -> str:
    """Return the completed lines in words: `the line a1-b1-c1`, or `the lines a1-b1-c1 and a1-a2-a3`."""
    named = ["-".join(cell_name(position.board, cell) for cell in line) for line in completed_lines(position)]
    if len(named) == 1:
        return f"the line {named[0]}"
    return f"the lines {', '.join(named[:-1])} and {named[-1]}"


def ending(position: Position) -> str:
    """Return how a finished game ended as a clause: `X has won with the line a1-b1-c1`, `the game is drawn: ...`."""
    winner = position.winner
    if winner is None:
        return "the game is drawn: the board is full and nobody has a line"
    if position.board.misere:
        return f"{winner} has won: {opponent(winner)} has completed {line_words(position)}, which loses under misere"
    return f"{winner} has won with {line_words(position)}"
