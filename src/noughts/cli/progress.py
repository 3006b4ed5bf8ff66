"""The progress of long work on standard error: a redrawn line on a terminal, else one line."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from noughts.cli.process import HAS_THREADS
from noughts.machine.workers import Pace

QUIET = "NOUGHTS_QUIET"
"""The environment variable that turns the line of progress off."""

_PATIENCE = 2.0
"""Seconds before the first line."""
_AGAIN = 5.0
"""Seconds before the second line of a log; each further one comes after twice the time, 10 s, 20 s, and so on."""
_FIRST = 0.5
"""Seconds before work that reports progress is shown on a terminal."""
_BETWEEN = 0.1
"""Least seconds between two drawings of the line."""


class Attendant:
    """Shows what the work does and how long it takes: after two seconds, or sooner if it reports progress."""

    def __init__(self) -> None:
        self.on_terminal = sys.stderr.isatty()
        self._started = self._last_drawn = time.monotonic()
        self._drawn = False
        self.task = "working"
        self._state = ""
        self._pace = Pace()
        self._aside: Callable[[], str | None] = lambda: None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def show(self, done: int, whole: int, what: str) -> None:
        """Record the progress, and redraw the line on a terminal; a `whole` of 0 is not known.

        Finished work clears the line.
        """
        if done >= whole > 0:
            with self._lock:
                self._state, self._pace = "", Pace()
                if self._drawn:
                    self._wipe()
            return
        self._pace.hear(done, whole)
        part = "" if what == self.task else f"{what}: "
        self._state = f"{part}{100 * done // whole}%" if whole else f"{_amount(done)} {what}"
        now = time.monotonic()
        if self.on_terminal and now - self._started >= _FIRST and now - self._last_drawn >= _BETWEEN:
            self._redraw()

    def add(self, aside: Callable[[], str | None]) -> None:
        """Show the text of a function once, if the work takes more than two seconds."""
        self._aside = aside

    def note(self, line: str) -> None:
        """Print a line in the place of the progress, which continues after it."""
        with self._lock:
            if self._drawn:
                self._wipe()
            print(line, file=sys.stderr, flush=True)

    def rest(self) -> None:
        """Clear the line and stay silent: an answer or a question to the user follows."""
        self._over.set()
        with self._lock:
            if self._drawn:
                self._wipe()

    def _watch(self) -> None:
        if self._over.wait(_PATIENCE):
            return
        aside = self._aside()
        with self._lock:
            if self._over.is_set():
                return
            if not self.on_terminal:
                detail = f"; {aside}" if aside else ""
                print(f"noughts: {self._so_far()}{detail}", file=sys.stderr, flush=True)
            elif aside:
                if self._drawn:
                    self._wipe()
                print(f"noughts: {aside}", file=sys.stderr, flush=True)
        until = _AGAIN
        while not self.on_terminal:
            if self._over.wait(until - (time.monotonic() - self._started)):
                return
            until *= 2
            with self._lock:
                if not self._over.is_set():
                    print(f"noughts: {self._so_far()}", file=sys.stderr, flush=True)
        while not self._over.wait(_BETWEEN):
            if time.monotonic() - self._last_drawn > 4 * _BETWEEN:
                self._redraw()

    def _redraw(self) -> None:
        with self._lock:
            if not self._over.is_set():
                self._last_drawn, self._drawn = time.monotonic(), True
                print(f"\r\033[K{self._so_far()}", end="", file=sys.stderr, flush=True)

    def _so_far(self) -> str:
        state = f"{self._state}, " if self._state else ""
        left = f", {words}" if (words := self._pace.words) else ""
        return f"{self.task} ... {state}{time.monotonic() - self._started:.0f} s{left}"

    def _wipe(self) -> None:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._drawn = False


def _amount(number: int) -> str:
    """Return a number with at most six digits and a unit: `1.0 M`."""
    if number < 10**6:
        return f"{number:,}"
    return f"{number / 10**6:,.1f} M" if number < 10**9 else f"{number / 10**9:,.1f} bn"


PRESENT: ContextVar[Attendant | None] = ContextVar("attendant", default=None)
"""The attendant of the present work, None if progress is off."""


@contextmanager
def attended() -> Iterator[Attendant | None]:
    """Show the progress of the work inside, unless NOUGHTS_QUIET is set or threads are missing."""
    if os.environ.get(QUIET) or not HAS_THREADS:
        yield None
        return
    attendant = Attendant()
    token = PRESENT.set(attendant)
    try:
        yield attendant
    finally:
        attendant.rest()
        PRESENT.reset(token)


def at_rest() -> None:
    """End the line of progress: an answer or a question to the user follows."""
    if present := PRESENT.get():
        present.rest()
