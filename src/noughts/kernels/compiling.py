"""When compiled code that is kept on disk is stale."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["stamped"]


@cache
def _stamp() -> tuple[tuple[str, int, int], ...]:
    """Return name, time and size of every file of kernels."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files)


def stamped(dispatcher: Any) -> Any:
    """Let what is kept on disk count as stale when any file of kernels changes, not only the function's own.

    Compiled code holds the code of what it calls, and Numba looks at one file only.
    """
    kept: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(kept, "_source_stamp"):
        kept._source_stamp = (kept._source_stamp, _stamp())
    return dispatcher
