"""Kernels as plain Python, whether or not they are compiled: with all that they call."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any

from noughts.kernels import jit


@cache
def plain(kernel: Any) -> Any:
    """Return a kernel or helper in Python, with all that it calls."""
    source = jit.plain(kernel)
    if hasattr(source, "__wrapped__"):  # noted by conftest.py, in the uncompiled run
        return source
    if not (isinstance(source, FunctionType) and source.__module__.startswith("noughts.kernels.")):
        return source
    called = {name: source.__globals__[name] for name in source.__code__.co_names if name in source.__globals__}
    names = {name: plain(each) for name, each in called.items() if callable(each)}
    return FunctionType(source.__code__, {**source.__globals__, **names}, source.__name__, source.__defaults__)
