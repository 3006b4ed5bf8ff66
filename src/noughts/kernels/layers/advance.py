"""One ply forward, for a slice of a layer: what is counted of its children, and the unfinished ones by lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from noughts.kernels.layers.expand import expand_groups
from noughts.kernels.layers.geometry import cell_count
from noughts.kernels.layers.records import Children, ChildTable, Geometry, Groups, Ints, Masks, Output, Play
from noughts.kernels.layers.sort import Rows, prefix_start, sort_rows
from noughts.kernels.layers.table import WEIGHT

__all__ = [
    "NO_CHILDREN",
    "Chunk",
    "LayerCounts",
    "add_counts",
    "children_of",
    "expand_slice",
    "limbs_for",
    "make_child_table",
    "start_layer",
    "take_groups",
]

NO_MASKS = np.zeros(0, np.uint64)
NO_CHILDREN = Children(NO_MASKS, np.zeros(1, np.int64), NO_MASKS, np.zeros(0, np.uint16))


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
    """The unfinished children of one slice, sorted by the prefixes of their leads (see `sort`), then as they were met.

    Where `masks` and `ends` are asked for (see `Output`), these are in the order in which the children were met, and
    the weights are replaced by the places in that order.
    """

    rows: Rows
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


def take_groups(layer: Groups, begin: int, end: int) -> Groups:
    """The groups `begin` to `end` as a layer of their own, which shares the memory of the classes."""
    first, last = int(layer.offsets[begin]), int(layer.offsets[end])
    words = layer.weights.size // layer.others.size
    return Groups(
        layer.leads[begin:end],
        layer.offsets[begin : end + 1] - first,
        layer.others[first:last],
        layer.weights[first * words : last * words],
    )


def children_of(layer: Groups, children: Children) -> Children:
    """What is known of the children of these groups."""
    begin = int(np.searchsorted(children.leads, layer.leads[0]))
    end = int(np.searchsorted(children.leads, layer.leads[-1], side="right"))
    offsets = children.offsets[begin : end + 1]
    first, last = int(offsets[0]), int(offsets[-1])
    return Children(children.leads[begin:end], offsets - first, children.masks[first:last], children.states[first:last])


def limbs_for(total: int, limb_bits: int) -> int:
    """How many words of `limb_bits` bits hold every number up to `total`."""
    return max(1, -(-total.bit_length() // limb_bits))


def expand_slice(shared: tuple[Geometry, Play], slice_: tuple[Groups, Children]) -> tuple[LayerCounts, Chunk]:
    """Expand some groups, given what is known of their children; return what was counted, and the unfinished ones.

    Weights may have fewer words than the play says. Memory: 24 bytes for each child that the groups can have.
    """
    geometry, play = shared
    layer, children = slice_
    layer = _widen(layer, play)
    rooms = _rooms(geometry, layer)
    largest = int(rooms.max()) + int(np.diff(children.offsets).max(initial=0))
    scratch = make_child_table(largest, play.columns, geometry.images.shape[0])
    output = _output(int(rooms.sum()) if play.emit else 0, layer.leads.size, play)
    count = int(expand_groups(geometry, play, layer, children, scratch, output))
    return _counted(output, play), _chunk(output, cell_count(geometry), count, play)


def _widen(layer: Groups, play: Play) -> Groups:
    """The layer with weights of as many words as the play says."""
    new = int(play.limbs)
    old = new * layer.weights.size // (layer.others.size * int(play.columns))
    if old == new:
        return layer
    weights = layer.weights.reshape(-1, old)
    wider = np.zeros((weights.shape[0], new), np.uint64)
    wider[:, : min(old, new)] = weights[:, :new]
    return layer._replace(weights=wider.ravel())


def _rooms(geometry: Geometry, layer: Groups) -> Ints:
    """int64[groups]: a bound on the children of each group."""
    lead_size, own_size = int(layer.leads[0]).bit_count(), int(layer.others[0]).bit_count()
    left = cell_count(geometry) - lead_size
    most = min(comb(left, own_size + 1), 1 << 62)
    rooms: Ints = np.minimum(np.diff(layer.offsets) * (left - own_size), most)
    return rooms


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


def _output(room: int, groups: int, play: Play) -> Output:
    return Output(
        leads=np.empty(room, np.uint64),
        others=np.empty(room, np.uint64),
        masks=np.empty(room if play.emit > 1 else 0, np.uint64),
        weights=np.empty(room * int(play.columns), np.uint64),
        ends=np.zeros(groups if play.emit > 1 else 0, np.int64),
        classes=np.zeros(4, np.int64),
        boards=np.zeros(4, np.int64),
        paths=np.zeros(4 * (int(play.limbs) + 1), np.uint64),
        surplus=np.zeros(4 * (int(play.limbs) + 1), np.uint64),
    )


def _chunk(output: Output, cells: int, count: int, play: Play) -> Chunk:
    columns = int(play.columns)
    weights = output.weights[: count * columns]
    if play.emit > 1:
        weights[:] = np.arange(count, dtype=np.uint64)
    rows = sort_rows((output.leads[:count], output.others[:count], weights), columns, prefix_start(cells), cells)
    return Chunk(rows, output.masks[:count].copy(), output.ends)


def _counted(output: Output, play: Play) -> LayerCounts:
    """What was counted, as whole numbers without an end."""
    bits, words = int(play.limb_bits), int(play.limbs) + 1

    def numbers(array: Masks) -> tuple[int, ...]:
        return tuple(sum(word << bits * j for j, word in enumerate(row)) for row in array.reshape(4, words).tolist())

    paths = numbers(output.paths)
    fixed_paths = tuple(a + b for a, b in zip(paths, numbers(output.surplus), strict=True))
    return LayerCounts(tuple(output.classes.tolist()), tuple(output.boards.tolist()), paths, fixed_paths)


def add_counts(counts: Sequence[LayerCounts]) -> LayerCounts:
    """The sum of what was counted of all slices."""
    each = ((tally.classes, tally.boards, tally.paths, tally.fixed_paths) for tally in counts)
    return LayerCounts(*(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*each, strict=True)))
