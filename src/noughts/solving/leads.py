"""The canonical sets of X of a board: found layer by layer, and nothing else kept of what is met on the way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import lead

__all__ = ["LeadSets"]

Ints = npt.NDArray[np.int64]


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
