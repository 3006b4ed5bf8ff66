"""Run a function in a separate process that can be ended at any moment: for code that checks no deadline."""

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
    """The work exceeded its time limit and was ended."""


def apart(seconds: float, work: Callable[..., R], *given: Any) -> R:
    """Return the result of a module's function, called in another process that is ended after `seconds`.

    Arguments and result are pickled. Raises TooLate, and what the function raises. Cost: a tenth of a second.
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
    """Report that the process is up, call the function that standard input names, and write its result."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    out.write(b".")
    out.flush()
    seconds, work, given = pickle.load(sys.stdin.buffer)
    with suppress(ImportError, OSError, ValueError, OverflowError):  # for the case that the parent process has died
        import resource

        most = int(seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    try:
        answer = pickle.dumps((False, work(*given)))
    except Exception as error:  # the parent process raises it
        answer = pickle.dumps((True, error))
    out.write(answer)
    out.close()
