"""One ply forward: a layer cut into slices, expanded by workers, and the next layer put together from their children.

A layer is a list of parts, which follow each other in the order of their leads. Neither the classes, nor their order,
nor the weights depend on how many workers there are or on where a layer is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.layers.advance import (
    NO_CHILDREN,
    Chunk,
    LayerCounts,
    Rows,
    add_counts,
    children_of,
    expand_slice,
    make_child_table,
    merge_rows,
    prefix_start,
    start_layer,
    take_groups,
    value_groups,
)
from noughts.kernels.layers.tables import (
    KIND_SHIFT,
    OPEN,
    Children,
    Geometry,
    Groups,
    Ints,
    Masks,
    Play,
    RuleTerms,
    States,
    prepare_leads,
)
from noughts.machine.workers import Workers

_SLICE = 1 << 15
"""Classes that a worker expands at a time: what it writes for them stays in the cache."""
_PART = 1 << 16
"""Classes of one part of a layer, about; and the most parts there are."""
_MOST_PARTS = 1 << 8
_SAMPLES = 32


def class_count(layer: Sequence[Groups]) -> int:
    """Return the number of classes of a layer."""
    return sum(part.others.size for part in layer)


def expand_layer(
    workers: Workers,
    geometry: Geometry,
    play: Play,
    layer: Sequence[Groups],
    children: Children,
    tick: Callable[[int], None],
) -> tuple[LayerCounts, list[Chunk]]:
    """Expand all classes of a layer; return what was counted, and the unfinished children in chunks.

    `tick` is called, by this thread, with the number of classes each time some are done. Memory: 24 bytes a child.
    """
    total = class_count(layer)
    slices = [take_groups(part, *cut) for part in layer for cut in group_cuts(part.offsets, total, workers)]
    items = ((some, children_of(some, children)) for some in slices)
    counts, chunks = [], []
    for some, (tally, chunk) in zip(slices, workers.map(expand_slice, (geometry, play), items), strict=True):
        counts.append(tally)
        chunks.append(chunk)
        tick(some.others.size)
    return add_counts(counts), chunks


def group_cuts(offsets: Ints, total: int, workers: Workers) -> list[tuple[int, int]]:
    """Cut groups into runs of about equal numbers of classes; of `total` classes, several runs for each worker."""
    most, classes = max(1, min(_SLICE, -(-total // (4 * workers.count)))), int(offsets[-1])
    pieces = -(-classes // most)
    cuts = np.searchsorted(offsets, [classes * piece // pieces for piece in range(pieces + 1)])
    edges = np.unique(np.minimum(cuts, len(offsets) - 1))
    return [(int(a), int(b)) for a, b in pairwise(edges)]


def merge_chunks(workers: Workers, cells: int, columns: int, chunks: list[Chunk]) -> list[Groups]:
    """Return the layer of the rows of chunks, sorted by lead and stable; empties the list.

    `columns`: words of weight for each class. Memory: two copies of the layer.
    """
    rows = [chunk.rows for chunk in chunks]
    chunks.clear()
    return list(workers.map(merge_rows, columns, _ranges(rows, columns, _borders(rows, prefix_start(cells)))))


def _borders(rows: list[Rows], low: int) -> Masks:
    """The leads at which to cut, so that parts are about equally large: prefixes, by a sample of each chunk's leads."""
    total = sum(leads.size for leads, _, _ in rows)
    parts = min(_MOST_PARTS, -(-total // _PART))
    sample = np.sort(np.concatenate([leads[:: max(1, total // (parts * _SAMPLES))] for leads, _, _ in rows]))
    return np.unique(sample[[sample.size * part // parts for part in range(1, parts)]] >> low << low)


def _ranges(rows: list[Rows], columns: int, borders: Masks) -> Iterator[list[Rows]]:
    """For each range of leads that has any the rows of all chunks that lie in it."""
    ends = [[0, *np.searchsorted(leads, borders).tolist(), leads.size] for leads, _, _ in rows]
    for part in range(len(borders) + 1):
        cuts = [
            (some, end[part], end[part + 1]) for some, end in zip(rows, ends, strict=True) if end[part] < end[part + 1]
        ]
        if cuts:
            yield [
                (leads[a:b], others[a:b], weights[a * columns : b * columns]) for (leads, others, weights), a, b in cuts
            ]


def joined(layer: Sequence[Groups]) -> Groups:
    """Return the parts of a layer as one."""
    if len(layer) == 1:
        return layer[0]
    before = np.cumsum([0, *(part.others.size for part in layer)])
    offsets = [part.offsets[:-1] + first for part, first in zip(layer, before, strict=False)]
    leads, others, weights = (
        np.concatenate(arrays)
        for arrays in zip(*((part.leads, part.others, part.weights) for part in layer), strict=True)
    )
    return Groups(leads, np.concatenate([*offsets, before[-1:]]), others, weights)


# Values and settled outcomes of all classes that play can reach: layers stored on the way there, filled on the return.
#
# The compiled counterpart of `values`, for boards whose layers fit in memory. Numbers in, numbers out: outcomes are
# ordered by how good they are for X, 0 (O wins), 1 (draw), 2 (X wins), and 3 stands for an outcome not yet settled.

NO_WEIGHTS = np.zeros(0, np.uint64)


@dataclass(frozen=True)
class Settled:
    """What the backward pass found.

    `children[t]` holds, for the unfinished classes of ply t that the graph reaches, the states of their unfinished
    children: value under free play | settled outcome << 2 (the value only where the graph is that of free play).
    """

    start_value: int
    start_outcome: int
    children: dict[int, Children]
    by_value: dict[int, tuple[int, int, int]]
    """For each ply how many unfinished classes have the value 0, 1 and 2."""

    def at(self, ply: int) -> Children:
        """The known children of a ply's classes; none at the last plies."""
        return self.children.get(ply, NO_CHILDREN)


@dataclass
class _Layer:
    """One layer of the graph: its classes, their children's marks, and where each class stood among its siblings."""

    layer: Groups
    met: Ints
    masks: Masks
    ends: Ints


Report = Callable[[str, int, int], Callable[[int], None]]
"""Called with what begins, its ply and the number of classes; returns what to call with each number of them done."""


def settle(workers: Workers, geometry: Geometry, terms: RuleTerms, report: Report) -> Settled:
    """Return value and settled outcome of every unfinished class that the graph's moves reach from the start.

    The graph holds all moves if a player's rule looks at values, else those of the rules; play ends at a line. Assumes
    that the start is unfinished.
    Memory: about 26 bytes for each class of all layers together, 10 of them afterwards.
    """
    layers = _forward(workers, geometry, terms, report)
    children: dict[int, Children] = {}
    by_value: dict[int, tuple[int, int, int]] = {}
    states = np.zeros(0, np.uint16)
    below = np.zeros(0, np.int64)
    for ply in range(terms.start_ply + len(layers) - 1, terms.start_ply - 1, -1):
        here = layers.pop()
        met = np.zeros(states.shape[0], np.uint16)
        met[below] = states
        children[ply] = Children(here.layer.leads, here.ends, here.masks, met)
        tick = report("values", ply, here.layer.others.shape[0])
        states = _backward(workers, geometry, terms, ply, here.layer, children[ply], tick)
        below = here.met
        lost, drawn, won = np.bincount(states & OPEN, minlength=OPEN).tolist()
        by_value[ply] = (lost, drawn, won)
    start = int(states[0])
    return Settled(start & OPEN, start >> KIND_SHIFT & OPEN, children, by_value)


def _forward(workers: Workers, geometry: Geometry, terms: RuleTerms, report: Report) -> list[_Layer]:
    """List all unfinished classes, layer by layer."""
    layer = [start_layer(*terms.sides(terms.start_ply), [0])]
    layers: list[_Layer] = []
    for ply in range(terms.start_ply, terms.cells):
        prepare_leads(geometry, (ply + 2) // 2)
        tick = report("positions", ply, class_count(layer))
        _, chunks = expand_layer(workers, geometry, terms.graph_play(ply), layer, NO_CHILDREN, tick)
        whole = joined(layer)
        masks, ends = np.concatenate([chunk.masks for chunk in chunks]), _group_ends(chunks, whole)
        layers.append(_Layer(whole._replace(weights=NO_WEIGHTS), whole.weights.astype(np.int64), masks, ends))
        if not masks.size:
            break
        _number(chunks)
        layer = merge_chunks(workers, terms.cells, 1, chunks)
    return layers


def _group_ends(chunks: list[Chunk], layer: Groups) -> Ints:
    """int64[groups + 1]: where the children of each group start."""
    ends = np.zeros(layer.leads.shape[0] + 1, np.int64)
    if not chunks[0].ends.size:
        return ends
    before = np.cumsum([0, *(chunk.masks.size for chunk in chunks)])
    ends[1:] = np.concatenate([chunk.ends + first for chunk, first in zip(chunks, before, strict=False)])
    return ends


def _number(chunks: list[Chunk]) -> None:
    """Turn the places of the classes in their chunk, which stand for weights, into places among all."""
    before = 0
    for chunk in chunks:
        leads, _, places = chunk.rows
        places += np.uint64(before)
        before += leads.size


def _backward(
    workers: Workers,
    geometry: Geometry,
    terms: RuleTerms,
    ply: int,
    layer: Groups,
    children: Children,
    tick: Callable[[int], None],
) -> States:
    """The states of a layer's classes, in their order."""
    states = np.zeros(layer.others.size, np.uint16)
    cuts = group_cuts(layer.offsets, states.size, workers)
    rows = [(int(layer.offsets[begin]), int(layer.offsets[end])) for begin, end in cuts]
    slices = (take_groups(layer, *cut) for cut in cuts)
    items = ((some, children_of(some, children)) for some in slices)
    for done in workers.fill(_value_slice, (geometry, terms.play(ply, 1, emit=False)), items, rows, states):
        tick(done)
    return states


def _value_slice(shared: tuple[Geometry, Play], slice_: tuple[Groups, Children], states: NDArray[np.uint16]) -> int:
    """Write the states of some groups; return the number of classes."""
    geometry, play = shared
    layer, children = slice_
    largest = int(np.diff(children.offsets).max(initial=0))
    value_groups(
        geometry, play, layer, children, make_child_table(largest, play.columns, geometry.images.shape[0]), states
    )
    return len(states)
