"""Why a key of a board does nothing there, and what is read aloud after a move, in sentences."""

from __future__ import annotations

from noughts.domain.cells import cell_name
from noughts.strategy.playing import Playing
from noughts.web.known import Known

__all__ = ["live", "unkeyed"]


def unkeyed(known: Known, told: bool) -> dict[str, str]:
    """Return why the keys of a position without a link have none; `told` is whether its answers are shown."""
    same = {"turn": "Turned or flipped, this board is the same."}
    if known.is_over:
        return same | dict.fromkeys(("best", "hint"), "The game is over.")
    if not told:
        return same | dict.fromkeys(("best", "hint"), "The answers are hidden here.")
    return same | dict.fromkeys(("best", "hint"), "What is best here is not known.")


def live(game: Playing) -> str:
    """Return what is read aloud of a game that is played: the last move, and how the game stands."""
    told = game.reply is not None and not game.position.is_terminal
    if not game.moves or told:
        return game.sentence
    mover = "XO"[(len(game.moves) - 1) % 2]
    return f"{mover} played {cell_name(game.board, game.moves[-1])}. {game.sentence}"
