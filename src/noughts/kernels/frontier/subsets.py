"""Functions on all subsets of up to 31 cells, as arrays of length 2^n: sums over subsets, and what to sum.

The transforms work in place and in blocks that stay in cache. They treat the low bits first, block by block, then a
few high bits at a time.
"""

from __future__ import annotations

import numpy as np

from noughts.kernels.arrays import U8x1, U32x1, U64x1
from noughts.kernels.jit import kernel

BLOCK_BITS = 15
"""Low bits that are done block by block: 128 kB of 32-bit numbers."""

GROUP_BITS = 5
"""High bits that are done together."""

_COLUMNS = 512

FREE = np.uint8(255)
"""The status of a set that holds no line."""


@kernel
def low_bits(values: U32x1, bits: int, meet: bool, begin: int, end: int) -> None:
    """Combine each entry with those of its subsets, in the low `bits` bits, for the blocks `begin..end`.

    Combine is the sum modulo 2^32, or with `meet` the bitwise and.
    """
    size = np.uint64(1 << bits)
    for block in range(begin, end):
        base = np.uint64(block) << np.uint64(bits)
        for bit in range(bits):
            step = np.uint64(1 << bit)
            i = base
            while i < base + size:
                if meet:
                    for j in range(i, i + step):
                        values[j + step] &= values[j]
                else:
                    for j in range(i, i + step):
                        values[j + step] += values[j]
                i += step + step


@kernel
def high_bits(values: U32x1, first: int, bits: int, meet: bool, begin: int, end: int) -> None:
    """The same in the bits `first..first + bits`; pieces `begin..end` of 512 columns each, `first` at least 9."""
    columns = np.uint64(_COLUMNS)
    pieces = np.uint64((1 << first) // _COLUMNS)
    for piece in range(np.uint64(begin), np.uint64(end)):
        corner = (piece // pieces << np.uint64(first + bits)) + piece % pieces * columns
        for bit in range(bits):
            for row in range(1 << bits):
                if not row >> bit & 1:
                    continue
                upper = corner + (np.uint64(row) << np.uint64(first))
                lower = corner + (np.uint64(row ^ 1 << bit) << np.uint64(first))
                if meet:
                    for j in range(columns):
                        values[upper + j] &= values[lower + j]
                else:
                    for j in range(columns):
                        values[upper + j] += values[lower + j]


@kernel
def statuses(
    shared: U32x1, low: U8x1, high: U8x1, status: U8x1,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Turn the cells that all completed lines share into statuses: 255 no line, else the weight of those cells.

    `shared` is all ones where no line is completed. `low` and `high` are the weights of sets of the low 15 and of the
    other cells.
    """
    for i in range(begin, end):
        cells = shared[i]
        if cells == np.uint32(0xFFFFFFFF):
            status[i] = FREE
        else:
            status[i] = low[cells & np.uint32(0x7FFF)] + high[cells >> np.uint32(15)]


@kernel
def fill(
    values: U32x1, status: U8x1, low: U8x1, high: U8x1,
    weight: int, halves: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Write 1 for the sets of this weight without a line, 0 for all others.

    With two halves the table is half as long as the others, and the sets with the last cell are added to those without.
    """
    for i in range(begin, end):
        values[i] = 0
        for half in range(halves):
            j = i + half * values.shape[0]
            if status[j] == FREE and np.int64(low[j & 0x7FFF]) + np.int64(high[j >> 15]) == weight:
                values[i] += np.uint32(1)


@kernel
def reap(
    values: U32x1, status: U8x1, low: U8x1, high: U8x1,
    weight: int, offset: int, begin: int, end: int, totals: U64x1,
) -> None:  # fmt: skip
    """Add up the values at the complements of the sets of this weight, into `totals`.

    Those of sets without a line; of sets whose lines share cells; and the latter times the weight of those cells. The
    sets are those from number `offset` on; the values are those of their complements, backwards. The totals are below
    31 * 3^31 < 2^64.
    """
    last = values.shape[0] - 1
    still_open, won, decisive = np.uint64(0), np.uint64(0), np.uint64(0)
    for i in range(begin, end):
        j = i + offset
        if np.int64(low[j & 0x7FFF]) + np.int64(high[j >> 15]) != weight:
            continue
        ways = np.uint64(values[last - i])
        if status[j] == FREE:
            still_open += ways
        elif status[j]:
            won += ways
            decisive += ways * np.uint64(status[j])
    totals[0] += still_open
    totals[1] += won
    totals[2] += decisive
