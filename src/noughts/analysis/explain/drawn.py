"""Why an empty board is a draw: a reason for each player, short enough for a sentence."""

from __future__ import annotations

from noughts.analysis.explain.openings import openings
from noughts.rules.board import Board
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Player
from noughts.rules.position import Position
from noughts.solving.bounds import why_not


def why_drawn(board: Board) -> dict[Player, str]:
    """Return why each player cannot force a win on a drawn empty board, as far as a short reason is known.

    Against O it is strategy stealing; against X a bound or a pairing, or on boards that are quick to solve the rule of
    thumb for O's reply. Empty under misere, and where players do not mark any blank cell with their own mark.

    >>> why_drawn(Board.parse("3x3"))["X"]
    "O's reply to any first move holds the draw: the centre, if it is blank, else a corner"
    """
    start = Position(board)
    if not board.lines or start.is_terminal or why_not(start, "O") is None:
        return {}
    found: dict[Player, str] = {"O": "X could use the same strategy first (strategy stealing)"}
    bound = why_not(start, "X")
    if bound is not None:
        return {"X": bound, **found}
    if class_bound(start) <= QUICK_CLASSES:
        theory = openings(board)
        if theory.outcome != "draw":
            return {}
        if theory.rule is not None and theory.rule.words:
            return {"X": f"O's reply to any first move holds the draw: {theory.rule.words}", **found}
    return found
