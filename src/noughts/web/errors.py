"""What goes wrong with a request, and the status that says so."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.domain.errors import BudgetError, InputError, NoughtsError
from noughts.web.ask import Ask

__all__ = ["Busy", "NotFound", "ReaderGone", "Unreachable", "status_of"]


class NotFound(InputError):
    """There is no such page, board, position or game."""


class Unreachable(InputError):
    """What is asked for can be read and cannot be had on this board; `ways` are what can be, in words."""

    def __init__(self, sentence: str, ways: Sequence[tuple[str, Ask]]) -> None:
        super().__init__(sentence)
        self.ways = tuple(ways)


class Busy(NoughtsError):
    """All workers are at work and the queue is full."""


class ReaderGone(Exception):
    """Whoever asked has left, and there is nobody to reply to."""


def status_of(error: Exception) -> int:
    """Return the status of an error: 404, 400, 422 where it costs too much, 503 where all are busy, else 500."""
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, InputError):
        return 400
    if isinstance(error, BudgetError):
        return 422
    return 503 if isinstance(error, Busy) else 500
