"""Signals that ask the program to end: each ends it in an orderly way, at a moment when that can be told."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from noughts.cli.lingering import bounded_end

__all__ = ["ENDS", "Stopped", "ending_as_interrupted", "signals_told"]

ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGINT)
"""Signals that ask the program to end; SIGXCPU says that the time a limit leaves it (`ulimit -St`) is used up."""

_A_MOMENT = 0.05
_CALLED_BACK = ("llvmlite", "_raw_object_cache_")
"""Where the compiler calls Python back: what is raised there goes nowhere but to standard error."""


class Stopped(BaseException):
    """A signal asked the program to end: what it was writing is taken away on the way out."""


@contextmanager
def signals_told(said: Callable[[int], str] = str, *, whole: bool = False) -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGINT, and Stopped, with the number, at the first other one of `ENDS`.

    Only where nobody ignores them or handles them already. While the compiler calls back a signal is put off. Where
    the program lingers all the same it ends with what is `said` of the number: see `lingering`. `whole` says that the
    process is to end after the block.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        if _is_called_back(frame):
            _again(number)
            return
        lingering.heard()
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        for each in usual:
            if each != signal.SIGINT:
                signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    main_thread = threading.current_thread() is threading.main_thread()
    ends = ENDS if main_thread else ()
    ours = (signal.SIG_DFL, signal.default_int_handler)
    usual = {number: before for number in ends if (before := signal.getsignal(number)) in ours}

    def is_meant(number: int) -> bool:
        return number in usual and signal.getsignal(number) is stop

    with bounded_end(is_meant, said, stays=whole) as lingering:
        for number in usual:
            signal.signal(number, stop)
        try:
            yield
        finally:
            for number, before in usual.items():
                signal.signal(number, before)


@contextmanager
def ending_as_interrupted() -> Iterator[list[int]]:
    """Let what ends a program raise KeyboardInterrupt, for work that gives what it has; the list has the number.

    A second SIGINT raises it again, another signal does not.
    """
    ended: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        if _is_called_back(frame):
            _again(number)
        elif number == signal.SIGINT or not ended:
            ended[:] = ended or [number]
            raise KeyboardInterrupt

    main_thread = threading.current_thread() is threading.main_thread()
    ends = ENDS if main_thread else ()
    usual = {number: before for number in ends if callable(before := signal.getsignal(number))}
    for number in usual:
        signal.signal(number, stop)
    try:
        yield ended
    finally:
        for number, before in usual.items():
            signal.signal(number, before)


def _is_called_back(frame: FrameType | None) -> bool:
    """Tell whether Python runs for the compiler, which does not hand on what is raised."""
    package, name = _CALLED_BACK
    while frame is not None:
        if frame.f_code.co_name.startswith(name) and package in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _again(number: int) -> None:
    """Send a signal to this process once more, in a moment."""
    timer = threading.Timer(_A_MOMENT, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()
