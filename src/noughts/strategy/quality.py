"""What a move does to the game, decided in one place: it keeps the value, gives up a win, loses, or was lost before."""

from __future__ import annotations

from typing import Literal

from noughts.domain.position import Outcome, Player, opponent
from noughts.domain.rules import EndRule
from noughts.strategy.lengths import in_moves

__all__ = ["Quality", "quality", "told", "verdict"]

Quality = Literal["keeps", "gives up a win", "loses", "lost before"]
"""What a move does to the value that its player had.

`keeps`: nothing is lost. `gives up a win`: a won position becomes a draw. `loses`: it was not lost and is now,
a win thrown away included. `lost before`: the position was lost already, and no move can change that.
"""


def quality(mover: Player, before: Outcome | None, after: Outcome | None) -> Quality | None:
    """Return what a move does, by the outcomes under best play before and after it; None where they do not tell.

    >>> quality("O", "draw", "X"), quality("O", "X", "X"), quality("O", "O", "draw"), quality("O", "O", "X")
    ('loses', 'lost before', 'gives up a win', 'loses')
    """
    if after == mover:
        return "keeps"
    if before is None or after is None:
        return None
    if before == opponent(mover):
        return "lost before"
    if before == after:
        return "keeps"
    return "gives up a win" if after == "draw" else "loses"


def verdict(
    mover: Player, before: Outcome | None, after: Outcome | None, remoteness: int | None, end: EndRule = "line"
) -> str:
    """Return what a move does in a few words, as its player sees it: `wins in 3 moves`, `draws`, `loses in 2 moves`.

    `remoteness` counts the plies after the move; the moves in the words are those that `in_moves` counts, this one
    included. In a position that was lost before no move loses it: `lost in 2 moves`.
    """
    if after is None:
        return "not found"
    if after == "draw":
        return "gives up the win" if quality(mover, before, after) == "gives up a win" else "draws"
    word = "wins" if after == mover else "loses" if quality(mover, before, after) == "loses" else "lost"
    return word if remoteness is None else f"{word} {in_moves(remoteness + 1, end)}"


def told(mover: Player, before: Outcome | None, after: Outcome | None, remoteness: int | None) -> str:
    """Return what a move does, a lost game by who wins it and how soon: what cells say, and with the same number.

    `remoteness` counts the plies after the move.

    >>> told("O", "draw", "X", 3), told("O", "X", "X", 3)
    ('loses (X wins in 2 moves)', 'was lost already (X wins in 2 moves)')
    """
    if after != opponent(mover) or remoteness is None:
        return verdict(mover, before, after, remoteness)
    wins = f"{after} wins {in_moves(remoteness + 1)}"
    words = {"loses": f"loses ({wins})", "lost before": f"was lost already ({wins})"}
    return words.get(quality(mover, before, after) or "", wins)
