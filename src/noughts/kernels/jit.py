"""How kernels are compiled: serial, without the interpreter lock, kept on disk until a file of kernels changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from noughts.kernels.headroom import require_headroom

require_headroom()

import numba  # noqa: E402 - not before there is room for it
from numba.core.options import DefaultOptions  # noqa: E402

from noughts.kernels.keeping import KernelFiles  # noqa: E402

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])

_njit, _config = cast(Any, numba.njit), cast(Any, numba.config)

# Kernels make no arrays, so they need not count references to them: atomic operations, which took two thirds of the
# time on one thread and more on two. The option is Numba's own; without it all works, more slowly.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
if hasattr(DefaultOptions, "_nrt"):
    _OPTIONS["_nrt"] = False


def kernel(function: _Kernel) -> _Kernel:
    """`function` compiled when it is first called.

    With `NUMBA_DISABLE_JIT=1` it stays the Python function it is, and gives the same numbers.
    """
    return cast(_Kernel, _compiling(function))


def helper(function: _Kernel) -> _Kernel:
    """Like `kernel`, for what only kernels call: no wrapper for Python is compiled, which saves a tenth of a second."""
    return cast(_Kernel, _compiling(function, no_cpython_wrapper=True))


def inner_kernel(function: _Kernel) -> _Kernel:
    """`function` as a kernel that is always made part of those that call it.

    For the few lines of innermost loops, and for what is given so many arrays that to pass them takes time.
    """
    return cast(_Kernel, _compiling(function, forceinline=True))


def _compiling(function: Callable[..., Any], **more: bool) -> Any:
    """Return a function that is compiled when it is called; kept on disk where there is a place for that."""
    try:
        return _stamped(_njit(**_OPTIONS, **more)(function))
    except RuntimeError:  # "cannot cache function": no folder may be written to
        return _njit(**{**_OPTIONS, "cache": False}, **more)(function)


@cache
def _stamp() -> str:
    """Return a hash of every file of kernels, and of what else the compiled code depends on."""
    room = Path(__file__).parent
    found = sha256(f"{numba.__version__} {_config.BOUNDSCHECK}".encode())
    for path in sorted(room.rglob("*.py")):
        found.update(f"{path.relative_to(room)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def _stamped(dispatcher: Any) -> Any:
    """Seal what is kept on disk, and let it count as stale when any file of kernels changes, not only its own.

    Compiled code holds the code of what it calls, and Numba looks at one file only. The stamp stands with Numba's
    version, which is read first: what follows may name records that are no more, and fail to load. In a folder that
    `NUMBA_CACHE_DIR` names, each stamp has its own folder: all copies of the same sources share what is compiled.
    """
    kept: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(kept, "_version"):
        kept._version, kept._source_stamp = (kept._version, _stamp()), ""
        kept.__class__ = KernelFiles
        if _config.CACHE_DIR:
            folder = Path(_config.CACHE_DIR) / f"noughts-{_stamp()[:16]}" / dispatcher.py_func.__module__
            folder.mkdir(parents=True, exist_ok=True)
            kept._cache_path = str(folder)
            kept._index_path = str(folder / kept._index_name)
    return dispatcher
