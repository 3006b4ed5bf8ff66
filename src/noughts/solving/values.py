"""Values as numbers, codes of table entries, and distributions of values by ply."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from noughts.rules.marks import Outcome

VALUE_OF_OUTCOME: dict[Outcome, int] = {"X": 1, "draw": 0, "O": -1}
OUTCOME_OF_VALUE: dict[int, Outcome] = {value: outcome for outcome, value in VALUE_OF_OUTCOME.items()}


# The codes of table entries: outcome and remoteness as one byte, or value as two bits.
#
# Both codes are for the side to move; a smaller code is better for the player who moved there:
#
#     one byte:   loss in r plies = r     draw = 100   win in r plies = 200 - r   no such position = 255
#     two bits:   loss = 0                draw = 1     win = 2                    no such position = 3

Value = Literal["win", "draw", "loss"]

BYTE_CODES = (0, 100, 200, 255)
"""Loss in 0, draw, win in 0, no such position: one byte an entry."""
PACKED_CODES = (0, 1, 2, 3)
"""Loss, draw, win, no such position: two bits an entry."""


def turned(packed: bool) -> list[int]:
    """Return for each code of a child, 0 to 255, the code of a parent that moves there."""
    if packed:
        return [2, 1, 0] + [3] * 253
    win_after_loss = [199 - code for code in range(100)]
    loss_after_win = [201 - code for code in range(101, 201)]
    return [*win_after_loss, 100, *loss_after_win, *[255] * 55]


def value_code(code: int, packed: bool) -> Value | None:
    """Return the value of a code for the side to move; None for the code of no position."""
    draw, none = (PACKED_CODES if packed else BYTE_CODES)[1::2]
    if code == none:
        return None
    return "draw" if code == draw else "loss" if code < draw else "win"


def decode(code: int, packed: bool) -> tuple[Value, int | None] | None:
    """Return value and remoteness for the side to move; the remoteness of a draw, and of any two-bit code, is None."""
    value = value_code(code, packed)
    if value is None:
        return None
    if packed or value == "draw":
        return value, None
    return value, code if value == "loss" else 200 - code


# The distribution of the values of all positions of a ply.


@dataclass(frozen=True)
class Split:
    """Numbers of positions by outcome with best play; finished positions count too."""

    x_wins: int
    draws: int
    o_wins: int

    @property
    def total(self) -> int:
        """All positions."""
        return self.x_wins + self.draws + self.o_wins

    def as_dict(self) -> dict[str, str]:
        """Return the numbers as a record: decimal strings."""
        return {"x_wins": str(self.x_wins), "draws": str(self.draws), "o_wins": str(self.o_wins)}

    def __add__(self, other: Split) -> Split:
        return Split(self.x_wins + other.x_wins, self.draws + other.draws, self.o_wins + other.o_wins)


@dataclass(frozen=True)
class PlyValues:
    """The reachable positions of one ply by outcome under best play: labelled, and as classes under symmetry."""

    ply: int
    labelled: Split
    symmetry: Split

    def as_dict(self) -> dict[str, Any]:
        """Return the row as a record."""
        return {"ply": self.ply, "labelled": self.labelled.as_dict(), "symmetry": self.symmetry.as_dict()}

    def __add__(self, other: PlyValues) -> PlyValues:
        return PlyValues(self.ply, self.labelled + other.labelled, self.symmetry + other.symmetry)


def reached(plies: Iterable[PlyValues]) -> tuple[PlyValues, ...]:
    """Return the plies that have positions, in order; every game may end before the board is full."""
    return tuple(sorted((row for row in plies if row.labelled.total), key=lambda row: row.ply))
