"""Do work in a fork of the process, which ends with it, within limits."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 20
"""Seconds on the clock for each second of processor time that is allowed, for a busy machine."""
MEMORY = 6 * 2**30

__all__ = ["in_a_fork"]


def in_a_fork(work: Callable[[], str], limit: float = 3600) -> tuple[int | None, str, float]:
    """Return 0 where work returns nothing, 1 for a text, 3 for a fault, None if it does not end; the text; seconds."""
    scratch = tempfile.mkdtemp()
    told = Path(scratch) / "told"
    child = os.fork()
    if child == 0:
        _in_the_child(work, limit, told)
    try:
        code, seconds = _waited(child, limit * PATIENCE)
        text = told.read_text(encoding="utf-8") if code in (0, 1) else ""
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return code, text, seconds


def _in_the_child(work: Callable[[], str], limit: float, told: Path) -> None:
    """Do the work, write what it returns, and end the process."""
    code = 3
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        tempfile.tempdir = os.environ["TMPDIR"] = str(told.parent)
        text = work()
        told.write_text(text, encoding="utf-8")
        code = int(bool(text))
    finally:
        os._exit(code)


def _waited(child: int, patience: float) -> tuple[int | None, float]:
    """Return the exit code of a process, None where it had to be ended, and the seconds of processor time it took."""
    end = time.monotonic() + patience
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if not done and time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            done, status, used = os.wait4(child, 0)
        if done:
            break
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it has left behind
    code = os.waitstatus_to_exitcode(status)
    return (code if code >= 0 else None), used.ru_utime + used.ru_stime
