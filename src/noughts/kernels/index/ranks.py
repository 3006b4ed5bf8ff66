"""Colexicographic ranks of cell sets: the arithmetic under the perfect index.

A set {c1 < c2 < ... < cq} has rank C(c1, 1) + C(c2, 2) + ... + C(cq, q). Sets of one size in this order are sets in
increasing order of their masks, so rank and mask sort alike. With q fixed the rank of a mask is the sum of two table
entries, one for each half. The index of a mark in the high half is known from above.

Plain NumPy; nothing here is compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@cache
def binomials(n: int) -> Ints:
    """Return the (n + 2, n + 2) int64 table of C(i, j), zero where j > i; exact for n <= 60."""
    table = np.zeros((n + 2, n + 2), np.int64)
    table[:, 0] = 1
    for i in range(1, n + 2):
        table[i, 1:] = table[i - 1, 1:] + table[i - 1, :-1]
    return table


@cache
def popcounts(bits: int) -> Ints:
    """Return the number of marks of every mask of ``bits`` cells, int64, length 2**bits."""
    table = np.zeros(1, np.int64)
    for _ in range(bits):
        table = np.concatenate((table, table + 1))
    return table


@cache
def subsets(n: int, q: int) -> Ints:
    """Return the masks of all q-sets of n cells in colexicographic (that is, increasing) order, int64, length C(n, q).

    Built row by row of Pascal's triangle; cost O(n * C(n, q)) at worst.
    """
    if q < 0 or q > n:
        return np.zeros(0, np.int64)
    rows = [np.zeros(1, np.int64)] + [np.zeros(0, np.int64)] * q
    for cell in range(n):
        for size in range(min(q, cell + 1), max(0, q - (n - cell)), -1):
            rows[size] = np.concatenate((rows[size], rows[size - 1] | (1 << cell)))
    return rows[q]


def half_ranks(n: int, q: int) -> tuple[int, Ints, Ints]:
    """Return (low, low table, high table): rank(mask) = low_table[mask & (2**low - 1)] + high_table[mask >> low].

    Assumes that the mask has exactly q marks. Both tables are int64, of 2**low and 2**(n - low) entries.
    """
    low = n // 2
    choose = binomials(max(n, 1))
    low_table = np.zeros(1 << low, np.int64)
    counts = popcounts(max(low, n - low))
    for b in range(low):
        part = slice(0, 1 << b)
        below = np.minimum(counts[part] + 1, n)
        low_table[1 << b : 2 << b] = low_table[part] + choose[b][below]
    high = n - low
    high_table = np.zeros(1 << high, np.int64)
    for b in range(high - 1, -1, -1):
        step = 2 << b
        above = counts[: 1 << (high - b - 1)]
        index = q - above
        term = np.where(index > 0, choose[low + b][np.clip(index, 0, n)], 0)
        high_table[(1 << b) :: step] = high_table[::step] + term
    return low, low_table, high_table


@cache
def supersets(n: int, q: int) -> npt.NDArray[np.int32]:
    """Return for every q-set of n cells, in rank order, the ranks of its n - q supersets with one more cell.

    Shape (C(n, q), n - q), int32; column i belongs to the i-th blank cell, from the lowest.
    """
    masks = subsets(n, q)
    table = np.zeros((len(masks), n - q), np.int32)
    if n == q:
        return table
    low, low_table, high_table = half_ranks(n, q + 1)
    blanks_seen = np.zeros(len(masks), np.int64)
    rows = np.arange(len(masks))
    for cell in range(n):
        blank = (masks >> cell) & 1 == 0
        bigger = masks[blank] | (1 << cell)
        ranks = low_table[bigger & ((1 << low) - 1)] + high_table[bigger >> low]
        table[rows[blank], blanks_seen[blank]] = ranks
        blanks_seen[blank] += 1
    return table


@cache
def subsets_below(n: int, q: int) -> npt.NDArray[np.uint32]:
    """Return for every q-set of n cells, in rank order, the ranks of its q subsets with one cell less.

    Shape (q, C(n, q)), uint32; row i is without the i-th cell of the set, from the lowest. At least one cell.
    """
    masks = subsets(n, q)
    table = np.zeros((q, len(masks)), np.uint32)
    low, low_table, high_table = half_ranks(n, q - 1)
    rest = masks.copy()
    for i in range(q):
        cell = rest & -rest
        smaller = masks ^ cell
        table[i] = low_table[smaller & ((1 << low) - 1)] + high_table[smaller >> low]
        rest ^= cell
    return table


# Canonical sets of the lead player: one half of the perfect index, and the threats of every set.
#
# Plain NumPy; nothing here is compiled. Boards of up to 30 cells: two bits of a 32-bit word are kept for flags.

MAX_CELLS = 30
CELL_BITS = (1 << MAX_CELLS) - 1
HAS_LINE = 1 << 31
"""Flag of `threat_table`: the set contains a winning line."""
NO_CRITICAL = 1 << 30
"""Flag of `threat_table`: its winning lines share no cell, so no last move can have completed them all."""


class Images(NamedTuple):
    """Half-board tables of a group: image of a mask = low[g, mask & low_mask] | high[g, mask >> low_bits]."""

    low_bits: int
    low: Ints
    high: Ints


def images(permutations: npt.NDArray[np.int64]) -> Images:
    """Return the half-board tables of the (g, n) permutations, ``permutations[g, i]`` being the image of cell i."""
    order, cells = permutations.shape
    low_bits = cells // 2
    tables = []
    for start, bits in ((0, low_bits), (low_bits, cells - low_bits)):
        table = np.zeros((order, 1 << bits), np.int64)
        for b in range(bits):
            table[:, 1 << b : 2 << b] = table[:, : 1 << b] | (np.int64(1) << permutations[:, start + b])[:, None]
        tables.append(table)
    return Images(low_bits, tables[0], tables[1])


def threat_table(masks: Ints, lines: Sequence[int]) -> npt.NDArray[np.uint32]:
    """Return for every mask the cells that would complete a line, with the flags HAS_LINE and NO_CRITICAL.

    A cell already marked is never a threat. uint32, one word a mask. Cost: lines * masks, a few vector operations each.
    """
    threats = np.zeros(len(masks), np.uint32)
    has_line = np.zeros(len(masks), bool)
    common = np.full(len(masks), 0xFFFFFFFF, np.uint32)
    small = masks.astype(np.uint32)
    one = np.uint32(1)
    for line in lines:
        missing = ~small & np.uint32(line)
        single = (missing & (missing - one)) == 0
        threats |= np.where(single, missing, 0).astype(np.uint32, copy=False)
        full = missing == 0
        if full.any():
            has_line |= full
            common[full] &= np.uint32(line)
    threats[has_line] |= np.uint32(HAS_LINE)
    threats[has_line & (common == 0)] |= np.uint32(NO_CRITICAL)
    return threats


class LeadLayer(NamedTuple):
    """The canonical line-free sets of p marks and where one more mark leads.

    ``child[i, j]``: number, among the sets of p + 1 marks, of set i with a mark on its j-th blank; -1 if that completes
    a line. ``symmetry[i, j]``: a group element that takes the bigger set to its canonical form.
    ``won``: canonical sets of p + 1 marks with a completed line that arise so.
    """

    masks: Ints
    child: npt.NDArray[np.int32]
    symmetry: npt.NDArray[np.uint16]
    won: Ints


def blanks(masks: Ints, cells: int, count: int) -> npt.NDArray[np.int8]:
    """Return the (len(masks), count) array of the cells not in each mask, increasing; each mask leaves ``count``."""
    free = ((masks[:, None] >> np.arange(cells)) & 1) == 0
    return np.nonzero(free)[1].reshape(len(masks), count).astype(np.int8)


def canonical_images(masks: Ints, group: Images) -> tuple[Ints, npt.NDArray[np.uint16]]:
    """Return the least image of every mask and the number of a group element (below 65,536) that reaches it."""
    low = masks & ((1 << group.low_bits) - 1)
    high = masks >> group.low_bits
    best = masks.copy()
    element = np.zeros(len(masks), np.uint16)
    for g in range(len(group.low)):
        image = group.low[g][low] | group.high[g][high]
        better = image < best
        if g == 0:
            better |= image == best
        np.copyto(best, image, where=better)
        element[better] = g
    return best, element


def next_layer(masks: Ints, cells: int, marks: int, lines: Sequence[int], group: Images) -> tuple[LeadLayer, Ints]:
    """Return the layer of ``masks`` (canonical line-free sets of ``marks`` marks, increasing) and the next such sets.

    Assumes that group element 0 is the identity. Every subset of a line-free set is line-free, so nothing is missed.
    """
    count = cells - marks
    slice_length = max(1, (1 << 22) // max(1, count))
    canon = np.empty((len(masks), count), np.int64)
    element = np.empty((len(masks), count), np.uint16)
    for start in range(0, len(masks), slice_length):
        part = slice(start, start + slice_length)
        bigger = masks[part, None] | (np.int64(1) << blanks(masks[part], cells, count).astype(np.int64))
        best, by = canonical_images(bigger.ravel(), group)
        canon[part] = best.reshape(-1, count)
        element[part] = by.reshape(-1, count)
    every = np.unique(canon)
    lined = np.zeros(len(every), bool)
    for line in lines:
        lined |= (every & line) == line
    following = every[~lined]
    child = np.full(canon.shape, -1, np.int32)
    for start in range(0, len(masks), slice_length):
        part = slice(start, start + slice_length)
        number = np.searchsorted(following, canon[part])
        found = number < len(following)
        found[found] = following[number[found]] == canon[part][found]
        child[part][found] = number[found]
    return LeadLayer(masks, child, element, every[lined]), following
