"""A bounded end: a program that was asked to end by a signal, and lingers, is ended.

Python hears of a signal between two of its own steps only, and a kernel may be one step for minutes; in the end the
threads of a pool are waited for. The system notes every signal at once, in a pipe that a thread reads. An end like this
is no worse than a kill: what is kept is whole, and temporary files are removed by who writes there next.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from noughts.machine.temporaries import remove_present

__all__ = ["Lingering", "bounded_end"]

_UNHEARD = 5.0
"""Seconds that a signal may wait until Python hears of it: work is in the middle of a step, which is given up."""
_TIDYING = 30.0
"""Seconds for what is then done in order: to keep a state, to let workers go."""
_JOINING = 5.0
"""Seconds for threads that are at work when all else is over."""

_pipe: int | None = None
"""Where the system notes signals now."""


class Lingering:
    """What a signal has set going: it is `heard` by Python, and then there is the end of the program.

    `is_meant` tells whether a signal ends the program, `said` what is then said on standard error.
    """

    def __init__(self, is_meant: Callable[[int], bool], said: Callable[[int], str]) -> None:
        self._is_meant, self._said = is_meant, said
        self._heard, self._over = threading.Event(), threading.Event()
        self._stays = False

    def heard(self) -> None:
        """Take note that Python has heard the signal, and does what is to be done at the end."""
        self._heard.set()

    def over(self, *, stays: bool) -> None:
        """Take note that all is done; with `stays` the process is to end, too, or else only this."""
        self._stays = stays and self._heard.is_set()
        self._over.set()

    def attend(self, pipe: int) -> None:
        """Read the numbers of signals until the pipe is closed."""
        with suppress(OSError), open(pipe, "rb", buffering=0) as numbers:
            while number := numbers.read(1):
                if self._is_meant(number[0]) or self._heard.is_set():
                    self._wait(number[0])
                    return

    def _wait(self, number: int) -> None:
        if self._heard.wait(_UNHEARD) and self._over.wait(_TIDYING):
            if not self._stays:
                return
            time.sleep(_JOINING)
        else:
            remove_present()
            with suppress(OSError):
                os.write(2, self._said(number).encode(errors="replace"))
        os._exit(128 + number)


@contextmanager
def bounded_end(is_meant: Callable[[int], bool], said: Callable[[int], str], *, stays: bool) -> Iterator[Lingering]:
    """Attend to signals while the block runs; with `stays` until the process ends, where one was heard.

    Only in the main thread, which alone hears signals, and where address space is not limited, of which a thread takes
    more than there may be.
    """
    found = Lingering(is_meant, said)
    if threading.current_thread() is not threading.main_thread() or _is_scarce():
        yield found
        return
    global _pipe
    before, (reads, writes) = _pipe, os.pipe()
    os.set_blocking(writes, False)
    threading.Thread(target=found.attend, args=(reads,), daemon=True).start()
    usual, _pipe = signal.set_wakeup_fd(writes, warn_on_full_buffer=False), writes
    try:
        yield found
    finally:
        found.over(stays=stays)
        signal.set_wakeup_fd(usual)
        _pipe = before
        os.close(writes)


def _is_scarce() -> bool:
    try:
        import resource
    except ImportError:
        return True
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _let_go() -> None:
    """Have a child that was forked note its signals elsewhere: the pipe is its parent's."""
    if _pipe is not None:
        signal.set_wakeup_fd(-1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
