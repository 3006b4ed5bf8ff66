"""How the values of all positions of a ply are distributed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["PlyValues", "Split", "reached"]


@dataclass(frozen=True)
class Split:
    """Numbers of positions that X wins, that are drawn and that O wins with best play, finished ones included."""

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
    """The reachable positions of one ply by outcome under best play: as boards and as classes."""

    ply: int
    labelled: Split
    symmetry: Split

    def as_dict(self) -> dict[str, Any]:
        """Return the row as a record: boards and classes, each by outcome."""
        return {"ply": self.ply, "labelled": self.labelled.as_dict(), "symmetry": self.symmetry.as_dict()}

    def __add__(self, other: PlyValues) -> PlyValues:
        return PlyValues(self.ply, self.labelled + other.labelled, self.symmetry + other.symmetry)


def reached(plies: Iterable[PlyValues]) -> tuple[PlyValues, ...]:
    """Return the plies that have positions, in order: every game may be over before the board is full."""
    return tuple(sorted((row for row in plies if row.labelled.total), key=lambda row: row.ply))
