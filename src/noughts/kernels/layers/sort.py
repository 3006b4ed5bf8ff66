"""Sorting classes by their lead: a radix sort, least digit first, stable."""

from collections.abc import Sequence

import numpy as np

from noughts.kernels.bits import Int
from noughts.kernels.jit import kernel
from noughts.kernels.layers.records import Groups, Masks

__all__ = ["Rows", "count_digits", "merge_rows", "prefix_start", "scatter", "sort_rows"]

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
def count_digits(keys: np.ndarray, shift: np.uint64, digit: np.uint64, counts: np.ndarray) -> None:
    """Add to `counts` (int64[digit + 1]) how often each digit `keys >> shift & digit` occurs."""
    for i in range(keys.shape[0]):
        counts[np.int64((keys[i] >> shift) & digit)] += 1


@kernel
def scatter(
    keys: np.ndarray,
    others: np.ndarray,
    weights: np.ndarray,
    columns: Int,
    shift: np.uint64,
    digit: np.uint64,
    places: np.ndarray,
    sorted_keys: np.ndarray,
    sorted_others: np.ndarray,
    sorted_weights: np.ndarray,
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
