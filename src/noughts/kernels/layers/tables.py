"""The arrays that kernels share, as named tuples: what each holds, its shape and its type.

A *layer* keeps the position classes of one ply in groups. Each group has one *lead*: the marks of the player who has
just moved, as the least of its images. The other player, who moves next, owns the *others*. As the mover's opponent
stays put, all children of a group have the same lead, and nothing outside the group can become equal to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.arrays import I64x1, U16x1, U64x1, U64x3
from noughts.kernels.bits import BYTE, EIGHT, ONE, ZERO, Int, image_tables
from noughts.kernels.jit import helper, inner_kernel, kernel

Masks = NDArray[np.uint64]
Ints = NDArray[np.int64]
States = NDArray[np.uint16]

# Rules by number. Outcomes are ordered by how good they are for X.
ANY, WIN, BLOCK, FORK, PERFECT, QUICKEST = range(6)
LINE, DECIDED, FULL = range(3)
O_WINS, DRAW, X_WINS, OPEN = range(4)

# A state: value under free play | outcome (OPEN while undecided) << 2 | whether somebody has a line << 4 | plies to the
# end where winners hurry and losers delay << 5.
KIND_SHIFT = 2
PLIES_SHIFT = 5
LINED = 16
LINED_BIT = np.uint64(LINED)
UNVALUED = OPEN | OPEN << KIND_SHIFT


class Geometry(NamedTuple):
    """A board and a group of its symmetries, the identity first."""

    full: np.uint64  # all cells
    lines: U64x1  # [lines]
    images: U64x3  # [elements, ceil(cells / 8), 256], see `images.image`
    fixed: U64x1  # [elements], the cells that the element fixes
    lead_table: U16x1  # [2**cells], see `images.fill_lead_table`; empty on large boards


class Play(NamedTuple):
    """How the moves from one layer go."""

    rule: int  # ANY .. QUICKEST, of the mover
    graph_rule: int  # the moves that the kept graph holds: for values under free play ANY
    x_moves: int  # 1 if X moves, else 0
    lined_outcome: int  # X_WINS or O_WINS: the outcome when the mover completes a line
    final: int  # 1 if the children are full boards
    end: int  # LINE, DECIDED, FULL
    distinct: int  # 1 to count each child class of a parent once
    emit: int  # 1 to write the unfinished children out, 2 to write `masks` and `ends` as well
    start: np.uint64  # the marks of the start position
    limbs: np.uint64  # words of one weight
    columns: np.uint64  # words of all weights of a class: `limbs`, or with FULL twice as many
    limb_bits: np.uint64  # bits used of each word, 63 at most, so that sums of two never wrap around


class Groups(NamedTuple):
    """The position classes of one ply: those of group g are `offsets[g]:offsets[g + 1]`."""

    leads: U64x1  # [groups], ascending but for the start
    offsets: I64x1  # [groups + 1]
    others: U64x1  # [classes]
    weights: U64x1  # [classes * columns * limbs], lowest limb first; with FULL a column for X's wins and one for O's


class Children(NamedTuple):
    """What is known of the unfinished children of each group, from the backward pass; empty when none was made."""

    leads: U64x1  # [groups], ascending
    offsets: I64x1  # [groups + 1]
    masks: U64x1  # [children], the mover's marks, least under the stabiliser of the lead
    states: U16x1  # [children]


class ChildTable(NamedTuple):
    """A hash table for the children of one group, with capacity for twice as many: a power of two."""

    table: U64x1  # [capacity << shift], rows of key, stamp, state and weight: see `table`
    shift: np.uint64
    clock: U64x1  # [1], the last stamp that was given
    order: U64x1  # [capacity], the rows in order of insertion
    stabiliser: I64x1  # [elements], the elements that keep the lead


class Output(NamedTuple):
    """Where the children go, and what is counted of them by outcome (O_WINS, DRAW, X_WINS, OPEN)."""

    leads: U64x1  # [room], the mover's marks, turned so that they are least
    others: U64x1  # [room], the other player's marks, turned with them
    masks: U64x1  # [room], the mover's marks before they were turned
    weights: U64x1  # [room * columns * limbs]
    ends: I64x1  # [groups], how many classes were written up to the end of each group
    classes: I64x1  # [4], position classes
    boards: I64x1  # [4], the positions in them
    paths: U64x1  # [4 * (limbs + 1)], the sum of the weights
    surplus: U64x1  # [4 * (limbs + 1)], the sum of weight times (order of the pointwise stabiliser - 1)


# Images of cell sets under a group of permutations, by one look-up for each eight cells.

UNSET = np.uint16(65535)


@inner_kernel
def image(images: np.ndarray, element: Int, mask: np.uint64) -> np.uint64:
    """The image of `mask` under one group element.

    `images`: uint64[elements, ceil(cells / 8), 256]; `images[g, j, b]` is the image under g of the cells 8j + i
    for the bits i of b.
    """
    result = ZERO
    for j in range(images.shape[1]):
        result |= images[element, j, mask & BYTE]
        mask >>= EIGHT
    return result


@kernel
def stabiliser(images: U64x3, mask: np.uint64, found: I64x1) -> Int:
    """How many elements map `mask` to itself; their numbers are written to `found` (int64[elements]), in order."""
    count = 0
    for g in range(images.shape[0]):
        if image(images, g, mask) == mask:
            found[count] = g
            count += 1
    return count


@inner_kernel
def least_image(images: np.ndarray, elements: np.ndarray, count: Int, mask: np.uint64) -> np.uint64:
    """The least image of `mask` under the first `count` of `elements`, of which the first is the identity."""
    least = mask
    for j in range(1, count):
        other = image(images, elements[j], mask)
        if other < least:
            least = other
    return least


@helper
def orders_of_stabilisers(
    images: np.ndarray, fixed: np.ndarray, elements: np.ndarray, count: Int, mask: np.uint64, cells: np.uint64
) -> tuple[Int, Int]:
    """How many of the first `count` of `elements` map `mask` to itself, and how many of these fix each of `cells`.

    `fixed`: uint64[elements], the cells that each element fixes.
    """
    keepers = 1
    fixers = 1
    for j in range(1, count):
        if image(images, elements[j], mask) == mask:
            keepers += 1
            if cells & ~fixed[elements[j]] == ZERO:
                fixers += 1
    return keepers, fixers


@helper
def element_to_least(images: np.ndarray, mask: np.uint64) -> Int:
    """The first element under which the image of `mask` is least among all its images. Cost: all images."""
    best = 0
    least = mask
    for g in range(1, images.shape[0]):
        other = image(images, g, mask)
        if other < least:
            least = other
            best = g
    return best


@kernel
def fill_lead_table(images: U64x3, inverses: I64x1, cells: Int, size: Int, table: U16x1) -> Int:
    """Write for each set of `size` cells an element that takes it to its least image; return the number of orbits.

    `table`: uint16[2**cells], `UNSET` where not yet written; `inverses`: int64[elements], the number of the inverse.
    The sets are visited in increasing order, so the first unwritten one is the least of its orbit, and the orbit is
    filled from there: the cost is that of visiting all sets, for a group of any size.
    """
    orbits = 0
    mask = (ONE << np.uint64(size)) - ONE
    limit = ONE << np.uint64(cells)
    while mask < limit:
        if table[mask] == UNSET:
            orbits += 1
            for g in range(images.shape[0]):
                other = image(images, g, mask)
                if table[other] == UNSET:
                    table[other] = inverses[g]
        if mask == ZERO:
            break
        mask = next_set(mask)
    return orbits


@helper
def next_set(mask: np.uint64) -> np.uint64:
    """The next larger mask with as many bits as `mask`, which is not zero and has less than 63 significant bits."""
    low = mask ^ (mask & (mask - ONE))
    carried = mask + low
    return carried | (((mask ^ carried) // low) >> np.uint64(2))


# From lines and permutations, as plain numbers, to the arrays that kernels read.

LEAD_TABLE_CELLS = 26
"""Boards up to this size look the canonical set of the lead up, in a table of two bytes for each set of cells."""


def make_geometry(cells: int, lines: Sequence[int], elements: Sequence[Sequence[int]]) -> Geometry:
    """The arrays of a board with `lines` as masks and a group given by all its permutations, the identity first.

    Assumes at most 64 cells and fewer than 65,535 elements. Cost: 2 KB per element and 8 cells, and the lead table.
    """
    group = np.array(elements, dtype=np.int64).reshape(len(elements), cells)
    cell_bits = np.uint64(1) << np.arange(cells, dtype=np.uint64)
    return Geometry(
        full=np.uint64((1 << cells) - 1),
        lines=np.array(lines, dtype=np.uint64),
        images=image_tables(group),
        fixed=((group == np.arange(cells)) * cell_bits).sum(axis=1, dtype=np.uint64),
        lead_table=np.full(1 << cells if _has_lead_table(cells, len(elements)) else 0, UNSET, dtype=np.uint16),
    )


def _has_lead_table(cells: int, order: int) -> bool:
    return order > 1 and cells <= LEAD_TABLE_CELLS


def prepare_leads(geometry: Geometry, size: int) -> None:
    """Fill the lead table, if the board has one, for the sets of `size` cells."""
    if geometry.lead_table.shape[0]:
        fill_lead_table(geometry.images, inverse_elements(geometry), cell_count(geometry), size, geometry.lead_table)


def cell_count(geometry: Geometry) -> int:
    """The number of cells of the board."""
    return int(geometry.full).bit_length()


def inverse_elements(geometry: Geometry) -> Ints:
    """int64[elements]: the number of the inverse of each element."""
    cells = cell_count(geometry)
    bits = np.array([geometry.images[:, cell // 8, 1 << cell % 8] for cell in range(cells)]).T
    elements = [tuple(int(bit).bit_length() - 1 for bit in row) for row in bits]
    number = {element: g for g, element in enumerate(elements)}
    return np.array([number[tuple(np.argsort(element))] for element in elements], dtype=np.int64)


# The rules of a question as numbers, and the moves from one ply under them.

LIMB_BITS = 63
"""Bits of a weight in each 64-bit word: two words and a carry add up without wrapping around."""


@dataclass(frozen=True)
class RuleTerms:
    """The rules by number (see `records`), and the start position as two sets of cells.

    `lined` has the outcome, as a number, when X completes a line and when O does.
    """

    cells: int
    x_rule: int
    o_rule: int
    end: int
    lined: tuple[int, int]
    distinct: bool
    start_x: int
    start_o: int
    limb_bits: int = LIMB_BITS

    @property
    def start_ply(self) -> int:
        """The number of marks of the start position."""
        return (self.start_x | self.start_o).bit_count()

    @property
    def any_values(self) -> bool:
        """Whether a player needs values under free play."""
        return max(self.x_rule, self.o_rule) >= PERFECT

    def sides(self, ply: int) -> tuple[int, int]:
        """The start's marks as (those of the player who moved last before `ply`, those of the one who moves)."""
        return (self.start_o, self.start_x) if ply % 2 == 0 else (self.start_x, self.start_o)

    def play(self, ply: int, limbs: int, *, emit: bool) -> Play:
        """The moves from a ply, counted."""
        x_moves = ply % 2 == 0
        rule = self.x_rule if x_moves else self.o_rule
        return Play(
            rule=rule,
            graph_rule=ANY if self.any_values else rule,
            x_moves=int(x_moves),
            lined_outcome=self.lined[not x_moves],
            final=int(ply + 1 == self.cells),
            end=self.end,
            distinct=int(self.distinct),
            emit=int(emit and ply + 1 < self.cells),
            start=np.uint64(self.start_x | self.start_o),
            limbs=np.uint64(limbs),
            columns=np.uint64(limbs * (2 if self.end == FULL else 1)),
            limb_bits=np.uint64(self.limb_bits),
        )

    def graph_play(self, ply: int) -> Play:
        """The moves from a ply that the kept graph holds: free ones where values are needed, play ending at a line."""
        play = self.play(ply, 1, emit=True)
        bits = np.uint64(LIMB_BITS)  # what stands for weights are the numbers of the classes, and their sums fit
        return play._replace(rule=play.graph_rule, end=LINE, columns=play.limbs, limb_bits=bits, emit=2 * play.emit)


# The hash table for the children of one group, and sums of numbers too large for one word.
#
# Both are flat arrays of words, addressed by unsigned offsets: signed ones would be checked for counting from the end.

_LOW = np.uint64(0xFFFFFFFF)
_WORD = np.uint64(32)
_FOLD = np.uint64(29)
# Odd 32-bit constants (the golden ratio, and a prime): products of 32-bit halves stay below 2**64.
_MIX_LOW = np.uint64(0x9E3779B1)
_MIX_HIGH = np.uint64(0x85EBCA77)

STAMP = np.uint64(1)
"""Offset in a row of when it was last touched. The first word of a row is its key, the mover's marks."""
STATE = np.uint64(2)
"""Offset in a row of the state of the child (see `records`)."""
WEIGHT = np.uint64(3)
"""Offset in a row of the first word of the weight."""


@inner_kernel
def find_row(table: np.ndarray, shift: np.uint64, key: np.uint64, first: np.uint64) -> np.uint64:
    """The offset of the row of `key`, or of the empty one where it belongs: linear probing, about 1.2 probes.

    `table`: uint64[capacity << shift], rows of 1 << shift words. A row is empty if its stamp is before `first`: to
    enter a group with a later stamp empties the table. Assumes that at most half the rows are taken.
    """
    last = (np.uint64(table.shape[0]) >> shift) - ONE
    mixed = ((key & _LOW) * _MIX_LOW) ^ ((key >> _WORD) * _MIX_HIGH)
    slot = (mixed ^ (mixed >> _FOLD)) & last
    row = slot << shift
    while table[row + STAMP] >= first and table[row] != key:
        slot = (slot + ONE) & last
        row = slot << shift
    return row


@inner_kernel
def enter_child(table: np.ndarray, row: np.uint64, key: np.uint64, state: np.uint64, columns: np.uint64) -> None:
    """Take an empty row, with a weight of `columns` words of zero. The stamp is left to the caller."""
    table[row] = key
    table[row + STATE] = state
    table[row + WEIGHT] = ZERO
    if columns > ONE:
        _clear(table, row + WEIGHT + ONE, columns - ONE)


@helper
def _clear(table: np.ndarray, at: np.uint64, words: np.uint64) -> None:
    for j in range(words):
        table[at + np.uint64(j)] = ZERO


@inner_kernel
def add_number(
    target: np.ndarray, to: np.uint64, source: np.ndarray, at: np.uint64, limbs: np.uint64, bits: np.uint64
) -> None:
    """Add the number at `source[at]` to the number at `target[to]`.

    A number is a run of `limbs` words (uint64), the lowest first, each below 2**bits with bits <= 63: a sum of two
    words and a carry cannot wrap around. What is carried out of the last word goes to the one after it; where a bound
    says that the sum fits, no such word is needed.
    """
    limit = (ONE << bits) - ONE
    total = target[to] + source[at]
    target[to] = total & limit
    carry = total >> bits
    if limbs > ONE:
        carry = _add_words(target, to, source, at, limbs, bits, carry)
    if carry != ZERO:
        target[to + limbs] += carry


@helper
def _add_words(
    target: np.ndarray,
    to: np.uint64,
    source: np.ndarray,
    at: np.uint64,
    limbs: np.uint64,
    bits: np.uint64,
    carry: np.uint64,
) -> np.uint64:
    """Add the words after the first; return what is carried out of the last."""
    limit = (ONE << bits) - ONE
    for i in range(limbs - ONE):
        j = np.uint64(i) + ONE
        total = target[to + j] + source[at + j] + carry
        target[to + j] = total & limit
        carry = total >> bits
    return carry
