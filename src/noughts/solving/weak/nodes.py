"""The nodes of the search of the weak game: a family, who moves, and what is known of it."""

from __future__ import annotations

from noughts.domain.bits import Cell, Mask
from noughts.solving.weak.tools import Key

__all__ = ["HELD", "INFINITE", "Known", "WeakNode"]

INFINITE = 1 << 60

Known = tuple[Key, bool, Cell | None, Mask | None]
"""A settled family by its key: whether Maker moves, the answer by which Breaker holds, the zone where he does not."""


class WeakNode:
    """A family with one side to move. `proof` 0 says that Breaker holds, `disproof` 0 that Maker wins within `zone`.

    `answer` is the cell that Breaker takes where he holds by it. `moves`, `must`, `kids` are those still looked at.
    """

    __slots__ = ("answer", "disproof", "key", "kids", "moves", "must", "proof", "zone")

    def __init__(self, key: Key, proof: int, disproof: int, zone: Mask = 0) -> None:
        self.key = key
        self.proof = proof
        self.disproof = disproof
        self.zone = zone
        self.answer: Cell | None = None
        self.moves: list[Cell] | None = None
        self.must: Mask = -1
        self.kids: dict[Cell, tuple[WeakNode, int]] = {}

    @property
    def is_settled(self) -> bool:
        """Whether it is known who wins."""
        return not self.proof or not self.disproof

    def settle(self, proof: int, disproof: int) -> None:
        """Say who wins, and forget how it was found out."""
        self.proof, self.disproof = proof, disproof
        self.moves, self.kids = None, {}


HELD = WeakNode((), 0, INFINITE)
"""Every node that pairs alone settle for Breaker."""
