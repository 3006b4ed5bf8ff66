"""How the values of moves are known, and in which unit their lengths are given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from noughts.domain.board import Board
from noughts.domain.position import Outcome
from noughts.solving import carried, retrograde
from noughts.strategy.lengths import counted

__all__ = ["unit", "valued"]


class _Valued(Protocol):
    """A move with its value."""

    @property
    def outcome(self) -> Outcome | None:
        """Who wins after it under best play."""

    @property
    def remoteness(self) -> int | None:
        """The plies to the end after it."""


def valued(moves: Iterable[_Valued], engine: str | None) -> str:
    """Return how the values of these moves are known, which that engine gave."""
    found = list(moves)
    if engine == retrograde.NAME:
        return "every continuation was valued, backward from the ends"
    if engine == carried.NAME:
        return "by the proof that the package carries, or, where it says nothing, by search; noughts solve says more"
    if all(move.remoteness is not None for move in found):
        return "by search, bounds and pairings, not by going through every continuation; noughts solve says which"
    if all(move.outcome is not None for move in found):
        return "by search, which tells who wins and not how soon"
    return "by search, as far as its budget went"


def unit(board: Board, moves: Iterable[_Valued]) -> list[str]:
    """Return the sentence that says what verdicts count, where any of these moves has a length."""
    lengths = any(move.outcome not in (None, "draw") and move.remoteness is not None for move in moves)
    return [f"Lengths count {counted(board)}."] if lengths else []
