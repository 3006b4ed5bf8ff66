"""Sorting classes by their lead: a radix sort, least digit first, stable, each pass over slices."""

import numpy as np

from noughts.kernels.bits import Int
from noughts.kernels.jit import kernel

__all__ = ["count_digits", "scatter"]


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
    """Move each row to the next place of its digit; `places` (int64[digit + 1]) are where this slice's digits start.

    `keys`, `others`: uint64[n]; `weights`: uint64[n * columns]; the sorted arrays are those of all slices together.
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
