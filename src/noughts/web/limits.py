"""What a request may cost, and what the server keeps: every such figure of the explorer, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from noughts.machine.budget import Limits

__all__ = ["ADDRESS", "BODY", "DESK", "LARGE_REPLY", "LONG", "REQUEST", "RETRY", "SMALL_BOARD", "DeskRules"]

_MIB = 2**20

ADDRESS = 2048
"""Characters of an address."""
BODY = 16 * 1024
"""Bytes of a body, which nobody needs to send."""

REQUEST = Limits(256 * _MIB, 2.0)
"""What a request may take before it counts as long work."""
LONG = Limits(1024 * _MIB, 60.0)
"""What long work may take: pages hand this to the engines that refuse beforehand, and a worker that takes more ends."""

SMALL_BOARD = 9
"""Cells of a board whose plain pages need no worker process."""
LARGE_REPLY = 16 * _MIB
"""Bytes of a page or of data: what is larger is for the command line."""


RETRY = 5
"""Seconds after which it is worth asking again where all are busy."""


@dataclass(frozen=True)
class DeskRules:
    """How much is done at a time, how much waits, how long, and how much is kept."""

    workers: int = 2
    """Processes; all but one of them, if there are more, take the work of large boards."""
    queue: int = 8
    """Jobs that wait; a quarter of the places is for small boards only."""
    request: Limits = field(default=REQUEST)
    long: Limits = field(default=LONG)
    patience: float = 8.0
    """Seconds that work goes on after the page about its progress was last asked for."""
    refused: float = 60.0
    """Seconds that it is remembered that something takes too much."""
    idle: float = 60.0
    """Seconds that a worker process without work stays."""
    heavy: int = 128 * _MIB
    """Bytes of memory at which a worker process is replaced after its work."""
    cache: int = 48 * _MIB
    """Bytes of finished replies that are kept."""
    look: float = 0.2
    """Seconds between two looks at the workers' memory and time."""

    @property
    def large_workers(self) -> int:
        """How many processes may be at work for large boards."""
        return max(1, self.workers - 1)

    @property
    def large_queue(self) -> int:
        """How many places of the queue large boards may take."""
        return self.queue - self.queue // 4


DESK = DeskRules()
"""The rules of a server."""
