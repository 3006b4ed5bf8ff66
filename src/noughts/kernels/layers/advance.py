"""One ply forward on several threads: slices of a layer to sorted slices of the next. Numbers in, numbers out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from queue import SimpleQueue

import numpy as np

from noughts.kernels.layers.expand import expand_groups
from noughts.kernels.layers.geometry import cell_count
from noughts.kernels.layers.records import Children, ChildTable, Geometry, Groups, Ints, Masks, Output, Play
from noughts.kernels.layers.table import WEIGHT

__all__ = [
    "NO_CHILDREN",
    "Chunk",
    "LayerCounts",
    "expand_layer",
    "limbs_for",
    "make_child_table",
    "slices",
    "start_layer",
    "widen",
]

SLICE = 1 << 15
"""Classes a thread expands at a time: what it writes for them stays in the cache."""

NO_MASKS = np.zeros(0, np.uint64)
NO_CHILDREN = Children(NO_MASKS, np.zeros(1, np.int64), NO_MASKS, np.zeros(0, np.uint8))


@dataclass(frozen=True)
class LayerCounts:
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
        np.array(weights, np.uint64),
    )


def limbs_for(total: int, limb_bits: int) -> int:
    """How many words of `limb_bits` bits hold every number up to `total`."""
    return max(1, -(-total.bit_length() // limb_bits))


def widen(layer: Groups, old: int, new: int) -> Groups:
    """The layer with weights of `new` words instead of `old`."""
    if old == new:
        return layer
    weights = layer.weights.reshape(-1, old)
    wider = np.zeros((weights.shape[0], new), np.uint64)
    wider[:, : min(old, new)] = weights[:, :new]
    return layer._replace(weights=wider.ravel())


def expand_layer(
    executor: Executor,
    threads: int,
    geometry: Geometry,
    play: Play,
    layer: Groups,
    children: Children,
    tick: Callable[[int], None],
) -> tuple[LayerCounts, list[Chunk]]:
    """Expand all classes of a layer; return what was counted, and the unfinished children in chunks.

    The answer does not depend on the number of threads. `tick` is called, by this thread, with the number of classes
    each time some are done. Memory: 24 bytes a child.
    """
    cuts = slices(layer.offsets, threads)
    rooms = _rooms(geometry, layer)
    largest = int(rooms.max()) + int(np.diff(children.offsets).max(initial=0))
    room = max(int(rooms[begin:end].sum()) for begin, end in cuts) if play.emit else 0
    benches: SimpleQueue[tuple[ChildTable, Output]] = SimpleQueue()
    for _ in range(threads):
        benches.put((make_child_table(largest, play.columns, geometry.images.shape[0]), _output(room, play)))

    def work(bounds: tuple[int, int]) -> Chunk:
        begin, end = bounds
        scratch, output = benches.get()
        try:
            ends = np.zeros(end - begin if play.emit > 1 else 0, np.int64)
            count = expand_groups(geometry, play, layer, children, scratch, output._replace(ends=ends), begin, end)
            return _chunk(output, ends, int(count), play)
        finally:
            benches.put((scratch, output))

    chunks = []
    for (begin, end), chunk in zip(cuts, executor.map(work, cuts), strict=True):
        chunks.append(chunk)
        tick(int(layer.offsets[end] - layer.offsets[begin]))
    return _tally([benches.get()[1] for _ in range(threads)], play), chunks


def _rooms(geometry: Geometry, layer: Groups) -> Ints:
    """int64[groups]: a bound on the children of each group."""
    lead_size, own_size = int(layer.leads[0]).bit_count(), int(layer.others[0]).bit_count()
    left = cell_count(geometry) - lead_size
    most = min(comb(left, own_size + 1), 1 << 62)
    rooms: Ints = np.minimum(np.diff(layer.offsets) * (left - own_size), most)
    return rooms


def slices(offsets: Ints, threads: int) -> list[tuple[int, int]]:
    """Cut groups into runs of about equal numbers of classes, several for each thread."""
    total = int(offsets[-1])
    size = max(1, min(SLICE, -(-total // (4 * threads))))
    cuts = np.searchsorted(offsets, np.arange(0, total + size, size), side="left")
    edges = np.unique(np.minimum(cuts, len(offsets) - 1))
    return [(int(a), int(b)) for a, b in pairwise(edges)]


def make_child_table(children: int, columns: int | np.uint64, order: int) -> ChildTable:
    """A scratch table for groups of up to `children` children, at most half full."""
    capacity = max(16, 1 << (2 * children - 1).bit_length())
    shift = (int(WEIGHT) + int(columns) - 1).bit_length()
    return ChildTable(
        table=np.zeros(capacity << shift, np.uint64),
        shift=np.uint64(shift),
        clock=np.zeros(1, np.uint64),
        order=np.empty(capacity, np.uint64),
        stabiliser=np.empty(order, np.int64),
    )


def _output(room: int, play: Play) -> Output:
    return Output(
        leads=np.empty(room, np.uint64),
        others=np.empty(room, np.uint64),
        masks=np.empty(room if play.emit > 1 else 0, np.uint64),
        weights=np.empty(room * int(play.columns), np.uint64),
        ends=np.zeros(0, np.int64),
        classes=np.zeros(4, np.int64),
        boards=np.zeros(4, np.int64),
        paths=np.zeros(4 * (int(play.limbs) + 1), np.uint64),
        surplus=np.zeros(4 * (int(play.limbs) + 1), np.uint64),
    )


def _chunk(output: Output, ends: Ints, count: int, play: Play) -> Chunk:
    return Chunk(
        output.leads[:count].copy(),
        output.others[:count].copy(),
        output.weights[: count * int(play.columns)].copy(),
        output.masks[:count].copy() if play.emit > 1 else output.masks,
        ends,
    )


def _tally(outputs: Sequence[Output], play: Play) -> LayerCounts:
    """Add up what each thread has counted: sums of whole numbers, so their order does not matter."""
    bits, words = int(play.limb_bits), int(play.limbs) + 1

    def counts(arrays: list[Ints]) -> tuple[int, ...]:
        return tuple(sum(int(array[kind]) for array in arrays) for kind in range(4))

    def numbers(arrays: list[Masks]) -> tuple[int, ...]:
        tables = [array.reshape(4, words).tolist() for array in arrays]
        return tuple(
            sum(word << bits * j for table in tables for j, word in enumerate(table[kind])) for kind in range(4)
        )

    paths = numbers([output.paths for output in outputs])
    surplus = numbers([output.surplus for output in outputs])
    return LayerCounts(
        counts([output.classes for output in outputs]),
        counts([output.boards for output in outputs]),
        paths,
        tuple(a + b for a, b in zip(paths, surplus, strict=True)),
    )
