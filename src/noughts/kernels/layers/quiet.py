"""Positions in which neither side threatens to complete a line."""

import numpy as np

from noughts.kernels.bits import ZERO, Int, completing_cells
from noughts.kernels.jit import kernel

__all__ = ["count_quiet"]


@kernel
def count_quiet(leads: np.ndarray, offsets: np.ndarray, others: np.ndarray, full: np.uint64, lines: np.ndarray) -> Int:
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
