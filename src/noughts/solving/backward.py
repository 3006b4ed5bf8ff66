"""The backward pass: the table of one layer from that of the next, in slices, by workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import ranks
from noughts.kernels.index.blocks import LayerCodes
from noughts.machine.workers import SERIAL, Workers
from noughts.solving.blockwork import (
    BlockSets,
    LeadBlocks,
    ReplyBlocks,
    block_rules,
    count_won_beside,
    distribution,
    fill_leads,
    fill_replies,
    new_tally,
    won_distribution,
)
from noughts.solving.index import LayerShape, PerfectIndex, ply_marks
from noughts.solving.plies import PlyValues, Split

__all__ = ["BackwardPass", "LayerTable"]

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
SLICE_ENTRIES = 1 << 23
Done = Callable[[int], None]


@dataclass(frozen=True)
class LayerTable:
    """The table of one layer: its layout, its bytes, and how the values of its positions are distributed."""

    shape: LayerShape
    data: Bytes
    counts: PlyValues

    def code(self, block: int, entry: int, packed: bool) -> int:
        """Return the code of one entry."""
        start = block * self.shape.stride
        if packed:
            return int(self.data[start + entry // 4]) >> 2 * (entry % 4) & 3
        return int(self.data[start + entry])


class BackwardPass:
    """Computes layer tables of one board, last layer first.

    Memory: the layer, the next one, and 4 bytes for each set of O on the whole board. The result does not depend on
    the workers.
    """

    def __init__(self, index: PerfectIndex, *, packed: bool, workers: Workers = SERIAL) -> None:
        self.index = index
        self.packed = packed
        self.workers = workers
        board = index.board
        self._rules = block_rules(index.permutations, board.cells, misere=board.misere, packed=packed)
        self._threats: tuple[int, npt.NDArray[np.uint32]] | None = None

    def layers(self) -> Iterator[LayerTable]:
        """Yield the table of every layer, from the full board to the empty one; each needs the one before only."""
        table: LayerTable | None = None
        for ply in range(self.index.cells, -1, -1):
            table = self.layer(ply, table)
            yield table

    def layer(
        self, ply: int, following: LayerTable | None, *, count_won: bool = True, done: Done | None = None
    ) -> LayerTable:
        """Return the table of a layer, given that of the next one (None for the full board).

        With `count_won` the counts include the positions that X has just won, which have no entry (see `won`).
        `done` is told how many entries were filled.
        """
        shape = self.index.shape(ply, self.packed)
        p, q = ply_marks(ply)
        layer, sets = self.index.layers[p], self._sets(ply)
        none = LayerTable(shape, np.zeros(0, np.uint8), PlyValues(ply, Split(0, 0, 0), Split(0, 0, 0)))
        data, before = np.empty(shape.bytes, np.uint8), following or none
        slices = self._slices(shape, shape.blocks)
        cuts = [(a * shape.stride, b * shape.stride) for a, b in slices]
        if ply % 2:
            size = before.shape.stride
            replies = (ReplyBlocks(layer.masks[a:b], before.data[a * size : b * size]) for a, b in slices)
            shared = (sets, ranks.supersets(sets.blanks, q), size)
            parts = self.workers.fill(fill_replies, shared, replies, cuts, data)
        else:
            moves = (LeadBlocks(layer.masks[a:b], layer.child[a:b], layer.symmetry[a:b]) for a, b in slices)
            low = ranks.half_ranks(max(sets.blanks - 1, 0), min(q, max(sets.blanks - 1, 0)))
            parts = self.workers.fill(
                fill_leads, (sets, low, LayerCodes(before.data, before.shape.stride, 0)), moves, cuts, data
            )
        tally = new_tally()
        for (a, b), part in zip(slices, parts, strict=True):
            tally += part
            if done is not None:
                done((b - a) * shape.size)
        counts = distribution(ply, tally, packed=self.packed)
        return LayerTable(shape, data, counts + self.won(ply) if count_won else counts)

    def won(self, ply: int) -> PlyValues:
        """Return the positions of a ply in which X has just completed a line; under misere O has won them."""
        p, _ = ply_marks(ply)
        tally = new_tally()
        if ply % 2:
            leads = self.index.layers[p - 1].won
            slices = self._slices(self.index.shape(ply, self.packed), len(leads))
            for part in self.workers.map(count_won_beside, self._sets(ply), (leads[a:b] for a, b in slices)):
                tally += part
        return won_distribution(ply, tally, x_wins=self.index.board.line_outcome("X") == "X")

    def _slices(self, shape: LayerShape, blocks: int) -> list[tuple[int, int]]:
        """Cut blocks into slices of work: several for each worker, none too large."""
        entries = min(SLICE_ENTRIES, shape.entries // (4 * self.workers.count) + 1)
        step = max(1, entries // max(1, shape.size))
        return list(pairwise([*range(0, blocks, step), blocks]))

    def _sets(self, ply: int) -> BlockSets:
        p, q = ply_marks(ply)
        blanks = self.index.cells - p
        return BlockSets(self._rules, self.index.lines, blanks, q, ranks.subsets(blanks, q), self._threats_of(q))

    def _threats_of(self, count: int) -> npt.NDArray[np.uint32]:
        if self._threats is None or self._threats[0] != count:
            self._threats = (count, self.index.threat_table(count))
        return self._threats[1]
