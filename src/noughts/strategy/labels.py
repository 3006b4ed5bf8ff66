"""The four labels of a position: decided or not, won or drawn. (mathrec.org, "Tic-Tac-Toe", 2002.)"""

from __future__ import annotations

from noughts.domain.position import Outcome

__all__ = ["LABELS", "label"]

LABELS = (
    "X wins",
    "X can force a win",
    "draw",
    "either can force a draw",
    "O can force a win",
    "O wins",
)


def label(outcome: Outcome, decided: bool) -> str:
    """Return the label of a position: `X wins` and `draw` when however both play it ends so, else who can force it.

    >>> label("X", True), label("X", False), label("draw", False)
    ('X wins', 'X can force a win', 'either can force a draw')
    """
    if outcome == "draw":
        return "draw" if decided else "either can force a draw"
    return f"{outcome} wins" if decided else f"{outcome} can force a win"
