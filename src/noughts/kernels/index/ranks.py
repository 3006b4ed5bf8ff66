"""Colexicographic ranks of cell sets: the arithmetic under the perfect index.

A set {c1 < c2 < ... < cq} has rank C(c1, 1) + C(c2, 2) + ... + C(cq, q). Sets of one size in this order are sets in
increasing order of their masks, so rank and mask sort alike. With q fixed the rank of a mask is the sum of two table
entries, one for its low half and one for its high half: the index of a mark in the high half is known from above.

Plain NumPy; nothing here is compiled.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

__all__ = ["binomials", "half_ranks", "popcounts", "subsets", "subsets_below", "supersets"]

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
