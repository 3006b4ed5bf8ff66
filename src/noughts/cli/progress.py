"""Progress on standard error, when it is a terminal; nothing otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

__all__ = ["progress_line"]


def progress_line() -> Callable[[int, int, str], None] | None:
    """Return a function to call with work done, work in all and a word; None where standard error is no terminal.

    It redraws one line at most ten times a second, from half a second on, and wipes it when the work is done. Where the
    work in all is 0 nobody knows it, and the work done is shown.
    """
    if not sys.stderr.isatty():
        return None
    started = time.monotonic()
    last = [0.0]

    def show(done: int, whole: int, what: str) -> None:
        now = time.monotonic()
        if done >= whole > 0:
            if last[0]:
                print("\r\033[K", end="", file=sys.stderr, flush=True)
            return
        if now - started < 0.5 or now - last[0] < 0.1:
            return
        last[0] = now
        share = f"{100 * done // whole}%" if whole else f"{done:,}"
        print(f"\r\033[K{what}: {share} after {now - started:.0f} s", end="", file=sys.stderr, flush=True)

    return show
