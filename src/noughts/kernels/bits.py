"""Sets of cells as 64-bit masks: bit i is cell i.

Every literal that meets a mask is wrapped (`ONE`, not `1`): compiled, `uint64 | int64` is `int64`, and the top bit
would turn negative. Sums never wrap around either, so that the uncompiled run raises no overflow warning.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core.options import DefaultOptions

from noughts.kernels.compiling import stamped

__all__ = ["BYTE", "EIGHT", "ONE", "ZERO", "Int", "completing_cells", "has_line", "inner_kernel", "kernel"]

Int = int | np.int64 | np.uint64
"""A whole number, as kernels pass it on: an index or a count, not a set."""

ZERO = np.uint64(0)
ONE = np.uint64(1)
EIGHT = np.uint64(8)
BYTE = np.uint64(255)

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


# Kernels make no arrays, so they need not count references to them: atomic operations, which took two thirds of the
# time on one thread and more on two. The option is Numba's own; without it all works, more slowly.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
if hasattr(DefaultOptions, "_nrt"):
    _OPTIONS["_nrt"] = False


def kernel(function: _Kernel) -> _Kernel:
    """`function` compiled when it is first called: serial, without the interpreter lock, kept on disk.

    With `NUMBA_DISABLE_JIT=1` it stays the Python function it is, and gives the same numbers.
    """
    return cast(_Kernel, stamped(njit(**_OPTIONS)(function)))


def inner_kernel(function: _Kernel) -> _Kernel:
    """`function` as a kernel that is always made part of those that call it.

    For the few lines of innermost loops, and for what is given so many arrays that to pass them takes time.
    """
    return cast(_Kernel, stamped(njit(forceinline=True, **_OPTIONS)(function)))


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
