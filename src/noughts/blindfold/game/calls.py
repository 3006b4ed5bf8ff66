"""What a call can lead to: the vocabulary that the engines, the strategies and the judge have in common."""

from __future__ import annotations

from typing import Generic, Literal, NamedTuple, TypeVar

from noughts.domain.bits import Cell, Mask

__all__ = ["NO_CELL", "Answer", "Call", "Kind", "after_opening"]

Kind = Literal["start", "opening", "free", "taken", "next"]
State = TypeVar("State")

NO_CELL: Cell = -1
"""Stands for the call in what happens before the blind player's first call."""


class Answer(NamedTuple):
    """What the blind player hears: `free` (the mark is placed), `taken`, or `next` where nothing is told.

    `told` holds the cells named with it: X's opening, the opponent's last move, or all the opponent's marks.
    Before the first call the answer is `start`, or `opening` with the cell of X's first mark.
    """

    kind: Kind
    told: Mask = 0


class Call(NamedTuple, Generic[State]):
    """All that can happen on a call, given what the player knows.

    `wins`, `draws`, `loses` tell whether the game can be over with that outcome, for the blind player, before the
    player's next call; `branches` are the answers after which the player calls again, with the knowledge then.
    """

    cell: Cell
    wins: bool
    draws: bool
    loses: bool
    branches: tuple[tuple[Answer, State], ...]


def after_opening(start: Call[State], opening: Cell) -> Call[State]:
    """Return what can happen before the first call once O is told of this opening.

    An opening that ends the game leaves no branches, and what the start said of outcomes.
    """
    kept = tuple((answer, state) for answer, state in start.branches if answer.told == 1 << opening)
    if not kept:
        return start._replace(branches=())
    return start._replace(wins=False, draws=False, loses=False, branches=kept)
