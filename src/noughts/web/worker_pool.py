"""A worker process: reads what is asked from standard input, one thing after another, and writes replies and progress.

Messages are pickles of the server's own, each behind its length in four bytes. The process ends when its input does,
also in the middle of work: then the server is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from noughts.machine.files import take_pipes
from noughts.web.replies import Packed
from noughts.web.request import LARGE_REPLY, Ask

LENGTH = struct.Struct(">I")
_BETWEEN = 0.1
"""Seconds from one word on progress to the next, at least."""
_ROOM = 3 * 2**29
"""Bytes of memory beyond which the system gives no more, should the server not look in time."""

State = tuple[int, int, str]
"""The work done, the work in all, and what is being done."""
Message = tuple[str, object]
"""`progress` and a State, or `reply` and a Packed."""


def packed_message(message: object) -> bytes:
    """Return a message as it is sent."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def command() -> list[str]:
    """Return the command that starts a worker, which finds this package where this process has found it."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from noughts.web.worker_pool import main; main()"
    return [sys.executable, "-c", code]


def main() -> None:
    """Answer until the input ends."""
    sys.set_int_max_str_digits(0)  # counts of large boards have more digits than Python prints unasked
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, out = take_pipes()  # what anybody prints is no message
    with suppress(OSError):
        os.nice(5)
    _bound_memory()
    asks: SimpleQueue[Ask] = SimpleQueue()
    threading.Thread(target=_read, args=(source, asks), daemon=True).start()
    while True:
        _answer(asks.get(), out)


def _bound_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_ROOM, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _read(source: IO[bytes], asks: SimpleQueue[Ask]) -> None:
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        asks.put(pickle.loads(source.read(LENGTH.unpack(head)[0])))
    os._exit(0)


def _answer(ask: Ask, out: IO[bytes]) -> None:
    from noughts.rules.errors import BudgetError
    from noughts.web.replies import Packed, failure, safe_answer

    told = 0.0

    def tell(done: int, whole: int, what: str) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= _BETWEEN:
            told = now
            out.write(packed_message(("progress", (done, whole, what))))
            out.flush()

    reply = safe_answer(replace(ask, progress=tell))
    if len(reply.body) > LARGE_REPLY:
        sentence = f"the answer has {len(reply.body):,} bytes, and a page has at most {LARGE_REPLY:,}"
        reply = failure(BudgetError(sentence), ask)
    out.write(packed_message(("reply", Packed.of(reply, framed=ask.framed))))
    out.flush()


if __name__ == "__main__":
    main()


# The server's side of a worker process: started, asked, listened to, looked at, and ended.


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
