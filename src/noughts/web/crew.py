"""The server's side of a worker process: started, asked, listened to, looked at, and ended."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noughts.web.ask import Ask
from noughts.web.packed import Packed
from noughts.web.worker import LENGTH, State, command, packed_message

__all__ = ["Gone", "Worker"]


class Gone(Exception):
    """The worker process ended before it replied."""


class Worker:
    """A worker process. It is started when it is first asked."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def answer(self, ask: Ask, heard: Callable[[State], None]) -> Packed:
        """Return the reply; progress is handed to `heard`. Raises Gone where the process ends."""
        try:
            if self._process is None:
                self._process = await asyncio.create_subprocess_exec(
                    *command(),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    start_new_session=True,
                )
            assert self._process.stdin is not None
            self._process.stdin.write(packed_message(ask))
            await self._process.stdin.drain()
            while True:
                kind, content = await self._message()
                if kind == "reply":
                    assert isinstance(content, Packed)
                    return content
                heard(content)
        except (OSError, asyncio.IncompleteReadError):
            raise Gone from None

    async def _message(self) -> tuple[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        head = await self._process.stdout.readexactly(LENGTH.size)
        message: tuple[str, Any] = pickle.loads(await self._process.stdout.readexactly(LENGTH.unpack(head)[0]))
        return message

    @property
    def pid(self) -> int | None:
        """The number of the process, None where it is not running."""
        return None if self._process is None or self._process.returncode is not None else self._process.pid

    @property
    def memory(self) -> int:
        """The bytes of memory that the process has in use, 0 where it cannot be told."""
        return 0 if self.pid is None else _resident(self.pid)

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        """End the process and wait until it is gone."""
        self.kill()
        if self._process is not None:
            await self._process.wait()


def _resident(pid: int) -> int:
    try:
        for row in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if row.startswith("VmRSS:"):
                return int(row.split()[1]) * 1024
    except OSError:
        return 0
    return 0
