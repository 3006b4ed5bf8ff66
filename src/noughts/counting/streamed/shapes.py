"""The layers that are streamed: how many blocks and bytes each has."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial

__all__ = ["LayerSize", "bytes_above"]


def bytes_above(marks: int) -> int:
    """Return how many bytes beyond four a number of paths takes where each player has so many marks: p! p! at most."""
    return max(0, -(-((factorial(marks) ** 2).bit_length() - 32) // 8))


@dataclass(frozen=True)
class LayerSize:
    """The layer in which each player has `marks`: so many `blocks` of `size` numbers, `high` bytes each beyond four."""

    marks: int
    blocks: int
    size: int
    high: int

    @classmethod
    def of(cls, cells: int, marks: int, blocks: int) -> LayerSize:
        """Return the size of a layer of a board of so many cells."""
        return cls(marks, blocks, comb(cells - marks, marks), bytes_above(marks))

    @property
    def block_bytes(self) -> int:
        """Bytes of a block."""
        return self.size * (4 + self.high)

    @property
    def bytes(self) -> int:
        """Bytes of the layer."""
        return self.blocks * self.block_bytes
