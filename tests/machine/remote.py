"""Work items for workers in other processes, which import this module."""

from __future__ import annotations

import multiprocessing
import os
import time
from typing import Any

from numpy.typing import NDArray


def square(shared: tuple[int, float], item: int) -> int:
    number, seconds = shared
    time.sleep(seconds)
    return number + item * item


def spread(shared: int, item: int, part: NDArray[Any]) -> int:
    part[:] = shared + item
    return len(part)


def whoami(seconds: float, item: int) -> int:
    """Return the number of the process that did it."""
    time.sleep(seconds)
    return os.getpid()


def started_by(seconds: float, item: int) -> str:
    """Return how the process that did it was started, in the words of `multiprocessing`."""
    time.sleep(seconds)
    return type(multiprocessing.current_process()).__name__


def fail_at_five(shared: int, item: int) -> int:
    if item == 5:
        raise ValueError("five")
    return item
