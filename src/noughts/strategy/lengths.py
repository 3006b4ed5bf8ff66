"""How long a won game lasts, for people: in moves of one side. Data count plies, as `remoteness`."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.position import Outcome
from noughts.domain.rules import EndRule

__all__ = ["counted", "in_moves", "moves_to_win", "outlook", "within"]


def moves_to_win(remoteness: int) -> int:
    """Return in how many moves a game is won that lasts so many plies: the moves of the side that makes the last one.

    That is the winner, who completes a line; under misere it is the loser, who has to complete one.

    >>> moves_to_win(1), moves_to_win(2), moves_to_win(5)
    (1, 1, 3)
    """
    return (remoteness + 1) // 2


def in_moves(remoteness: int, end: EndRule = "line") -> str:
    """Return `in 1 move`, `in 3 moves`: how soon a game is won that lasts so many plies.

    Where a game ends without a line, when all is decided or the board is full, either side may make the last move: then
    it is plies, and of a game that is decided by then nobody says that it is won.

    >>> in_moves(5), in_moves(5, "decided")
    ('in 3 moves', '(decided in 5 plies)')
    """
    if end != "line":
        plies = f"in {remoteness:,} {'ply' if remoteness == 1 else 'plies'}"
        return f"(decided {plies})" if end == "decided" else plies
    moves = moves_to_win(remoteness)
    return f"in {moves:,} move{'s' * (moves != 1)}"


def within(at_most: int) -> str:
    """Return `in at most 3 moves`: how soon a game is won that lasts at most so many plies.

    >>> within(5), within(2)
    ('in at most 3 moves', 'in at most 1 move')
    """
    moves = moves_to_win(at_most)
    return f"in at most {moves:,} move{'s' * (moves != 1)}"


def counted(board: Board, end: EndRule = "line") -> str:
    """Return what the lengths on a board count, for a legend or a caption."""
    if end != "line":
        return "plies until " + ("the outcome is decided" if end == "decided" else "the board is full")
    if board.misere:
        return "the moves of the side that has to complete a line, and so loses"
    return "the moves of the side that wins"


def outlook(
    label: str, outcome: Outcome, remoteness: int | None, end: EndRule = "line", *, at_most: int | None = None
) -> str:
    """Return the label of a position with how soon it is won, `X can force a win in 3 moves`; of a draw the label.

    `at_most` is a number of plies within which the game ends, where only that is known.

    >>> outlook("X can force a win", "X", 5), outlook("draw", "draw", 3)
    ('X can force a win in 3 moves', 'draw')
    >>> outlook("X can force a win", "X", None, at_most=7)
    'X can force a win in at most 4 moves'
    """
    if outcome == "draw" or (remoteness is None and at_most is None):
        return label
    if remoteness is None:
        return f"{label} {within(at_most or 0)}"
    return f"{label} {in_moves(remoteness, end)}"
