"""One ply forward and back for a slice of a layer: children sorted by lead, values and settled outcomes of parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from noughts.kernels.arrays import I64x1, U16x1, U64x1
from noughts.kernels.bits import ONE, ZERO, Int, completing_cells
from noughts.kernels.jit import helper, kernel
from noughts.kernels.layers.moves import best_cells, child_state, expand_groups, recall_children, rule_cells
from noughts.kernels.layers.tables import (
    ANY,
    KIND_SHIFT,
    O_WINS,
    OPEN,
    PERFECT,
    PLIES_SHIFT,
    WEIGHT,
    X_WINS,
    Children,
    ChildTable,
    Geometry,
    Groups,
    Ints,
    Masks,
    Output,
    Play,
    cell_count,
    stabiliser,
)

_DIGIT_BITS = 12

Rows = tuple[Masks, Masks, Masks]
"""Classes: their leads, their others, and so many words of weight for each."""


def prefix_start(cells: int) -> int:
    """The lowest bit of the leads' prefixes, by which chunks are sorted; the bits below are left to merging."""
    return -(-cells // -(-cells // _DIGIT_BITS))


def merge_rows(columns: int, slices: Sequence[Rows]) -> Groups:
    """One layer of the rows of slices, by lead; those of equal leads in the order of the slices.

    `columns`: words of weight for each class. Memory: three times that of the rows.
    """
    leads, others, weights = (np.concatenate(arrays) for arrays in zip(*slices, strict=True))
    spread = leads.min() ^ leads.max()
    leads, others, weights = sort_rows((leads, others, weights), columns, 0, int(spread).bit_length())
    edges = np.flatnonzero(leads[1:] != leads[:-1]) + 1
    offsets = np.concatenate(([0], edges, [leads.size])).astype(np.int64)
    return Groups(leads[offsets[:-1]], offsets, others, weights)


def sort_rows(rows: Rows, columns: int, low: int, high: int) -> Rows:
    """The rows in other arrays, sorted by the bits from `low` to below `high` of their leads; stable.

    `columns`: words of weight for each class. Assumes that all leads have the same bits from `high` on.
    Cost: a pass for each 12 bits, some 5 ns a class each.
    """
    passes = max(1, -(-(high - low) // _DIGIT_BITS))
    width = -(-(high - low) // passes)
    digit = np.uint64((1 << width) - 1)
    for number in range(passes):
        shift = np.uint64(low + number * width)
        counts = np.zeros(int(digit) + 1, np.int64)
        count_digits(rows[0], shift, digit, counts)
        moved = (np.empty_like(rows[0]), np.empty_like(rows[1]), np.empty_like(rows[2]))
        scatter(*rows, columns, shift, digit, np.cumsum(counts) - counts, *moved)
        rows = moved
    return rows


@kernel
def count_digits(keys: U64x1, shift: np.uint64, digit: np.uint64, counts: I64x1) -> None:
    """Add to `counts` (int64[digit + 1]) how often each digit `keys >> shift & digit` occurs."""
    for i in range(keys.shape[0]):
        counts[np.int64((keys[i] >> shift) & digit)] += 1


@kernel
def scatter(
    keys: U64x1,
    others: U64x1,
    weights: U64x1,
    columns: Int,
    shift: np.uint64,
    digit: np.uint64,
    places: I64x1,
    sorted_keys: U64x1,
    sorted_others: U64x1,
    sorted_weights: U64x1,
) -> None:
    """Move each row to the next place of its digit; `places` (int64[digit + 1]) are where the digits start.

    `keys`, `others`: uint64[n]; `weights`: uint64[n * columns]; the sorted arrays are as long.
    """
    for i in range(keys.shape[0]):
        bucket = np.int64((keys[i] >> shift) & digit)
        at = places[bucket]
        places[bucket] = at + 1
        sorted_keys[at] = keys[i]
        sorted_others[at] = others[i]
        if columns == 1:
            sorted_weights[at] = weights[i]
        else:
            for j in range(columns):
                sorted_weights[at * columns + j] = weights[i * columns + j]


# One ply forward, for a slice of a layer: what is counted of its children, and the unfinished ones by lead.

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


# One ply back: the value and the settled outcome of each class of a layer from those of its children.


@kernel
def value_groups(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    children: Children,
    scratch: ChildTable,
    states: U16x1,
) -> None:
    """Write the state (value | outcome << 2 | plies << 5) of each class of a layer to `states` (uint16).

    The value is that of the best of the moves that `play.graph_rule` allows, for the outcomes' order for X: under free
    play if that is ANY; the plies are those to the end where the winner hurries and the loser delays. The outcome is
    the common one of all continuations that `play.rule` allows, or OPEN.
    Assumes that `children` holds every unfinished child; a finished one is recognised here.
    """
    first = ONE
    for group in range(layer.leads.shape[0]):
        stabiliser_order = stabiliser(geometry.images, layer.leads[group], scratch.stabiliser)
        recall_children(children, layer.leads[group], False, scratch, play.columns, first)
        _value_group(geometry, play, layer, scratch, states, group, stabiliser_order, first)
        first += ONE


@helper
def _value_group(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    scratch: ChildTable,
    result: np.ndarray,
    group: Int,
    stabiliser_order: Int,
    first: np.uint64,
) -> None:
    """Write the states of one group of unfinished classes."""
    full, lines, others, lead = geometry.full, geometry.lines, layer.others, layer.leads[group]
    known, shift = (geometry.images, scratch.stabiliser, scratch.table), scratch.shift
    threats = completing_cells(lead, full & ~lead, lines)
    for i in range(layer.offsets[group], layer.offsets[group + 1]):
        own = others[i]
        blank = full & ~(lead | own)
        wins = completing_cells(own, blank, lines)
        moves = blank
        if play.graph_rule != ANY:
            moves = rule_cells(play.graph_rule, own, blank, wins, threats, lines)
        allowed = moves
        if play.rule >= PERFECT:
            allowed = best_cells(known, shift, stabiliser_order, first, own, blank, wins, play)
        elif play.rule != play.graph_rule:
            allowed = rule_cells(play.rule, own, blank, wins, threats, lines)
        value: Int = -1
        outcome: Int = -1
        plies: Int = 0
        while moves != ZERO:
            rest = moves & (moves - ONE)
            bit = moves ^ rest
            moves = rest
            state = child_state(known, shift, stabiliser_order, first, own | bit, bit & wins != ZERO, play)
            child = state & OPEN
            far = state >> PLIES_SHIFT
            if value < 0 or (child != value and (child > value) == (play.x_moves == 1)):
                value = child
                plies = far
            elif child == value:
                hurries = child == (X_WINS if play.x_moves else O_WINS)
                plies = min(plies, far) if hurries else max(plies, far)
            if bit & allowed != ZERO:
                settled = (state >> KIND_SHIFT) & OPEN
                outcome = settled if outcome < 0 or outcome == settled else OPEN
        result[i] = value | outcome << KIND_SHIFT | (plies + 1) << PLIES_SHIFT


# Positions in which neither side threatens to complete a line.


@kernel
def count_quiet(leads: U64x1, offsets: I64x1, others: U64x1, full: np.uint64, lines: U64x1) -> Int:
    """The number of classes of a layer in which no blank cell completes a line for either side.

    `leads`: uint64[G], `offsets`: int64[G + 1], `others`: uint64[C], as in `records.Groups`; `lines`: uint64[L].
    """
    found = 0
    for group in range(leads.shape[0]):
        lead = leads[group]
        for i in range(offsets[group], offsets[group + 1]):
            blank = full & ~(lead | others[i])
            if completing_cells(lead, blank, lines) == ZERO and completing_cells(others[i], blank, lines) == ZERO:
                found += 1
    return found
