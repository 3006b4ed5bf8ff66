"""Half-board tables of one block: ranks on the whole board, permuted sets, and which sets of O are least.

A block is a set of X, ``cells`` its blank cells in order. Sets of O are masks over those blanks, split into a low part
of ``low`` bits and a high part; a table entry for each part, added or joined, replaces a loop over the marks.
All arrays are int64 unless said otherwise; nothing is allocated.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from noughts.kernels.bits import popcount
from noughts.kernels.jit import helper

__all__ = ["fill_images", "fill_ranks", "mark_least"]

Array = npt.NDArray[Any]


@helper
def fill_ranks(
    cells: Array, low: int, count: int, marks: Array, choose: Array, low_table: Array, high_table: Array
) -> None:
    """Fill the half tables of the rank, among all ``count``-sets of the whole board, of a set of blanks.

    ``marks``: the number of marks of every mask up to a half; ``choose``: binomial coefficients.
    """
    low_table[0] = 0
    for b in range(low):
        for m in range(1 << b):
            low_table[m | (1 << b)] = low_table[m] + choose[cells[b], marks[m] + 1]
    high = cells.size - low
    high_table[0] = 0
    for b in range(high - 1, -1, -1):
        for m in range(0, 1 << high, 2 << b):
            index = count - marks[m >> (b + 1)]
            high_table[m | (1 << b)] = high_table[m] + (choose[cells[low + b], index] if index > 0 else 0)


@helper
def fill_images(cells: Array, skip: int, permutation: Array, low: int, low_table: Array, high_table: Array) -> None:
    """Fill the half tables that take a set of blanks to a set of the blanks left after a mark on ``skip``.

    The board is turned by ``permutation``, and blanks are numbered afresh; ``skip`` is the index of the blank that
    becomes a mark, or the number of blanks for none.
    """
    left = 0
    for j in range(cells.size):
        if j != skip:
            left |= 1 << permutation[cells[j]]
    low_table[0] = 0
    high_table[0] = 0
    for j in range(cells.size):
        bit = 0
        if j != skip:
            bit = 1 << popcount(left & ((1 << permutation[cells[j]]) - 1))
        if j < low:
            for m in range(1 << j):
                low_table[m | (1 << j)] = low_table[m] | bit
        else:
            for m in range(1 << (j - low)):
                high_table[m | (1 << (j - low))] = high_table[m] | bit


@helper
def mark_least(
    lead: int, cells: Array, low: int, subsets: Array, permutations: Array, least: Array, low_table: Array,
    high_table: Array,
) -> int:  # fmt: skip
    """Set ``least[r]`` (uint8) where subset r is the least of its images under the stabiliser of ``lead``.

    Returns the order of the stabiliser. Assumes that the first of ``permutations`` is the identity.
    """
    for r in range(subsets.size):
        least[r] = 1
    order = 1
    for g in range(1, permutations.shape[0]):
        image = 0
        for c in range(permutations.shape[1]):
            if lead >> c & 1:
                image |= 1 << permutations[g, c]
        if image != lead:
            continue
        order += 1
        fill_images(cells, cells.size, permutations[g], low, low_table, high_table)
        low_mask = (1 << low) - 1
        for r in range(subsets.size):
            m = subsets[r]
            if (low_table[m & low_mask] | high_table[m >> low]) < m:
                least[r] = 0
    return order
