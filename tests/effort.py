"""Counted work: how many calls a piece of work makes, which no load of the machine changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["AT_ONCE", "Effort", "counted_calls"]

AT_ONCE = 400_000
"""Calls that what is refused at once comes nowhere near, with all that it imports; answers take millions."""


class Effort:
    """The calls of functions, of Python and of C, that were made; going on with a generator is one too."""

    calls = 0

    def _count(self, frame: FrameType, event: str, given: object) -> None:
        self.calls += event in ("call", "c_call")


@contextmanager
def counted_calls() -> Iterator[Effort]:
    """Give the effort of the block, which is known after it."""
    found, before = Effort(), sys.getprofile()
    sys.setprofile(found._count)
    try:
        yield found
    finally:
        sys.setprofile(before)
