"""The two players, and how a game between them can end."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["OUTCOMES", "Outcome", "Player", "opponent"]

Player = Literal["X", "O"]
Outcome = Literal["X", "O", "draw"]

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""X wins, O wins, draw: the order of columns and of the numbers that kernels use."""


def opponent(player: Player) -> Player:
    """Return the other player."""
    return "O" if player == "X" else "X"
