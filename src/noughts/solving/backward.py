"""The backward pass: the table of one layer from that of the next, in slices, by workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import lead, ranks, retrograde
from noughts.kernels.index.blocks import Blocks, LayerCodes, Rules, Scratch
from noughts.machine.workers import SERIAL, Workers
from noughts.solving.codes import BYTE_CODES, PACKED_CODES, turned, value_code
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


class _Sets(NamedTuple):
    """What the blocks of one layer share: `taken` marks of O among `blanks` cells, all their sets, and all threats."""

    rules: Rules
    lines: tuple[int, ...]
    blanks: int
    taken: int
    subsets: Ints
    threats: npt.NDArray[np.uint32]


class _Lead(NamedTuple):
    """Blocks in which X is to move: their sets of X, and for each move the block of the next layer and the symmetry."""

    leads: Ints
    child: npt.NDArray[np.int32]
    symmetry: npt.NDArray[np.uint16]


class _Reply(NamedTuple):
    """Blocks in which O is to move: their sets of X, and the same blocks of the next layer."""

    leads: Ints
    children: Bytes


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
            replies = (_Reply(layer.masks[a:b], before.data[a * size : b * size]) for a, b in slices)
            shared = (sets, ranks.supersets(sets.blanks, q), size)
            parts = self.workers.fill(_fill_replies, shared, replies, cuts, data)
        else:
            moves = (_Lead(layer.masks[a:b], layer.child[a:b], layer.symmetry[a:b]) for a, b in slices)
            low = ranks.half_ranks(max(sets.blanks - 1, 0), min(q, max(sets.blanks - 1, 0)))
            parts = self.workers.fill(
                _fill_leads, (sets, low, LayerCodes(before.data, before.shape.stride, 0)), moves, cuts, data
            )
        tally = _tally()
        for (a, b), part in zip(slices, parts, strict=True):
            tally += part
            if done is not None:
                done((b - a) * shape.size)
        counts = self._values(ply, tally)
        return LayerTable(shape, data, counts + self.won(ply) if count_won else counts)

    def won(self, ply: int) -> PlyValues:
        """Return the positions of a ply in which X has just completed a line; under misere O has won them."""
        p, _ = ply_marks(ply)
        tally = _tally()
        if ply % 2:
            leads = self.index.layers[p - 1].won
            slices = self._slices(self.index.shape(ply, self.packed), len(leads))
            for part in self.workers.map(_count_won, self._sets(ply), (leads[a:b] for a, b in slices)):
                tally += part
        x_wins = self.index.board.line_outcome("X") == "X"
        labelled, symmetry = (Split(n, 0, 0) if x_wins else Split(0, 0, n) for n in tally[:, 0].tolist())
        return PlyValues(ply, labelled, symmetry)

    def _slices(self, shape: LayerShape, blocks: int) -> list[tuple[int, int]]:
        """Cut blocks into slices of work: several for each worker, none too large."""
        entries = min(SLICE_ENTRIES, shape.entries // (4 * self.workers.count) + 1)
        step = max(1, entries // max(1, shape.size))
        return list(pairwise([*range(0, blocks, step), blocks]))

    def _sets(self, ply: int) -> _Sets:
        p, q = ply_marks(ply)
        blanks = self.index.cells - p
        return _Sets(self._rules, self.index.lines, blanks, q, ranks.subsets(blanks, q), self._threats_of(q))

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


def _fill_leads(shared: tuple[_Sets, tuple[int, Ints, Ints], LayerCodes], some: _Lead, part: Bytes) -> Ints:
    """Write the codes of blocks in which X is to move; return how many there are of each (see `put_block`)."""
    sets, half_ranks, children = shared
    tally, out, scratch = _tally(), LayerCodes(part, len(part) // len(some.leads), 0), _scratch(sets)
    blocks = _blocks(sets, some.leads)
    retrograde.lead_moves(sets.rules, blocks, some.child, some.symmetry, *half_ranks, children, out, scratch, tally)
    return tally


def _fill_replies(shared: tuple[_Sets, npt.NDArray[np.int32], int], some: _Reply, part: Bytes) -> Ints:
    """Write the codes of blocks in which O is to move; return how many there are of each."""
    sets, supersets, stride = shared
    tally, out, scratch = _tally(), LayerCodes(part, len(part) // len(some.leads), 0), _scratch(sets)
    children = LayerCodes(some.children, stride, 0)
    retrograde.reply_moves(sets.rules, _blocks(sets, some.leads), supersets, children, out, scratch, tally)
    return tally


def _count_won(sets: _Sets, leads: Ints) -> Ints:
    """Return how many positions and classes there are beside sets of X with a line."""
    tally = _tally()
    blocks = Blocks(leads, np.zeros(len(leads), np.uint32), sets.subsets, sets.taken, sets.threats)
    retrograde.won_positions(sets.rules, blocks, sets.blanks, _scratch(sets), tally)
    return tally


def _tally() -> Ints:
    return np.zeros((2, 256), np.int64)


def _blocks(sets: _Sets, leads: Ints) -> Blocks:
    return Blocks(leads, lead.threat_table(leads, sets.lines), sets.subsets, sets.taken, sets.threats)


def _scratch(sets: _Sets) -> Scratch:
    blanks = sets.blanks
    low = blanks // 2
    return Scratch(
        np.zeros((3, 32), np.int64),
        np.zeros((blanks + 1, 1 << low), np.int64),
        np.zeros((blanks + 1, 1 << (blanks - low)), np.int64),
        np.zeros((2, len(sets.subsets) + 4), np.uint8),
    )
