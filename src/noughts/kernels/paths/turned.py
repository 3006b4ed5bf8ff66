"""Where the sets beside one set of X are found beside another: places of parents, and threats seen from a block.

A block is a canonical set of X with all sets of O of one size beside it, each a mask over the blanks of the block. A
parent of a block has one X less; a symmetry of the board takes it to a canonical set, whose block holds its paths.

Sets of O and tables of them are uint32, so that compiled loops over them use vectors; other arrays are int64 unless
said otherwise. Nothing is checked and nothing allocated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import Int, popcount
from noughts.kernels.index.halves import fill_ranks
from noughts.kernels.jit import helper
from noughts.kernels.paths.records import SetTables

__all__ = ["among", "blanks_of", "fill_least", "fill_places", "image_of", "recall_threats"]

Array = npt.NDArray[Any]


@helper
def image_of(marks: int, permutations: Array, g: int) -> int:
    """Return the image of a set of cells of the board."""
    image = 0
    for c in range(permutations.shape[1]):
        if marks >> c & 1:
            image |= 1 << permutations[g, c]
    return image


@helper
def blanks_of(lead: int, cells: Array, count: int) -> None:
    """Fill ``cells[:count]`` with the cells that a set of X leaves, increasing."""
    j = 0
    c = 0
    while j < count:
        if lead >> c & 1 == 0:
            cells[j] = c
            j += 1
        c += 1


@helper
def among(marks: Int, cells: Array, count: int) -> int:
    """Return, as a set of the blanks ``cells[:count]``, which of them are in a set of cells of the board."""
    found = 0
    for j in range(count):
        if marks >> cells[j] & 1:
            found |= 1 << j
    return found


@helper
def _fill_turned(cells: Array, count: int, permutations: Array, g: int, target: int, low: int, tables: Array) -> None:
    """Fill ``tables`` (2, 2**half): a set of ``cells[:count]``, turned by ``g``, as a set of what ``target`` leaves."""
    tables[0, 0] = 0
    tables[1, 0] = 0
    for j in range(count):
        cell = permutations[g, cells[j]]
        below = (1 << cell) - 1
        bit = 1 << (cell - popcount(target & below))
        if j < low:
            for m in range(1 << j):
                tables[0, m | (1 << j)] = tables[0, m] | bit
        else:
            for m in range(1 << (j - low)):
                tables[1, m | (1 << (j - low))] = tables[1, m] | bit


@helper
def fill_places(
    cells: Array, count: int, subsets: Array, permutations: Array, g: int, target: int, half_low: int, ranks: Array,
    tables: Array, places: Array, least: int,
) -> None:  # fmt: skip
    """Fill ``places`` (int32) with the rank of each set, turned by ``g``, among those that ``target`` leaves.

    ``half_low`` and ``ranks`` (2, 2**half): `ranks.half_ranks` of the target. With ``least`` what is there stays where
    it is less.
    """
    _fill_turned(cells, count, permutations, g, target, count // 2, tables)
    low, half = np.uint32(count // 2), np.uint32(half_low)
    low_mask, rank_mask = np.uint32((1 << count // 2) - 1), np.uint32((1 << half_low) - 1)
    low_table, high_table, low_ranks, high_ranks = tables[0], tables[1], ranks[0], ranks[1]
    if least:
        for t in range(subsets.size):
            image = low_table[subsets[t] & low_mask] | high_table[subsets[t] >> low]
            places[t] = min(places[t], np.int32(low_ranks[image & rank_mask] + high_ranks[image >> half]))
        return
    for t in range(subsets.size):
        image = low_table[subsets[t] & low_mask] | high_table[subsets[t] >> low]
        places[t] = low_ranks[image & rank_mask] + high_ranks[image >> half]


@helper
def fill_least(
    lead: int, cells: Array, count: int, subsets: Array, permutations: Array, half_low: int, ranks: Array,
    tables: Array, places: Array,
) -> int:  # fmt: skip
    """Fill ``places`` (int32) with the least rank of the images of each set under the stabiliser of ``lead``.

    Returns the order of the stabiliser; where it is 1 nothing is filled.
    """
    order = 1
    for g in range(1, permutations.shape[0]):
        if image_of(lead, permutations, g) == lead:
            if order == 1:
                for t in range(subsets.size):
                    places[t] = t
            order += 1
            fill_places(cells, count, subsets, permutations, g, lead, half_low, ranks, tables, places, 1)
    return order


@helper
def recall_threats(marks: Array, choose: Array, sets: SetTables, cells: Array, board: Array, known: Array) -> None:
    """Fill ``known`` with the threats of each set of O beside a block, by its rank on the whole board.

    ``marks`` and ``choose``: see `PathRules`.
    """
    low = cells.size // 2
    fill_ranks(cells, low, sets.taken, marks, choose, board[0], board[1])
    low_mask, low_bits = np.uint32((1 << low) - 1), np.uint32(low)
    subsets, threats, low_ranks, high_ranks = sets.subsets, sets.threats, board[0], board[1]
    for t in range(subsets.size):
        known[t] = threats[low_ranks[subsets[t] & low_mask] + high_ranks[subsets[t] >> low_bits]]
