"""From the children of one layer, as they were met, to the groups of the next: a radix sort by lead."""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

from noughts.kernels.layers.advance import Chunk
from noughts.kernels.layers.records import Groups, Masks
from noughts.kernels.layers.sort import count_digits, scatter

__all__ = ["Buffers", "sort_chunks"]

_DIGIT_BITS = 11

_Rows = tuple[Masks, Masks, Masks]


class Buffers:
    """Two sets of arrays that the passes of a sort fill by turns, kept from layer to layer.

    New memory costs more time than the sorting, as the system clears it page by page. The layer that the last sort has
    made lives here, so it must be done with when the next sort begins.
    """

    def __init__(self) -> None:
        self._sets: list[_Rows] = [(np.zeros(0, np.uint64),) * 3, (np.zeros(0, np.uint64),) * 3]

    def take(self, rows: int, words: int) -> _Rows:
        """Arrays for the leads, the others and `words` words of weights; not those of the call before."""
        leads, others, weights = self._sets.pop(0)
        if leads.shape[0] < rows:
            leads = np.empty(rows + rows // 2, np.uint64)
            others = np.empty(rows + rows // 2, np.uint64)
        if weights.shape[0] < words:
            weights = np.empty(words + words // 2, np.uint64)
        self._sets.append((leads, others, weights))
        return leads[:rows], others[:rows], weights[:words]


def sort_chunks(
    executor: Executor, threads: int, cells: int, columns: int, chunks: list[Chunk], buffers: Buffers
) -> Groups:
    """Sort chunks by lead into one layer; empties the list. Stable, so the order is that of the chunks.

    `columns`: words of weight for each class. Memory: two copies of the layer, kept in `buffers`.
    Cost: ceil(cells / 11) passes, some 8 ns a class each.
    """
    passes = -(-cells // _DIGIT_BITS)
    width = -(-cells // passes)
    digit = np.uint64((1 << width) - 1)
    sources = [(chunk.leads, chunk.others, chunk.weights) for chunk in chunks]
    chunks.clear()
    for number in range(passes):
        rows = sum(leads.shape[0] for leads, _, _ in sources)
        moved = buffers.take(rows, rows * columns)
        _sort_pass(executor, np.uint64(number * width), digit, columns, sources, moved)
        sources = _cut(moved, columns, threads)
    return _groups(*moved)


def _sort_pass(
    executor: Executor, shift: np.uint64, digit: np.uint64, columns: int, sources: list[_Rows], moved: _Rows
) -> None:
    """Move the rows of all sources to other arrays, in the order of one digit."""
    counts = np.zeros((len(sources), int(digit) + 1), np.int64)
    list(executor.map(lambda i: count_digits(sources[i][0], shift, digit, counts[i]), range(len(sources))))
    ends = np.cumsum(counts.T.ravel())
    places = np.ascontiguousarray((ends - counts.T.ravel()).reshape(counts.T.shape).T)
    list(executor.map(lambda i: scatter(*sources[i], columns, shift, digit, places[i], *moved), range(len(sources))))


def _cut(rows: _Rows, columns: int, threads: int) -> list[_Rows]:
    """The rows as one slice for each thread."""
    leads, others, weights = rows
    step = max(1, -(-leads.shape[0] // threads))
    return [
        (leads[i : i + step], others[i : i + step], weights[i * columns : (i + step) * columns])
        for i in range(0, leads.shape[0], step)
    ]


def _groups(leads: Masks, others: Masks, weights: Masks) -> Groups:
    """The layer of rows sorted by lead."""
    edges = np.flatnonzero(leads[1:] != leads[:-1]) + 1
    offsets = np.concatenate(([0], edges, [leads.shape[0]])).astype(np.int64)
    return Groups(leads[offsets[:-1]], offsets, others, weights)
