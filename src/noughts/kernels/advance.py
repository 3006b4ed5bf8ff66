"""One ply forward on several threads: slices of a layer to sorted slices of the next. Numbers in, numbers out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from math import comb

import numpy as np

from noughts.kernels.expand import expand_groups
from noughts.kernels.geometry import cell_count
from noughts.kernels.records import Children, Geometry, Groups, Ints, Masks, Output, Play, Scratch
from noughts.kernels.sort import count_digits, scatter

__all__ = [
    "NO_CHILDREN",
    "Chunk",
    "Tally",
    "expand_layer",
    "limbs_for",
    "make_scratch",
    "slices",
    "sort_chunks",
    "start_layer",
    "widen",
]

SLICE = 1 << 16
_DIGIT_BITS = 11

NO_MASKS = np.zeros(0, np.uint64)
NO_CHILDREN = Children(NO_MASKS, np.zeros(1, np.int64), NO_MASKS, np.zeros(0, np.uint8))


@dataclass(frozen=True)
class Tally:
    """What was counted of one ply, by outcome (O_WINS, DRAW, X_WINS, OPEN): exact integers."""

    classes: tuple[int, ...]
    boards: tuple[int, ...]
    paths: tuple[int, ...]
    fixed_paths: tuple[int, ...]
    """Each path as often as symmetries fix all its cells."""


@dataclass(frozen=True)
class Chunk:
    """The unfinished children of one slice, in the order in which they were met."""

    leads: Masks
    others: Masks
    weights: Masks
    masks: Masks
    ends: Ints


def start_layer(lead: int, other: int, weights: Sequence[int]) -> Groups:
    """The layer of one position: the last mover's marks `lead`, the other player's, and one weight a column."""
    return Groups(
        np.array([lead], np.uint64),
        np.array([0, 1], np.int64),
        np.array([other], np.uint64),
        np.array([weights], np.uint64),
    )


def limbs_for(total: int, limb_bits: int) -> int:
    """How many words of `limb_bits` bits hold every number up to `total`."""
    return max(1, -(-total.bit_length() // limb_bits))


def widen(layer: Groups, old: int, new: int) -> Groups:
    """The layer with weights of `new` words instead of `old`."""
    if old == new:
        return layer
    rows = layer.weights.shape[0]
    columns = layer.weights.shape[1] // old
    weights = np.zeros((rows, columns, new), np.uint64)
    weights[:, :, : min(old, new)] = layer.weights.reshape(rows, columns, old)[:, :, :new]
    return layer._replace(weights=weights.reshape(rows, columns * new))


def expand_layer(
    executor: Executor,
    threads: int,
    geometry: Geometry,
    play: Play,
    layer: Groups,
    children: Children,
    tick: Callable[[int], None],
) -> tuple[Tally, list[Chunk]]:
    """Expand all classes of a layer; return what was counted, and the unfinished children in chunks.

    The answer does not depend on the number of threads. `tick` is called, by this thread, with the number of classes
    each time some are done. Memory: 24 bytes a child.
    """
    cells = cell_count(geometry)
    lead_size, own_size = int(layer.leads[0]).bit_count(), int(layer.others[0]).bit_count()
    members = np.diff(layer.offsets)
    most = min(comb(cells - lead_size, own_size + 1), 1 << 62)
    rooms = np.minimum(members * (cells - lead_size - own_size), most)
    recalled = int(np.diff(children.offsets).max(initial=0))

    def work(bounds: tuple[int, int]) -> tuple[Chunk, Output]:
        begin, end = bounds
        largest = int(rooms[begin:end].max()) + recalled
        scratch = make_scratch(largest, layer.weights.shape[1], geometry.images.shape[0])
        output = _output(int(rooms[begin:end].sum()) if play.emit else 0, end - begin, layer.weights.shape[1], play)
        count = expand_groups(geometry, play, layer, children, scratch, output, begin, end)
        return _chunk(output, int(count), play.emit), output._replace(leads=NO_MASKS, others=NO_MASKS, weights=NO_MASKS)

    chunks, counts = [], []
    cuts = slices(layer.offsets, threads)
    for (begin, end), (chunk, output) in zip(cuts, executor.map(work, cuts), strict=True):
        chunks.append(chunk)
        counts.append(output)
        tick(int(layer.offsets[end] - layer.offsets[begin]))
    return _tally(counts, play), chunks


def slices(offsets: Ints, threads: int) -> list[tuple[int, int]]:
    """Cut groups into runs of about equal numbers of classes, several for each thread."""
    total = int(offsets[-1])
    size = max(1, min(SLICE, -(-total // (4 * threads))))
    cuts = np.searchsorted(offsets, np.arange(0, total + size, size), side="left")
    edges = np.unique(np.minimum(cuts, len(offsets) - 1))
    return [(int(a), int(b)) for a, b in pairwise(edges)]


def make_scratch(children: int, columns: int, order: int) -> Scratch:
    """A scratch table for groups of up to `children` children, at most half full."""
    capacity = max(16, 1 << (2 * children - 1).bit_length())
    return Scratch(
        keys=np.empty(capacity, np.uint64),
        stamps=np.zeros(capacity, np.int64),
        states=np.empty(capacity, np.uint8),
        weights=np.empty((capacity, columns), np.uint64),
        order=np.empty(capacity, np.int64),
        stabiliser=np.empty(order, np.int64),
    )


def _output(room: int, groups: int, columns: int, play: Play) -> Output:
    keep = play.emit > 1
    return Output(
        leads=np.empty(room, np.uint64),
        others=np.empty(room, np.uint64),
        masks=np.empty(room if keep else 0, np.uint64),
        weights=np.empty((room, columns), np.uint64),
        ends=np.zeros(groups if keep else 0, np.int64),
        classes=np.zeros(4, np.int64),
        boards=np.zeros(4, np.int64),
        paths=np.zeros((4, play.limbs + 1), np.uint64),
        surplus=np.zeros((4, play.limbs + 1), np.uint64),
    )


def _chunk(output: Output, count: int, emit: int) -> Chunk:
    masks = output.masks[:count].copy() if emit > 1 else output.masks
    return Chunk(
        output.leads[:count].copy(), output.others[:count].copy(), output.weights[:count].copy(), masks, output.ends
    )


def _tally(outputs: Sequence[Output], play: Play) -> Tally:
    bits = int(play.limb_bits)

    def numbers(name: str) -> tuple[int, ...]:
        arrays = [getattr(output, name) for output in outputs]
        if arrays[0].ndim == 1:
            return tuple(sum(int(array[kind]) for array in arrays) for kind in range(4))
        return tuple(
            sum(int(word) << bits * j for array in arrays for j, word in enumerate(array[kind])) for kind in range(4)
        )

    paths = numbers("paths")
    fixed = tuple(a + b for a, b in zip(paths, numbers("surplus"), strict=True))
    return Tally(numbers("classes"), numbers("boards"), paths, fixed)


def sort_chunks(executor: Executor, threads: int, cells: int, chunks: list[Chunk]) -> Groups:
    """Sort chunks by lead into one layer; empties the list. Stable, so the order is that of the chunks.

    Memory: two copies of the layer. Cost: ceil(cells / 11) passes, about 8 ns a class each.
    """
    passes = -(-cells // _DIGIT_BITS)
    width = -(-cells // passes)
    digit = np.uint64((1 << width) - 1)
    sources = [(chunk.leads, chunk.others, chunk.weights) for chunk in chunks]
    chunks.clear()
    for number in range(passes):
        moved = _sort_pass(executor, np.uint64(number * width), digit, sources)
        step = max(1, -(-moved[0].shape[0] // threads))
        sources = [
            (moved[0][i : i + step], moved[1][i : i + step], moved[2][i : i + step])
            for i in range(0, moved[0].shape[0], step)
        ]
    leads, others, weights = moved
    edges = np.flatnonzero(leads[1:] != leads[:-1]) + 1
    offsets = np.concatenate(([0], edges, [leads.shape[0]])).astype(np.int64)
    return Groups(leads[offsets[:-1]], offsets, others, weights)


_Rows = tuple[Masks, Masks, Masks]


def _sort_pass(executor: Executor, shift: np.uint64, digit: np.uint64, sources: list[_Rows]) -> _Rows:
    """Move the rows of all sources to new arrays, in the order of one digit."""
    counts = np.zeros((len(sources), int(digit) + 1), np.int64)
    list(executor.map(lambda i: count_digits(sources[i][0], shift, digit, counts[i]), range(len(sources))))
    ends = np.cumsum(counts.T.ravel())
    places = np.ascontiguousarray((ends - counts.T.ravel()).reshape(counts.T.shape).T)
    rows = int(ends[-1])
    columns = sources[0][2].shape[1]
    moved = (np.empty(rows, np.uint64), np.empty(rows, np.uint64), np.empty((rows, columns), np.uint64))
    list(executor.map(lambda i: scatter(*sources[i], shift, digit, places[i], *moved), range(len(sources))))
    return moved
