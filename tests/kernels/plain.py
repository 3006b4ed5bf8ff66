"""Kernels as plain Python, whether or not they are compiled: what only kernels call has no other door for tests."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any


def plain(kernel: Any) -> Any:
    """Return a kernel in Python, with all that it calls; uncompiled it is the kernel itself."""
    return _in_python(kernel) if hasattr(kernel, "py_func") else kernel


@cache
def _in_python(kernel: Any) -> Any:
    source = kernel.py_func
    if source.__name__ in ("popcount", "lowest"):
        return _popcount if source.__name__ == "popcount" else _lowest
    called = {name: source.__globals__[name] for name in source.__code__.co_names if name in source.__globals__}
    names = {name: plain(each) for name, each in called.items()}
    return FunctionType(source.__code__, {**source.__globals__, **names}, source.__name__, source.__defaults__)


def _popcount(word: Any) -> int:
    return int(word).bit_count()


def _lowest(word: Any) -> int:
    return (int(word) & -int(word)).bit_length() - 1
