"""How the server ends: whoever waits is told first, then connections close, and the log stays quiet about it."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import uvicorn

__all__ = ["EndingServer"]

_HARMLESS = ("socket.send() raised exception", "Unknown child process pid")
"""What asyncio says where a reader has left, and where a worker was ended and is gone already."""


class EndingServer(uvicorn.Server):
    """A server that calls `end` before it closes connections, and for which a terminal that goes is a reason, too."""

    def __init__(self, config: uvicorn.Config, end: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._end = end

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in order at SIGHUP as at SIGTERM, unless it is ignored, as under nohup."""
        hang_up = getattr(signal, "SIGHUP", None)
        logger = logging.getLogger("asyncio")
        logger.addFilter(_is_worth_saying)
        with super().capture_signals():
            before = signal.SIG_IGN if hang_up is None else signal.getsignal(hang_up)
            if hang_up is not None and before is not signal.SIG_IGN:
                signal.signal(hang_up, self.handle_exit)
            try:
                yield
            finally:
                if hang_up is not None and before is not signal.SIG_IGN:
                    signal.signal(hang_up, before)
                logger.removeFilter(_is_worth_saying)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all work, then all connections; readers that take nothing are not worth a line."""
        await self._end()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def _is_worth_saying(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_HARMLESS)
