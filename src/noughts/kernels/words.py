"""The two machine instructions the kernels of `solving` live on, and how those kernels are compiled.

Compiled, `popcount` and `lowest` are single instructions (through LLVM); uncompiled they are one line of Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core import config, types
from numba.extending import intrinsic

from noughts.kernels.compiling import stamped

__all__ = ["ONE", "ZERO", "helper", "kernel", "lowest", "popcount"]

_njit, _intrinsic = cast(Any, njit), cast(Any, intrinsic)
_IS_COMPILED = not cast(Any, config).DISABLE_JIT
_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """`function` compiled at its first call, kept on disk, without the interpreter lock."""
    return cast(_Function, stamped(_njit(**_OPTIONS)(function)))


def helper(function: _Function) -> _Function:
    """Like `kernel`, for what only kernels call: no wrapper for Python is compiled, which saves a tenth of a second."""
    if not _IS_COMPILED:
        return function
    return cast(_Function, stamped(_njit(no_cpython_wrapper=True, **_OPTIONS)(function)))


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


if not _IS_COMPILED:

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


ONE = np.uint64(1)
ZERO = np.uint64(0)
