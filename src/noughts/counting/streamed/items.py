"""Work items of streaming: each makes some blocks of a layer from the blocks of the layer before.

An item is `stream_blocks(step, blocks)`; its arguments and its result can be pickled. If the layers are saved in a
folder that all workers share, the result has only sums; else it has the numbers of paths too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.counting.question import Question
from noughts.counting.streamed.layers import (
    NO_ENDS,
    NO_VALUES,
    Bytes,
    FilePart,
    LayerPart,
    LayerSize,
    PathLayer,
    PositionValues,
    bytes_above,
    room_for,
    threats_after,
)
from noughts.kernels.index import ranks
from noughts.kernels.index import ranks as lead
from noughts.kernels.paths.collect import collect, outcomes_of_o, outcomes_of_x
from noughts.kernels.paths.records import (
    COUNTS,
    DECIDED,
    HALF_LIMB,
    KINDS,
    LIMB,
    LeadMoves,
    LeadTables,
    PathBench,
    PathEnds,
    PathRules,
    PathValues,
    SetTables,
)
from noughts.machine.workers import Progress, Workers
from noughts.rules.marks import OUTCOMES
from noughts.rules.play import MOVE_RULES
from noughts.solving.index import PerfectIndex

Ints = npt.NDArray[np.int64]
FORK = 3


class PathCount(NamedTuple):
    """The counts of one kind: positions, classes, and the numbers of paths, with their surplus.

    Each count is a sum over blocks times the number of sets in the orbit of X, except classes and paths by choices.
    """

    positions: int = 0
    classes: int = 0
    paths: int = 0
    surplus: int = 0

    def plus(self, other: PathCount) -> PathCount:
        """Return the sum of two counts."""
        return PathCount(*(a + b for a, b in zip(self, other, strict=True)))


NOTHING = PathCount()


class PathsFound(NamedTuple):
    """The counts of an item: the `KINDS` after X's move, then those after O's move; and its numbers of paths."""

    counts: tuple[PathCount, ...]
    part: LayerPart | None


@dataclass(frozen=True)
class TwoPlies:
    """The shared data of the items of two plies, one of X and one of O: the group, rules (0 any, 5 quickest), layers.

    `source` is the layer before, with its sets of X in `leads`; `target` is the new layer, None where O's ply is left
    out. `values` are given where a rule needs them, `ends` where play ends when it is decided.
    """

    cells: int
    lines: tuple[int, ...]
    permutations: Ints
    rules: tuple[int, int]
    distinct: bool
    surplus: bool
    leads: Ints
    source: PathLayer
    target: LayerSize | None
    values: PathValues | None = None
    ends: PathEnds | None = None

    @property
    def marks(self) -> int:
        """The number of X's marks after the move."""
        return int(self.leads[0]).bit_count() + 1


@dataclass(frozen=True)
class PathBlocks:
    """The sets of X of an item, all line-free or all `lined`, and the file for its numbers, if any.

    `first` is the place of the first set in its layer.
    """

    sets: Ints
    lined: bool
    first: int
    file: FilePart | None = None


def stream_blocks(step: TwoPlies, blocks: PathBlocks) -> PathsFound:
    """Return the counts of some blocks, and their numbers where O moves, too. Raises FileError, CheckError."""
    cells, marks = step.cells, step.marks
    target = None if blocks.lined else step.target
    leads, needed = _leads(step, blocks)
    sets = set_tables(cells, step.lines, cells - marks, marks - 1)
    replies = set_tables(cells, step.lines, cells - marks, marks) if target is not None else sets
    free = path_rules(cells, step.permutations)
    x_rule, o_rule = step.rules
    rules = free._replace(distinct=int(step.distinct), surplus=int(step.surplus), x_rule=x_rule, o_rule=o_rule)
    if step.ends is not None:
        rules = rules._replace(shift=DECIDED)
    count = len(blocks.sets)
    out = room_for(count, target.size, target.high) if target is not None else room_for(0, 0, 0)
    tally = np.zeros((count, 2 * KINDS + 1, COUNTS), np.int64)
    limbs = 1 if 32 + 8 * bytes_above(marks) <= LIMB else 2
    bench = bench_for(sets, replies, cells, marks)
    own, values, ends = slice(blocks.first, blocks.first + count), NO_VALUES, NO_ENDS
    if step.values is not None:
        before, between, after = step.values.before[needed], step.values.between[own], step.values.after[own]
        values = step.values._replace(before=before, between=between, after=after)
    if step.ends is not None:
        ends = PathEnds(step.ends.between[own], step.ends.after[own])
    collect(rules, leads, sets, replies, step.source.take(needed), values, ends, bench, out, limbs, tally)
    counts = _counts(step, tally)
    if target is None:
        return PathsFound(counts, None)
    if blocks.file is None:
        return PathsFound(counts, out)
    blocks.file.write(out, {"counts": [[str(number) for number in count] for count in counts]})
    return PathsFound(counts, blocks.file)


def path_rules(cells: int, permutations: Ints) -> PathRules:
    """Return the rules for labelled games with free moves until a line, on a board of `cells` cells."""
    marks, choose = ranks.popcounts((cells + 1) // 2).copy(), ranks.binomials(cells)
    return PathRules(permutations, marks, choose, distinct=0, surplus=0, x_rule=0, o_rule=0, shift=DECIDED + 1)


def _leads(step: TwoPlies, blocks: PathBlocks) -> tuple[LeadTables, Ints]:
    """Return the sets of X with their parents, numbered among the needed ones, and the blocks of these parents."""
    sets, cells, marks = blocks.sets, step.cells, step.marks
    own_cells = np.nonzero((sets[:, None] >> np.arange(cells)) & 1)[1].reshape(len(sets), marks)
    before = (sets[:, None] & ~(np.int64(1) << own_cells)).ravel()
    best, elements = lead.canonical_images(before, lead.images(step.permutations))
    number = np.minimum(np.searchsorted(step.leads, best), len(step.leads) - 1)
    known = step.leads[number] == best
    needed = np.unique(number[known])
    parents = np.where(known, np.searchsorted(needed, number), -1).astype(np.int32)
    shape = (len(sets), marks)
    return LeadTables(
        sets,
        lead.threat_table(sets, step.lines),
        parents.reshape(shape),
        elements.reshape(shape),
        lead.threat_table(before, step.lines).reshape(shape),
        _forks(step, sets, before.reshape(shape), blocks.lined),
        int(blocks.lined),
    ), needed


def _forks(step: TwoPlies, sets: Ints, before: Ints, lined: bool) -> npt.NDArray[np.uint32]:
    """Return for each parent and each blank X's threats after a move there, as sets of blanks of the block.

    The cell that the parent lacks counts as one more blank.
    """
    if step.rules[0] != FORK or lined:
        return np.zeros((1, 1, 1), np.uint32)
    blanks = lead.blanks(sets, step.cells, step.cells - step.marks).astype(np.int64)
    return threats_after(step.lines, before, blanks, sets[:, None] & ~before).astype(np.uint32)


@lru_cache(maxsize=4)
def _threats(cells: int, lines: tuple[int, ...], taken: int) -> npt.NDArray[np.uint32]:
    return lead.threat_table(ranks.subsets(cells, taken), lines)


@lru_cache(maxsize=4)
def set_tables(cells: int, lines: tuple[int, ...], blanks: int, taken: int) -> SetTables:
    """Return the sets of O with `taken` cells, for a block that leaves `blanks` blanks."""
    half, own = _half_ranks(blanks, taken)
    before, wider = _half_ranks(blanks + 1, taken)
    below = ranks.subsets_below(blanks, taken) if taken else np.zeros((0, 1), np.uint32)
    return SetTables(
        taken,
        ranks.subsets(blanks, taken).astype(np.uint32),
        half,
        own,
        before,
        wider,
        below,
        _threats(cells, lines, taken),
    )


def _half_ranks(blanks: int, taken: int) -> tuple[int, npt.NDArray[np.uint32]]:
    half, low, high = ranks.half_ranks(blanks, taken)
    tables = np.zeros((2, max(len(low), len(high))), np.uint32)
    tables[0, : len(low)] = low
    tables[1, : len(high)] = high
    return half, tables


def bench_for(sets: SetTables, replies: SetTables, cells: int, marks: int) -> PathBench:
    """Return memory for blocks with `marks` marks of X, with O's sets before and after O's move."""
    half = 1 << (cells - marks + 1) // 2
    size, most = len(sets.subsets), max(len(sets.subsets), len(replies.subsets))
    return PathBench(
        cells=np.zeros(32, np.int64),
        tables=np.zeros((2, half), np.uint32),
        board=np.zeros((2, half), np.int64),
        places=np.zeros((marks + 1, size), np.int32),
        least=np.zeros((2, most), np.int32),
        sums=np.zeros((2, size), np.int64),
        reply_sums=np.zeros((2, most), np.int64),
        known=np.zeros(size, np.uint32),
        reply_known=np.zeros(most, np.uint32),
        flags=np.zeros(size, np.uint8),
    )


def _counts(step: TwoPlies, tally: Ints) -> tuple[PathCount, ...]:
    """Return the sums over blocks by kind; blocks with equal orders of the stabiliser are added first."""
    sums = [NOTHING] * 2 * KINDS
    orders = tally[:, 2 * KINDS, 0]
    for order in np.unique(orders).tolist():
        weight = len(step.permutations) // order
        some = tally[orders == order, :-1].sum(axis=0).tolist()
        for kind, (entries, classes, *parts) in enumerate(some):
            paths, surplus = (a + (b << HALF_LIMB) + (c << LIMB) for a, b, c in (parts[:3], parts[3:]))
            each = 1 if step.distinct else weight
            sums[kind] = sums[kind].plus(PathCount(weight * entries, classes, each * paths, each * surplus))
    return tuple(sums)


# The outcome of each decided position under the rules: two bits for each position, in memory.


SLICE_ENTRIES = 1 << 22
_CODES = np.array([0, 1, 2, 0, 3, 0, 0, 0], np.uint8)
"""By set of outcomes: the code of the outcome if the set has one element, else 0."""


@dataclass(frozen=True)
class _Ply:
    """The shared data of a ply's blocks: the index, the rules, the values, the next ply, and the outcomes of lines."""

    index: PerfectIndex
    rules: PathRules
    values: PositionValues | None
    ply: int
    following: Bytes
    ends: Bytes


def position_ends(
    question: Question, index: PerfectIndex, values: PositionValues | None, workers: Workers, progress: Progress
) -> Iterator[Bytes]:
    """Yield the outcomes of all positions, a table for each ply from the full board back; 0: not decided.

    `values` are given where a rule depends on them. Cost: two bits for every pair of a set of O and a canonical set of
    X without a line.
    """
    cells, board = index.cells, index.board
    x_rule, o_rule = (MOVE_RULES.index(rule) for rule in (question.x_moves, question.o_moves))
    rules = path_rules(cells, index.permutations)._replace(x_rule=x_rule, o_rule=o_rule)
    ends = np.array([1 << OUTCOMES.index(board.line_outcome(player)) for player in ("X", "O")], np.uint8)
    codes = np.zeros((0, 0), np.uint8)
    for ply in range(cells, -1, -1):
        shape = index.shape(ply, packed=True)
        if ply == cells:
            others = ((1 << cells) - 1) & ~index.layers[(ply + 1) // 2].masks
            lined = lead.threat_table(others, index.lines) & np.uint32(lead.HAS_LINE)
            codes = _packed(np.where(lined, ends[1], np.uint8(1 << OUTCOMES.index("draw")))[:, None])
        else:
            step = max(1, SLICE_ENTRIES // max(1, shape.size))
            cuts = list(pairwise([*range(0, shape.blocks, step), shape.blocks]))
            found = workers.map(_ends_of, _Ply(index, rules, values, ply, codes, ends), cuts)
            codes = np.concatenate([np.zeros((0, shape.stride), np.uint8), *found])
        progress(cells - ply, cells, f"outcomes of positions on {board}")
        yield codes


def _ends_of(shared: _Ply, cut: tuple[int, int]) -> Bytes:
    index, rules, ply = shared.index, shared.rules, shared.ply
    blocks, cells, p, q = slice(*cut), index.cells, (ply + 1) // 2, ply // 2
    sets = set_tables(cells, index.lines, cells - p, q)
    values = shared.values.backward(ply, blocks) if shared.values is not None else NO_VALUES
    leads = _leads_ends(shared, blocks)
    out = np.zeros((cut[1] - cut[0], len(sets.subsets)), np.uint8)
    with np.errstate(over="ignore"):
        if ply % 2:
            replies = set_tables(cells, index.lines, cells - p, q + 1)
            bench = bench_for(sets, replies, cells, p)
            outcomes_of_o(rules, leads, sets, replies, values, bench, shared.following[blocks], out)
            return _packed(out)
        fewer = set_tables(cells, index.lines, cells - p - 1, q)
        others = np.zeros(32, np.int64)
        outcomes_of_x(
            rules,
            leads,
            sets,
            fewer,
            values,
            bench_for(sets, sets, cells, p),
            others,
            shared.ends,
            shared.following,
            out,
        )
    return _packed(out)


def _leads_ends(shared: _Ply, blocks: slice) -> LeadMoves:
    """Return the sets of X of some blocks, and the targets of X's moves."""
    index, p = shared.index, (shared.ply + 1) // 2
    layer = index.layers[p]
    masks = layer.masks[blocks]
    forks = np.zeros((len(masks), 1), np.uint32)
    if shared.rules.x_rule == MOVE_RULES.index("fork") and shared.ply % 2 == 0:
        free = lead.blanks(masks, index.cells, index.cells - p).astype(np.int64)
        forks = threats_after(index.lines, masks[:, None], free)[:, 0].astype(np.uint32)
    return LeadMoves(masks, lead.threat_table(masks, index.lines), layer.child[blocks], layer.symmetry[blocks], forks)


def _packed(outcomes: Bytes) -> Bytes:
    """Return the codes of sets of outcomes, four entries in a byte, the first in the lowest bits."""
    wide = np.zeros((len(outcomes), -(-outcomes.shape[1] // 4) * 4), np.uint8)
    wide[:, : outcomes.shape[1]] = _CODES[outcomes]
    packed: Bytes = wide[:, 0::4] | wide[:, 1::4] << 2 | wide[:, 2::4] << 4 | wide[:, 3::4] << 6
    return packed
