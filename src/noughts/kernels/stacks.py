"""Positions of marks that fall, ply by ply: the children of a sorted layer, merged without sorting or hashing.

A column of `rows` cells takes `rows + 1` bits, the bottom cell lowest. Bits of the cells with an X are 1, those with an
O are 0, and above the top mark stands a 1. The columns stand side by side, the first one lowest:

    . . X    0 0 1
    O . O    1 0 0    top mark, then the 1 above it; a column without marks is 0..01
    X . X    1 1 1

A mark that falls into a column adds to the key a power of two that grows with the column's bits. So the children of
sorted keys by one column are sorted too. The next layer is a merge of one sorted stream for each column.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noughts.kernels.arrays import I64x1, U64x1, U64x2
from noughts.kernels.bits import ONE, ZERO, Int
from noughts.kernels.jit import helper, inner_kernel, kernel
from noughts.kernels.layers.tables import add_number

WON, OPEN, DRAWN = 0, 1, 2
"""What a position is: the player who moved last has a line, play goes on, or the board is full."""

NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
"""The key after the last of a stream; it is not that of a position."""


@inner_kernel
def occupied_cells(key: np.uint64, below: np.ndarray) -> Any:
    """The cells with a mark. `below`: uint64[steps], the bits with 1, 2, 4, ... more bits above them in the column."""
    filled = key
    shift = ONE
    for step in range(below.shape[0]):
        filled |= (filled >> shift) & below[step]
        shift += shift
    return (filled >> ONE) & below[0]


@helper
def has_run(own: np.uint64, shifts: np.ndarray) -> bool:
    """Whether marks have k in a row. `shifts`: uint64[directions, steps], which join cells to runs of k."""
    for direction in range(shifts.shape[0]):
        run = own
        for step in range(shifts.shape[1]):
            run &= run >> shifts[direction, step]
        if run != ZERO:
            return True
    return False


@helper
def is_mirrored(key: np.uint64, columns: Int, bits: np.uint64) -> bool:
    """Whether a position is its own mirror image; `bits`: those of a column."""
    column = (ONE << bits) - ONE
    left, right = ZERO, np.uint64(columns - 1) * bits
    while left < right:
        if ((key >> left) ^ (key >> right)) & column != ZERO:
            return False
        left += bits
        right -= bits
    return True


@inner_kernel
def next_head(
    keys: np.ndarray, at: np.ndarray, end: np.ndarray, column: Int, cells: np.uint64, below: np.ndarray, x_moves: Int
) -> Any:
    """The child of the next parent of a stream whose column is not full; `NONE` after the last one."""
    while at[column] < end[column]:
        key = keys[at[column]]
        mark = key & ~occupied_cells(key, below) & cells & below[0]
        if mark != ZERO:
            return key + (mark << ONE if x_moves else mark)
        at[column] += 1
    return NONE


@kernel
def merge_children(
    keys: U64x1,
    weights: U64x1,
    at: I64x1,
    end: I64x1,
    height: np.uint64,
    below: U64x1,
    shifts: U64x2,
    x_moves: Int,
    final: Int,
    by_choices: Int,
    limbs: np.uint64,
    bits: np.uint64,
    heads: U64x1,
    children: U64x1,
    sums: U64x1,
    boards: I64x1,
    paths: U64x1,
) -> Int:
    """Write the open children of some parents with their weights, sorted, and return their number.

    Stream c has the children by column c of the parents `at[c]` to `end[c]`. `keys`: uint64[n], sorted, of open
    positions; `weights`: uint64[n * limbs], numbers of `limbs` words of `bits` bits. A column has `height` bits, see
    `occupied_cells` for `below` and `has_run` for `shifts`. A child's weight is the sum of those of its parents; with
    `by_choices` mirror images among them count once, which only a child that is its own mirror image has.

    `heads`: uint64[columns] for the streams. `children`, `sums`: with room for all children and one more.
    `boards`: int64[6], added to: the children that are won, open and drawn, then those of each that are their own
    mirror images. `paths`: uint64[6 * (limbs + 1)], their weights. `final`: whether the children fill the board.
    """
    columns = at.shape[0]
    cells = (ONE << height) - ONE
    for column in range(columns):
        mask = cells << (np.uint64(column) * height)
        heads[column] = next_head(keys, at, end, column, mask, below, x_moves)
    found = 0
    while True:
        child = heads[0]
        for column in range(1, columns):
            child = min(child, heads[column])
        if child == NONE:
            return found
        mirrored = is_mirrored(child, columns, height)
        row = np.uint64(found) * limbs
        for word in range(limbs):
            sums[row + np.uint64(word)] = ZERO
        for column in range(columns):
            if heads[column] == child:
                if not (by_choices and mirrored and 2 * column >= columns):
                    add_number(sums, row, weights, np.uint64(at[column]) * limbs, limbs, bits)
                at[column] += 1
                mask = cells << (np.uint64(column) * height)
                heads[column] = next_head(keys, at, end, column, mask, below, x_moves)
        occupied = occupied_cells(child, below)
        own = child & occupied if x_moves else occupied & ~child
        kind = WON if has_run(own, shifts) else DRAWN if final else OPEN
        boards[kind] += 1
        add_number(paths, np.uint64(kind) * (limbs + ONE), sums, row, limbs, bits)
        if mirrored:
            boards[kind + 3] += 1
            add_number(paths, np.uint64(kind + 3) * (limbs + ONE), sums, row, limbs, bits)
        if kind == OPEN:
            children[found] = child
            found += 1
