"""The backward pass: the table of a layer computed from that of the next, by workers; and solutions from tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import ranks, retrograde
from noughts.kernels.index.retrograde import Blocks, LayerCodes, Rules, Scratch
from noughts.machine.workers import SERIAL, Progress, Workers, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Outcome, opponent
from noughts.rules.position import Position
from noughts.solving.index import LayerShape, PerfectIndex, ply_marks
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import BYTE_CODES, PACKED_CODES, PlyValues, Split, decode, reached, turned

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


class BlockSets(NamedTuple):
    """Data that the blocks of one layer share: `taken` marks of O among `blanks` cells, all their sets, all threats."""

    rules: Rules
    lines: tuple[int, ...]
    blanks: int
    taken: int
    subsets: Ints
    threats: npt.NDArray[np.uint32]


class LeadBlocks(NamedTuple):
    """Blocks in which X is to move: their sets of X, and for each move the block of the next layer and the symmetry."""

    leads: Ints
    child: npt.NDArray[np.int32]
    symmetry: npt.NDArray[np.uint16]


class ReplyBlocks(NamedTuple):
    """Blocks in which O is to move: their sets of X, and the same blocks of the next layer."""

    leads: Ints
    children: Bytes


def block_rules(permutations: Ints, board: Board, *, packed: bool) -> Rules:
    """Return the data that all layers of a board share; the identity must be first among the symmetries."""
    return Rules(
        permutations,
        ranks.popcounts((board.cells + 1) // 2).copy(),
        ranks.binomials(board.cells),
        np.array(PACKED_CODES if packed else BYTE_CODES, np.uint8),
        np.array(turned(packed), np.uint8),
        int(packed),
        int(board.misere),
    )


def distribution(ply: int, tally: Ints, *, packed: bool) -> PlyValues:
    """Return the distribution of values of the positions and classes with an entry."""
    draw, none = (PACKED_CODES if packed else BYTE_CODES)[1::2]
    splits = []
    for row in tally:
        loss, win = int(row[:draw].sum()), int(row[draw + 1 : none].sum())
        splits.append(Split(loss, int(row[draw]), win) if ply % 2 else Split(win, int(row[draw]), loss))
    return PlyValues(ply, *splits)


def won_distribution(ply: int, tally: Ints, board: Board) -> PlyValues:
    """Return the distribution of the positions and classes where X has just completed a line; under misere O wins."""
    x_wins = board.line_outcome("X") == "X"
    return PlyValues(ply, *(Split(n, 0, 0) if x_wins else Split(0, 0, n) for n in tally[:, 0].tolist()))


def fill_leads(shared: tuple[BlockSets, tuple[int, Ints, Ints], LayerCodes], some: LeadBlocks, part: Bytes) -> Ints:
    """Write the codes of blocks in which X is to move; return the number of each code (see `put_block`)."""
    sets, half_ranks, children = shared
    tally, out, scratch = new_tally(), LayerCodes(part, len(part) // len(some.leads), 0), _scratch(sets)
    blocks = _blocks(sets, some.leads)
    retrograde.lead_moves(sets.rules, blocks, some.child, some.symmetry, *half_ranks, children, out, scratch, tally)
    return tally


def fill_replies(shared: tuple[BlockSets, npt.NDArray[np.int32], int], some: ReplyBlocks, part: Bytes) -> Ints:
    """Write the codes of blocks in which O is to move; return the number of each code."""
    sets, supersets, stride = shared
    tally, out, scratch = new_tally(), LayerCodes(part, len(part) // len(some.leads), 0), _scratch(sets)
    children = LayerCodes(some.children, stride, 0)
    retrograde.reply_moves(sets.rules, _blocks(sets, some.leads), supersets, children, out, scratch, tally)
    return tally


def count_won_beside(sets: BlockSets, leads: Ints) -> Ints:
    """Return the number of positions and classes with the given sets of X, which have a line."""
    tally = new_tally()
    blocks = Blocks(leads, np.zeros(len(leads), np.uint32), sets.subsets, sets.taken, sets.threats)
    retrograde.won_positions(sets.rules, blocks, sets.blanks, _scratch(sets), tally)
    return tally


def new_tally() -> Ints:
    """Return zeros for positions and for classes, by code."""
    return np.zeros((2, 256), np.int64)


def _blocks(sets: BlockSets, leads: Ints) -> Blocks:
    return Blocks(leads, ranks.threat_table(leads, sets.lines), sets.subsets, sets.taken, sets.threats)


def _scratch(sets: BlockSets) -> Scratch:
    blanks = sets.blanks
    low = blanks // 2
    return Scratch(
        np.zeros((3, 32), np.int64),
        np.zeros((blanks + 1, 1 << low), np.int64),
        np.zeros((blanks + 1, 1 << (blanks - low)), np.int64),
        np.zeros((2, len(sets.subsets) + 4), np.uint8),
    )


SLICE_ENTRIES = 1 << 23


@dataclass(frozen=True)
class LayerTable:
    """The table of one layer: its layout, its bytes, and the distribution of its values."""

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
    """Computes the table of each layer of a board from that of the next, in slices, by workers.

    Memory: the layer, the next one, and 4 bytes for each set of O on the whole board. The result does not depend on
    the number of workers.
    """

    def __init__(self, index: PerfectIndex, *, packed: bool, workers: Workers = SERIAL) -> None:
        self.index, self.packed, self.workers = index, packed, workers
        self._rules = block_rules(index.permutations, index.board, packed=packed)
        self._threats: tuple[int, npt.NDArray[np.uint32]] | None = None

    def layers(self, *, count_won: bool = True, progress: Progress = silent) -> Iterator[LayerTable]:
        """Yield the table of every layer, from the full board to the empty one; only two are held here at a time."""
        whole, done = sum(shape.entries for shape in self.index.shapes(self.packed)), 0
        what = f"solving {self.index.board}"

        def advance(entries: int) -> None:
            nonlocal done
            done += entries
            if done < whole:
                progress(done, whole, what)

        table: LayerTable | None = None
        for ply in range(self.index.cells, -1, -1):
            table = self.layer(ply, table, count_won=count_won, done=advance)
            yield table
        progress(whole, whole, what)

    def layer(
        self,
        ply: int,
        following: LayerTable | None,
        *,
        count_won: bool = True,
        done: Callable[[int], None] = lambda entries: None,
    ) -> LayerTable:
        """Return the table of a layer, given that of the next one (None for the full board).

        With `count_won` the counts include the positions that X has just won, which have no entry (see `won`).
        `done` is called with how many entries were filled.
        """
        shape = self.index.shape(ply, self.packed)
        layer, sets = self.index.layers[ply_marks(ply)[0]], self._sets(ply)
        data = np.empty(shape.bytes, np.uint8)
        before, size = (np.zeros(0, np.uint8), 0) if following is None else (following.data, following.shape.stride)
        slices = self._slices(shape, shape.blocks)
        cuts = [(a * shape.stride, b * shape.stride) for a, b in slices]
        if ply % 2:
            size = size or shape.stride
            replies = (ReplyBlocks(layer.masks[a:b], before[a * size : b * size]) for a, b in slices)
            shared = (sets, ranks.supersets(sets.blanks, sets.taken), size)
            parts = self.workers.fill(fill_replies, shared, replies, cuts, data)
        else:
            moves = (LeadBlocks(layer.masks[a:b], layer.child[a:b], layer.symmetry[a:b]) for a, b in slices)
            left = max(sets.blanks - 1, 0)
            low = ranks.half_ranks(left, min(sets.taken, left))
            codes = LayerCodes(before, size or shape.stride, 0)
            parts = self.workers.fill(fill_leads, (sets, low, codes), moves, cuts, data)
        tally = new_tally()
        for (a, b), part in zip(slices, parts, strict=True):
            tally += part
            done((b - a) * shape.size)
        counts = distribution(ply, tally, packed=self.packed)
        return LayerTable(shape, data, counts + self.won(ply) if count_won else counts)

    def won(self, ply: int) -> PlyValues:
        """Return the distribution of the positions of a ply where X has just completed a line; under misere O wins."""
        tally = new_tally()
        if ply % 2:
            leads = self.index.layers[ply // 2].won
            slices = self._slices(self.index.shape(ply, self.packed), len(leads))
            for part in self.workers.map(count_won_beside, self._sets(ply), (leads[a:b] for a, b in slices)):
                tally += part
        return won_distribution(ply, tally, self.index.board)

    def _slices(self, shape: LayerShape, blocks: int) -> list[tuple[int, int]]:
        """Cut blocks into slices of limited size, several for each worker."""
        entries = min(SLICE_ENTRIES, shape.entries // (4 * self.workers.count) + 1)
        step = max(1, entries // max(1, shape.size))
        return list(pairwise([*range(0, blocks, step), blocks]))

    def _sets(self, ply: int) -> BlockSets:
        p, q = ply_marks(ply)
        if self._threats is None or self._threats[0] != q:
            self._threats = (q, ranks.threat_table(ranks.subsets(self.index.cells, q), self.index.lines))
        blanks = self.index.cells - p
        return BlockSets(self._rules, self.index.lines, blanks, q, ranks.subsets(blanks, q), self._threats[1])


class TableSource(Protocol):
    """A store of the codes of a board's positions."""

    packed: bool

    def code(self, position: Position) -> int:
        """Return the code of a reachable position in which X has no line."""

    def counts(self) -> tuple[PlyValues, ...]:
        """Return the distribution of values, ply by ply."""


class TableSolution(Solution):
    """Values looked up in tables of all positions: a few microseconds each."""

    engine = "retrograde"

    def __init__(self, board: Board, source: TableSource, start: Position | None = None) -> None:
        super().__init__(board, start)
        vars(self).update(_source=source)

    _source: TableSource

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self.packed)

    @property
    def packed(self) -> bool:
        """Whether the tables hold values only."""
        return self._source.packed

    def _evaluate_open(self, position: Position) -> Evaluation:
        found = decode(self._source.code(position), self.packed)
        assert found is not None
        value, plies = found
        outcome: Outcome = position.to_move if value == "win" else opponent(position.to_move)
        if value == "draw":
            outcome, plies = "draw", position.blanks.bit_count()
        return Evaluation(outcome, plies, "retrograde: looked up in the table of all positions")

    def plies(self) -> tuple[PlyValues, ...]:
        """Return the distribution of the values of all reachable positions, ply by ply.

        Raises BudgetError where the start is not the empty board: the tables do not say which positions it reaches.
        """
        if self.start.ply:
            raise BudgetError(
                f"the table has the distribution of all positions of {self.board}, not from {self.start}: solve "
                "without a start"
            )
        return self._source.counts()


class MemoryTables:
    """All layers in memory."""

    def __init__(self, backward: BackwardPass, layers: list[LayerTable]) -> None:
        self._backward, self.packed = backward, backward.packed
        self._layers = {table.shape.ply: table for table in layers}

    def code(self, position: Position) -> int:
        """Return the code of a reachable position in which X has no line."""
        block, entry = self._backward.index.place(position.x, position.o)
        return self._layers[position.ply].code(block, entry, self.packed)

    def counts(self) -> tuple[PlyValues, ...]:
        """Return the distribution of values, ply by ply; counts the positions that X has won now."""
        return reached(table.counts + self._backward.won(ply) for ply, table in self._layers.items())


def solve_in_memory(
    index: PerfectIndex,
    *,
    packed: bool,
    start: Position | None = None,
    workers: Workers = SERIAL,
    progress: Progress = silent,
) -> TableSolution:
    """Return the solution of a board, with the tables of all layers in memory."""
    backward = BackwardPass(index, packed=packed, workers=workers)
    layers = list(backward.layers(count_won=False, progress=progress))
    return TableSolution(index.board, MemoryTables(backward, layers), start)


def count_values(
    index: PerfectIndex, *, packed: bool, workers: Workers = SERIAL, progress: Progress = silent
) -> tuple[PlyValues, ...]:
    """Return the distribution of values, ply by ply, with two layers in memory at a time."""
    backward = BackwardPass(index, packed=packed, workers=workers)
    return reached(table.counts for table in backward.layers(progress=progress))
