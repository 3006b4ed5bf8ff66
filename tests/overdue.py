"""A test that does not end fails by its name, by pytest-timeout; here the run is kept from waiting for what it left.

What the test has started is killed at that moment, so that nothing waits for it, neither a `with` nor the end of the
run. Where Python cannot be interrupted (in compiled code, in a `with` that waits for a thread), the process shows where
every thread stands and ends a minute later; pytest-xdist then names the test and goes on in another process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import signal
import subprocess
from collections.abc import Generator
from glob import glob
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

__all__ = [
    "descendants",
    "pytest_configure",
    "pytest_enter_pdb",
    "pytest_runtest_logfinish",
    "pytest_timeout_set_timer",
    "pytest_unconfigure",
]

GRACE = float(os.environ.get("NOUGHTS_TEST_GRACE", "60"))
"""Seconds from the moment at which a test is to end, or the run, to that at which the process is ended."""
_SHARED = b"multiprocessing.resource_tracker"
"""In the command of a process that outlives tests and ends with this one."""
_ended: set[int] = set()
_screen = pytest.StashKey[int]()


def descendants(of: int) -> set[int]:
    """Return the processes that `of` has started, with those that they have: none where there is no /proc."""
    found: set[int] = set()
    waiting = [of]
    while waiting:
        for started in glob(f"/proc/{waiting.pop()}/task/*/children"):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                new = set(map(int, Path(started).read_text().split())) - found
                found |= new
                waiting += new
    return found


def _end(processes: set[int]) -> None:
    for each in processes:
        with contextlib.suppress(OSError):
            if _SHARED not in Path(f"/proc/{each}/cmdline").read_bytes():
                os.kill(each, signal.SIGKILL)
                _ended.add(each)


def _take_note() -> None:
    """Have whoever holds an ended process know it: a warning would fail another test."""
    for each in gc.get_objects():
        if issubclass(type(each), subprocess.Popen) and each.pid in _ended:
            each.wait(timeout=GRACE)
    _ended.clear()


def pytest_configure(config: pytest.Config) -> None:
    """Keep the standard error that the run was given: what is written to it during a test is kept for the report."""
    config.stash[_screen] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """See that the run ends, whatever threads are left."""
    faulthandler.dump_traceback_later(GRACE, exit=True, file=config.stash[_screen])


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Generator[None, Any, Any]:
    """Kill, when a test's time is up, what was started since it began; end the process later if that did not help."""
    result = yield
    before = descendants(os.getpid())
    fail = signal.getsignal(signal.SIGALRM)

    def late(number: int, frame: FrameType | None) -> None:
        _end(descendants(os.getpid()) - before)
        if callable(fail):
            fail(number, frame)

    if callable(fail):
        signal.signal(signal.SIGALRM, late)
        faulthandler.dump_traceback_later(settings.timeout + GRACE, exit=True, file=item.config.stash[_screen])
    return result


def pytest_runtest_logfinish() -> None:
    """Let the process live: the test has ended, with what it tears down."""
    faulthandler.cancel_dump_traceback_later()
    if _ended:
        _take_note()


def pytest_enter_pdb() -> None:
    """Let somebody look for as long as they like."""
    faulthandler.cancel_dump_traceback_later()
