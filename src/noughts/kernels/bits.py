"""Sets of cells as 64-bit masks: bit i is cell i.

Every literal that meets a mask is wrapped (`ONE`, not `1`): compiled, `uint64 | int64` is `int64`, and the top bit
would turn negative. Sums never wrap around either, so that the uncompiled run raises no overflow warning.

Compiled, `popcount` and `lowest` are single instructions (see `build_kernels`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.jit import inner_kernel

Int = int | np.int64 | np.uint64
"""A whole number, as kernels pass it on: an index or a count, not a set."""

ZERO = np.uint64(0)
ONE = np.uint64(1)
EIGHT = np.uint64(8)
BYTE = np.uint64(255)


def image_tables(
    permutations: Sequence[Sequence[int]] | npt.NDArray[np.int64], bits: Sequence[int] | None = None
) -> npt.NDArray[np.uint64]:
    """Return for each permutation, byte of a set and value of that byte the image: uint64[permutations, bytes, 256].

    ``bits`` has the bit of each cell, perhaps of further cells as well; by default cell i has bit i.
    """
    images = np.array(permutations, np.int64)
    cells = images.shape[1]
    places = np.arange(cells) if bits is None else np.array(bits, np.int64)
    image = ONE << places[images].astype(np.uint64)
    found = np.zeros((len(images), int(places[:cells].max(initial=0)) // 8 + 1, 256), np.uint64)
    values = np.arange(256)
    for cell, place in enumerate(places[:cells].tolist()):
        found[:, place // 8, values >> place % 8 & 1 == 1] |= image[:, cell, None]
    return found


def popcount(word: Any) -> Any:
    """Return the number of marks of a 64-bit mask."""
    return int(word).bit_count()


def lowest(word: Any) -> Any:
    """Return the lowest cell of a mask that is not empty."""
    number = int(word)
    return (number & -number).bit_length() - 1


@inner_kernel
def completing_cells(own: np.uint64, blank: np.uint64, lines: np.ndarray) -> np.uint64:
    """The cells of `blank` that complete a line of `own`, as a mask. `lines`: uint64[L]."""
    cells = ZERO
    for j in range(lines.shape[0]):
        missing = lines[j] & ~own
        if missing != ZERO and missing & (missing - ONE) == ZERO:
            cells |= missing & blank
    return cells


@inner_kernel
def has_line(own: np.uint64, lines: np.ndarray) -> bool:
    """Whether `own` contains one of `lines` (uint64[L])."""
    for j in range(lines.shape[0]):  # noqa: SIM110 - a plain loop compiles, any() does not
        if lines[j] & ~own == ZERO:
            return True
    return False
