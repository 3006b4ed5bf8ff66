"""Whether a process that may have so much address space and no more has room for the compiler.

LLVM ends the whole process where it finds none, so that it is asked before.
"""

from __future__ import annotations

_COMPILER = 550 * 10**6
"""Bytes of address space that loading Numba and LLVM and compiling takes, measured, with a little to spare."""


def require_headroom(what: str = "the compiler", needs: int = _COMPILER) -> None:
    """Raise MemoryError where the limit on the address space of this process (`ulimit -v`) leaves less than it needs.

    `needs` are bytes; `what` needs them.
    """
    left = _left()
    if left is not None and left < needs:
        raise MemoryError(
            f"{what} takes some {needs // 10**6} MB of address space, "
            f"and the limit of this process (ulimit -v) leaves {max(0, left) // 10**6} MB"
        )


def _left() -> int | None:
    """Return the bytes of address space that are left, None where nothing limits them."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return None
        with open("/proc/self/statm", encoding="ascii") as file:
            return limit - int(file.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError, AttributeError, ValueError, IndexError):
        return None
