"""The layers that are streamed: sets of X under a group, how many blocks and bytes each layer has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import lead

__all__ = ["LayerSize", "LeadSets", "bytes_above"]

Ints = npt.NDArray[np.int64]


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


class LeadSets:
    """The canonical sets of X of a board under a group: line-free, and lined by their last mark; found as asked for."""

    def __init__(self, cells: int, lines: tuple[int, ...], elements: tuple[tuple[int, ...], ...]) -> None:
        self.cells = cells
        self.lines = lines
        self.permutations = np.array(elements, np.int64)

    @cached_property
    def layers(self) -> tuple[tuple[Ints, Ints], ...]:
        """The line-free sets of 0, 1, ... marks, up to half of the board, and the lined ones; both rising."""
        return tuple(self._found())

    def _found(self) -> Iterator[tuple[Ints, Ints]]:
        group = lead.images(self.permutations)
        masks, lined = np.zeros(1, np.int64), np.zeros(0, np.int64)
        for marks in range((self.cells + 1) // 2 + 1):
            yield masks, lined
            if marks < (self.cells + 1) // 2:
                layer, masks = lead.next_layer(masks, self.cells, marks, self.lines, group)
                lined = layer.won
