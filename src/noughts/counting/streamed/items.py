"""Work items of streaming: some blocks of a layer, from what the layer before holds of them.

An item is `stream_blocks(step, blocks)`: both can be pickled, and so can what it gives back. Where the layers are kept
in a folder that all workers see, only sums come back; else the numbers do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.counting.streamed.numbers import FilePart, LayerPart, MemoryPart, PathLayer, room_for
from noughts.counting.streamed.shapes import LayerSize, bytes_above
from noughts.counting.streamed.threats import threats_after
from noughts.counting.streamed.values import NO_ENDS, NO_VALUES, LayerEnds, LayerValues
from noughts.kernels.index import lead, ranks
from noughts.kernels.paths.collect import collect
from noughts.kernels.paths.records import (
    COUNTS,
    DECIDED,
    HALF_LIMB,
    KINDS,
    LIMB,
    LeadTables,
    PathBench,
    PathRules,
    SetTables,
)

__all__ = [
    "PathBlocks",
    "PathCount",
    "PathsFound",
    "TwoPlies",
    "bench_for",
    "path_rules",
    "set_tables",
    "stream_blocks",
]

Ints = npt.NDArray[np.int64]
FORK = 3


class PathCount(NamedTuple):
    """What was counted of one kind: positions, classes, and the numbers of paths, with their surplus.

    Each as a sum over blocks times the number of sets in the orbit of X, but classes, and paths counted by choices.
    """

    positions: int
    classes: int
    paths: int
    surplus: int

    def plus(self, other: PathCount) -> PathCount:
        """Return the sum."""
        return PathCount(*(a + b for a, b in zip(self, other, strict=True)))


NOTHING = PathCount(0, 0, 0, 0)


class PathsFound(NamedTuple):
    """What an item counted: the `KINDS` after X's move, then those after O's; and its numbers."""

    counts: tuple[PathCount, ...]
    part: LayerPart | None


@dataclass(frozen=True)
class TwoPlies:
    """What the items of two plies share, X's from a layer and O's: the group, rules (0 any, 5 quickest) and the layer.

    `leads` are the sets of X of that layer; `target` is the layer that is made, None where O's ply is left out.
    `values` are there where a rule asks for them, `ends` where play ends when it is decided.
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
    values: LayerValues | None = None
    ends: LayerEnds | None = None

    @property
    def marks(self) -> int:
        """The marks of X after its move."""
        return int(self.leads[0]).bit_count() + 1


@dataclass(frozen=True)
class PathBlocks:
    """The sets of X of an item, all line-free or all `lined`, and the file for what is found of them, if any.

    They are those of their layer from the `first` on.
    """

    sets: Ints
    lined: bool
    first: int
    file: FilePart | None = None


def stream_blocks(step: TwoPlies, blocks: PathBlocks) -> PathsFound:
    """Return what is counted of some blocks, and their numbers where O moves, too. Raises FileError, CheckError."""
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
    values = step.values.of(needed, blocks.first, count) if step.values is not None else NO_VALUES
    ends = step.ends.of(blocks.first, count) if step.ends is not None else NO_ENDS
    collect(rules, leads, sets, replies, step.source.take(needed), values, ends, bench, out, limbs, tally)
    counts = _counts(step, tally)
    if target is None:
        return PathsFound(counts, None)
    if blocks.file is None:
        return PathsFound(counts, MemoryPart(out))
    blocks.file.write(out, {"counts": [[str(number) for number in count] for count in counts]})
    return PathsFound(counts, blocks.file)


def path_rules(cells: int, permutations: Ints) -> PathRules:
    """Return the rules of free play to a line, of labelled games, on a board of so many cells."""
    marks, choose = ranks.popcounts((cells + 1) // 2).copy(), ranks.binomials(cells)
    return PathRules(permutations, marks, choose, distinct=0, surplus=0, x_rule=0, o_rule=0, shift=DECIDED + 1)


def _leads(step: TwoPlies, blocks: PathBlocks) -> tuple[LeadTables, Ints]:
    """Return the sets of X with their parents, numbered among those that are needed, and the blocks of these."""
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
    """Return for each parent and each blank what X threatens after it moves there, as sets of blanks of the block.

    The cell that the parent lacks counts as one blank more.
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
    """Return the sets of O, of so many `taken` cells, beside a block that leaves so many blanks."""
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
    """Return memory for blocks with so many marks of X, for the sets of O beside them and those that O then makes."""
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
    """Return the sums over blocks, kind by kind; blocks of equal stabilisers are added up first."""
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
