"""A piece of work for a worker process: what is asked, since when, how far it is, and who waits for it."""

from __future__ import annotations

import asyncio
import time

from noughts.web.ask import Ask, PageReply
from noughts.web.limits import SMALL_BOARD
from noughts.web.packed import Packed
from noughts.web.worker import State

__all__ = ["Job"]


class Job:
    """Work under way. Made within a running event loop.

    `is_light` tells the lane: work of small boards is not to wait for that of large ones. `done` is the reply when it
    is there; `long` is done when the work has taken more memory than a request may. `verdict` is the reply where it
    is ended from outside.
    """

    def __init__(self, key: str, ask: Ask) -> None:
        loop = asyncio.get_running_loop()
        self.key = key
        self.ask = ask
        self.is_light = _is_light(ask)
        self.done: asyncio.Future[Packed] = loop.create_future()
        self.long: asyncio.Future[None] = loop.create_future()
        self.waiting = 0
        self.asked = 0.0
        self.state: State | None = None
        self.verdict: PageReply | None = None
        self._started: float | None = None

    def start(self) -> None:
        """Take note that the work begins."""
        self._started = time.monotonic()

    def hear(self, state: State) -> None:
        """Take note of how far the work is."""
        self.state = state

    @property
    def seconds(self) -> float:
        """How long the work has taken, 0 before it begins."""
        return 0.0 if self._started is None else time.monotonic() - self._started

    def is_left(self, now: float, patience: float) -> bool:
        """Tell whether nobody waits, and nobody has asked about the progress for so many seconds."""
        return not self.waiting and now - self.asked > patience


def _is_light(ask: Ask) -> bool:
    if ask.board is None:
        return not (ask.page == "whatis" and ask.given("board"))
    return ask.board.cells <= SMALL_BOARD
