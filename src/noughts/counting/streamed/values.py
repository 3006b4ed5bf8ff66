"""Values of all positions for the rule perfect: the layers of the backward pass, two bits a position, in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from noughts.domain.board import Board
from noughts.domain.symmetry import Group
from noughts.kernels.paths.records import PathValues
from noughts.machine.progress import Progress
from noughts.machine.workers import Workers
from noughts.solving.backward import BackwardPass
from noughts.solving.codes import PACKED_CODES
from noughts.solving.index import PerfectIndex
from noughts.solving.tables import layer_tables

__all__ = ["NOTHING_TOLD", "NO_VALUES", "LayerValues", "layer_values"]

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

NOTHING_TOLD: Bytes = np.zeros((1, 1), np.uint8)
NO_VALUES = PathValues(NOTHING_TOLD, NOTHING_TOLD, NOTHING_TOLD, 0)
"""For rules that ask for none."""


@dataclass(frozen=True)
class LayerValues:
    """The values of the positions of three plies, a row for each canonical set of X: see `PathValues`."""

    before: Bytes
    between: Bytes
    after: Bytes
    lined: int

    def of(self, needed: Ints, first: int, count: int) -> PathValues:
        """Return the values for `count` blocks from the first on, and for the blocks before that these need."""
        own = slice(first, first + count)
        return PathValues(self.before[needed], self.between[own], self.after[own], self.lined)


def layer_values(board: Board, group: Group, workers: Workers, progress: Progress) -> tuple[LayerValues, ...]:
    """Return the values for each two plies, by the marks of X before them, under free play.

    Cost: that of the backward pass, and two bits for every set of O beside every canonical set of X without a line.
    """
    index = PerfectIndex(board, group)
    tables = layer_tables(BackwardPass(index, packed=True, workers=workers), count_won=False, progress=progress)
    rows = [NOTHING_TOLD, *(table.data.reshape(table.shape.blocks, table.shape.stride) for table in tables)][::-1]
    loss, _, win, _ = PACKED_CODES
    lined = win if board.misere else loss
    return tuple(LayerValues(rows[ply], rows[ply + 1], rows[ply + 2], lined) for ply in range(0, board.cells, 2))
