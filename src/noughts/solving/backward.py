"""The backward pass: the table of one layer from that of the next, in slices, on a pool of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import lead, ranks, retrograde
from noughts.kernels.index.blocks import Blocks, LayerCodes, Rules, Scratch
from noughts.solving.codes import BYTE_CODES, PACKED_CODES, turned, value_code
from noughts.solving.index import LayerShape, PerfectIndex, ply_marks
from noughts.solving.plies import PlyValues, Split

__all__ = ["BackwardPass", "LayerTable"]

Bytes = npt.NDArray[np.uint8]
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
    the number of threads.
    """

    def __init__(self, index: PerfectIndex, *, packed: bool, threads: int = 2) -> None:
        self.index = index
        self.packed = packed
        self.threads = threads
        board = index.board
        self._rules = Rules(
            index.permutations,
            ranks.popcounts((board.cells + 1) // 2).copy(),
            ranks.binomials(board.cells),
            np.array(PACKED_CODES if packed else BYTE_CODES, np.uint8),
            np.array(turned(packed), np.uint8),
            int(packed),
            int(board.misere),
        )
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
        `done` is told how many entries were filled, from several threads.
        """
        shape = self.index.shape(ply, self.packed)
        data = np.empty(shape.bytes, np.uint8)
        p, q = ply_marks(ply)
        subsets = ranks.subsets(self.index.cells - p, q)
        threats = self._threats_of(q)
        step = self._step(shape)

        def fill(start: int) -> npt.NDArray[np.int64]:
            part = np.zeros((2, 256), np.int64)
            self._fill(ply, slice(start, start + step), subsets, threats, following, data, part)
            if done is not None:
                done(min(step, shape.blocks - start) * shape.size)
            return part

        counts = self._values(ply, self._sum(fill, range(0, shape.blocks, step)))
        return LayerTable(shape, data, counts + self.won(ply) if count_won else counts)

    def won(self, ply: int) -> PlyValues:
        """Return the positions of a ply in which X has just completed a line; under misere O has won them."""
        p, q = ply_marks(ply)
        tally = np.zeros((2, 256), np.int64)
        if ply % 2:
            leads = self.index.layers[p - 1].won
            subsets = ranks.subsets(self.index.cells - p, q)
            threats = self._threats_of(q)
            step = self._step(self.index.shape(ply, self.packed))

            def count(start: int) -> npt.NDArray[np.int64]:
                part = np.zeros((2, 256), np.int64)
                some = leads[start : start + step]
                blocks = Blocks(some, np.zeros(len(some), np.uint32), subsets, q, threats)
                scratch = self._scratch(p, len(subsets))
                retrograde.won_positions(self._rules, blocks, self.index.cells - p, scratch, part)
                return part

            tally += self._sum(count, range(0, len(leads), step))
        labelled, symmetry = (
            Split(0, 0, number) if self.index.board.misere else Split(number, 0, 0) for number in tally[:, 0].tolist()
        )
        return PlyValues(ply, labelled, symmetry)

    def _step(self, shape: LayerShape) -> int:
        """Return how many blocks make a slice of work: several slices a thread, none too large."""
        return max(1, min(SLICE_ENTRIES, shape.entries // (4 * self.threads) + 1) // max(1, shape.size))

    def _sum(self, work: Callable[[int], npt.NDArray[np.int64]], starts: range) -> npt.NDArray[np.int64]:
        total = np.zeros((2, 256), np.int64)
        pool = ThreadPoolExecutor(self.threads)
        try:
            for part in pool.map(work, starts):
                total += part
        finally:
            pool.shutdown(cancel_futures=True)
        return total

    def _fill(
        self,
        ply: int,
        part: slice,
        subsets: npt.NDArray[np.int64],
        threats: npt.NDArray[np.uint32],
        following: LayerTable | None,
        data: Bytes,
        tally: npt.NDArray[np.int64],
    ) -> None:
        p, q = ply_marks(ply)
        layer = self.index.layers[p]
        shape = self.index.shape(ply, self.packed)
        leads = layer.masks[part]
        blocks = Blocks(leads, lead.threat_table(leads, self.index.lines), subsets, q, threats)
        out = LayerCodes(data, shape.stride, part.start)
        scratch = self._scratch(p, shape.size)
        blanks = self.index.cells - p
        children, stride = (data, 1) if following is None else (following.data, following.shape.stride)
        if ply % 2:
            source = LayerCodes(children, stride, part.start)
            retrograde.reply_moves(self._rules, blocks, ranks.supersets(blanks, q), source, out, scratch, tally)
        else:
            low, low_ranks, high_ranks = ranks.half_ranks(max(blanks - 1, 0), min(q, max(blanks - 1, 0)))
            source = LayerCodes(children, stride, 0)
            child, symmetry = layer.child[part], layer.symmetry[part]
            retrograde.lead_moves(
                self._rules, blocks, child, symmetry, low, low_ranks, high_ranks, source, out, scratch, tally
            )

    def _scratch(self, marks: int, size: int) -> Scratch:
        blanks = self.index.cells - marks
        low = blanks // 2
        return Scratch(
            np.zeros((3, 32), np.int64),
            np.zeros((blanks + 1, 1 << low), np.int64),
            np.zeros((blanks + 1, 1 << (blanks - low)), np.int64),
            np.zeros((2, size + 4), np.uint8),
        )

    def _threats_of(self, count: int) -> npt.NDArray[np.uint32]:
        if self._threats is None or self._threats[0] != count:
            self._threats = (count, self.index.threat_table(count))
        return self._threats[1]

    def _values(self, ply: int, tally: npt.NDArray[np.int64]) -> PlyValues:
        """Return how many positions and classes with an entry are X's, drawn and O's."""
        splits = []
        for row in tally.tolist():
            sums = {"win": 0, "draw": 0, "loss": 0}
            for code, number in enumerate(row):
                value = value_code(code, self.packed)
                if number and value is not None:
                    sums[value] += number
            x_wins, o_wins = (sums["win"], sums["loss"]) if ply % 2 == 0 else (sums["loss"], sums["win"])
            splits.append(Split(x_wins, sums["draw"], o_wins))
        return PlyValues(ply, labelled=splits[0], symmetry=splits[1])
