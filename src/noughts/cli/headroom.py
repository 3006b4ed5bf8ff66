"""Where the address space of the process is limited (`ulimit -v`), what would end it is met before, by an exception.

Libraries in C end the whole process where they find no room: OpenBLAS while NumPy or SciPy is loaded, and the system's
C library when a thread ends and the library that unwinds it was not loaded yet.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec
from types import ModuleType

from noughts.kernels.headroom import require_headroom

__all__ = ["meet_limits"]

_NEEDS = {"numpy": ("NumPy", 130 * 10**6), "scipy.linalg": ("SciPy", 150 * 10**6)}
"""Bytes of address space that loading a module takes, measured with one thread, with a little to spare."""


class _Watch:
    """A finder of modules that finds none: it asks for room before a module is loaded that would end the process."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in _NEEDS:
            require_headroom(*_NEEDS[fullname])
        return None


def meet_limits() -> None:
    """Prepare for little address space where it is limited; elsewhere do nothing. Once a process."""
    try:
        import resource
    except ImportError:
        return
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        return
    if any(isinstance(finder, _Watch) for finder in sys.meta_path):
        return
    import ctypes

    with suppress(OSError):
        ctypes.CDLL("libgcc_s.so.1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.meta_path.insert(0, _Watch())
