"""Work in a process of its own, which can be ended at any moment: for what looks at no clock."""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

R = TypeVar("R")

_CHILD = "from noughts.machine.apart import _child; _child()"
_START = 20.0


class TooLate(Exception):
    """Work took longer than it was given, and was ended."""


def apart(seconds: float, work: Callable[..., R], *given: Any) -> R:
    """Return what a function of a module gives, called in another process, which is ended after so many seconds.

    What is given and returned is pickled. Raises TooLate, and what the function raises. Cost: a tenth of a second.
    """
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    answer = b""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    ) as child:
        assert child.stdout is not None
        try:
            if select.select([child.stdout], [], [], _START)[0] and child.stdout.read(1) == b".":
                answer = child.communicate(pickle.dumps((seconds, work, given)), timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            pass
        finally:
            child.kill()
    if not answer:
        raise TooLate
    raised, found = pickle.loads(answer)
    if raised:
        raise found
    result: R = found
    return result


def _child() -> None:
    """Say that the process is up, call what standard input names, and write what comes of it."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    out.write(b".")
    out.flush()
    seconds, work, given = pickle.load(sys.stdin.buffer)
    with suppress(ImportError, OSError, ValueError, OverflowError):  # should the one that waits for it be no more
        import resource

        most = int(seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    try:
        answer = pickle.dumps((False, work(*given)))
    except Exception as error:  # whatever it is, the process that asked raises it
        answer = pickle.dumps((True, error))
    out.write(answer)
    out.close()
