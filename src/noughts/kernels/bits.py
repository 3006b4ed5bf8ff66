"""Sets of cells as 64-bit masks: bit i is cell i.

Every literal that meets a mask is wrapped (`ONE`, not `1`): compiled, `uint64 | int64` is `int64`, and the top bit
would turn negative. Sums never wrap around either, so that the uncompiled run raises no overflow warning.

Compiled, `popcount` and `lowest` are single instructions (through LLVM); uncompiled they are one line of Python.
"""

from typing import Any, cast

import numpy as np
from numba import njit
from numba.core import config, types
from numba.extending import intrinsic

from noughts.kernels.jit import inner_kernel

Int = int | np.int64 | np.uint64
"""A whole number, as kernels pass it on: an index or a count, not a set."""

ZERO = np.uint64(0)
ONE = np.uint64(1)
EIGHT = np.uint64(8)
BYTE = np.uint64(255)

_njit, _intrinsic = cast(Any, njit), cast(Any, intrinsic)


@_intrinsic
def _ctpop(typing_context: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(word), emit


@_intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(word), emit


if cast(Any, config).DISABLE_JIT:

    def popcount(word: Any) -> Any:
        """Return the number of marks of a 64-bit mask."""
        return int(word).bit_count()

    def lowest(word: Any) -> Any:
        """Return the lowest cell of a mask that is not empty."""
        number = int(word)
        return (number & -number).bit_length() - 1

else:

    @_njit(nogil=True)
    def popcount(word: Any) -> Any:
        """Return the number of marks of a 64-bit mask."""
        return _ctpop(word)

    @_njit(nogil=True)
    def lowest(word: Any) -> Any:
        """Return the lowest cell of a mask that is not empty."""
        return _cttz(word)


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
