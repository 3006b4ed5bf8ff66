"""Long work says so on standard error: on a terminal a line that is redrawn, elsewhere one line, once."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from noughts.cli.process import HAS_THREADS

QUIET = "NOUGHTS_QUIET"
"""The environment variable that keeps all this from standard error."""

_PATIENCE = 2.0
"""Seconds of silence."""
_FIRST = 0.5
"""Seconds before work that knows how far it is says so on a terminal."""
_BETWEEN = 0.1
"""Seconds from one redrawing to the next, at least."""


class Attendant:
    """Says how long some work has taken: after two seconds, or sooner where the work says how far it has come."""

    def __init__(self) -> None:
        self.on_terminal = sys.stderr.isatty()
        self._started = self._last_drawn = time.monotonic()
        self._drawn = False
        self._state = ""
        self._aside: Callable[[], str | None] = lambda: None
        self._live: Any = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def show(self, done: int, whole: int, what: str) -> None:
        """Take note of how far the work is: a whole of 0 is not known. On a terminal redraw the line, at most so often.

        The line is wiped when the work is done.
        """
        if done >= whole > 0:
            with self._lock:
                self._state = ""
                if self._drawn:
                    self._wipe()
            return
        self._state = f"{what}: {f'{100 * done // whole}%' if whole else f'{done:,}'}"
        now = time.monotonic()
        if self.on_terminal and now - self._started >= _FIRST and now - self._last_drawn >= _BETWEEN:
            self._redraw()

    def add(self, aside: Callable[[], str | None]) -> None:
        """Let what a function returns be said too, once, where the work takes more than two seconds."""
        self._aside = aside

    def rest(self) -> None:
        """Wipe the line and say nothing more: an answer follows, or a question to the user."""
        self._over.set()
        if self._live is not None:
            self._live.stop()
        with self._lock:
            if self._drawn:
                self._wipe()

    def show_lines(self, lines: Callable[[int], list[str]], log: str | None) -> None:
        """Show the lines for a terminal so wide, redrawn, or write the line for a log."""
        if not self.on_terminal:
            if log is not None:
                self.rest()
                print(log, file=sys.stderr, flush=True)
            return
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            self.rest()
            self._live = Live(console=Console(stderr=True), transient=True, refresh_per_second=8)
            self._live.start()
        self._live.update(Text("\n".join(lines(shutil.get_terminal_size((80, 24)).columns - 1))))

    def _watch(self) -> None:
        if self._over.wait(_PATIENCE):
            return
        aside = self._aside()
        with self._lock:
            if self._over.is_set():
                return
            if not self.on_terminal:
                detail = f"; {aside}" if aside else ""
                print(f"noughts: {self._so_far()}, and still at work{detail}", file=sys.stderr, flush=True)
                return
            if aside:
                if self._drawn:
                    self._wipe()
                print(f"noughts: {aside}", file=sys.stderr, flush=True)
        while not self._over.wait(_BETWEEN):
            if time.monotonic() - self._last_drawn > 4 * _BETWEEN:
                self._redraw()

    def _redraw(self) -> None:
        with self._lock:
            if not self._over.is_set():
                self._last_drawn, self._drawn = time.monotonic(), True
                print(f"\r\033[K{self._so_far()}", end="", file=sys.stderr, flush=True)

    def _so_far(self) -> str:
        return f"{self._state or 'working'} after {time.monotonic() - self._started:.0f} s"

    def _wipe(self) -> None:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._drawn = False


PRESENT: ContextVar[Attendant | None] = ContextVar("attendant", default=None)
"""Who attends to the present work: None where nothing is to be said."""


@contextmanager
def attended() -> Iterator[Attendant | None]:
    """Attend to the work done inside: what takes long says so, unless NOUGHTS_QUIET is set or there are no threads."""
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
    """Say nothing more about the work: an answer or a question to the user follows."""
    if present := PRESENT.get():
        present.rest()
