"""One ply forward: a layer cut into slices, expanded by workers, and the next layer put together from their children.

A layer is a list of parts, which follow each other in the order of their leads. Neither the classes, nor their order,
nor the weights depend on how many workers there are or on where a layer is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from noughts.kernels.layers.advance import Chunk, LayerCounts, add_counts, children_of, expand_slice, take_groups
from noughts.kernels.layers.records import Children, Geometry, Groups, Ints, Masks, Play
from noughts.kernels.layers.sort import Rows, merge_rows, prefix_start
from noughts.machine.workers import Workers

__all__ = ["class_count", "expand_layer", "group_cuts", "joined", "merge_chunks"]

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
