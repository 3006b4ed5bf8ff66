"""A worker process, from both sides: the process, which answers one request after another, and the server's hold on it.

Messages are pickles of the server's own, each behind its length in four bytes. The process ends when its input does,
also in the middle of work: then the server is gone.
"""

from __future__ import annotations

import asyncio
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
from noughts.web.request import LARGE_REPLY, Ask, PageReply

_LENGTH = struct.Struct(">I")
_BETWEEN = 0.1
"""Seconds between two messages on progress, at least."""
_STEPPED_BACK = 15
"""The nice level of work that may be long."""
_ROOM = 3 * 2**29
"""Bytes of memory beyond which the system gives no more, should the server not look in time."""

State = tuple[int, int, str]
"""The work done, the work in all, and what is being done."""


def _packed(message: object) -> bytes:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def main() -> None:
    """Answer until the input ends."""
    sys.set_int_max_str_digits(0)  # counts of large boards have more digits than Python prints by default
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, out = take_pipes()  # what other code prints is not a message
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_ROOM, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    asks: SimpleQueue[Ask] = SimpleQueue()
    threading.Thread(target=_read, args=(source, asks), daemon=True).start()
    from noughts.web.addresses import read_address
    from noughts.web.replies import safe_answer

    if asks.empty():  # load what most requests need before the first of them comes
        safe_answer(read_address("/3x3/count"))
    while True:
        _answer(asks.get(), out)


def _read(source: IO[bytes], asks: SimpleQueue[Ask]) -> None:
    while len(head := source.read(_LENGTH.size)) == _LENGTH.size:
        asks.put(pickle.loads(source.read(_LENGTH.unpack(head)[0])))
    os._exit(0)


def _answer(ask: Ask, out: IO[bytes]) -> None:
    from noughts.rules.errors import BudgetError
    from noughts.web.replies import Packed, failure, safe_answer

    reported = 0.0

    def send(kind: str, content: object) -> None:
        out.write(_packed((kind, content)))
        out.flush()

    def tell(done: int, whole: int, what: str) -> None:
        nonlocal reported
        if time.monotonic() - reported >= _BETWEEN:
            reported = time.monotonic()
            send("progress", (done, whole, what))

    send("progress", (0, 0, ""))  # the work begins
    reply: PageReply = safe_answer(replace(ask, progress=tell))
    if len(reply.body) > LARGE_REPLY:
        sentence = f"the answer has {len(reply.body):,} bytes, and a page has at most {LARGE_REPLY:,}"
        reply = failure(BudgetError(sentence), ask)
    send("reply", Packed.of(reply, framed=ask.framed))


class Gone(Exception):
    """The worker process ended before it replied."""


class Worker:
    """A worker process as the server holds it. It is started by its first request, or before that."""

    def __init__(self) -> None:
        self._starting: asyncio.Task[asyncio.subprocess.Process] | None = None

    def start(self) -> asyncio.Task[asyncio.subprocess.Process]:
        """Start the process, unless it has been started."""
        self._starting = self._starting or asyncio.create_task(_started())
        return self._starting

    async def answer(self, ask: Ask, heard: Callable[[State], None]) -> Any:
        """Return the reply, a Packed; progress is handed to `heard`. Raises Gone where the process ends."""
        try:
            process = await asyncio.shield(self.start())
            assert process.stdin is not None
            process.stdin.write(_packed(ask))
            await process.stdin.drain()
            while True:
                kind, content = await _message(process)
                if kind == "reply":
                    return content
                heard(content)
        except (OSError, asyncio.IncompleteReadError):
            raise Gone from None

    @property
    def pid(self) -> int | None:
        """The number of the process, None where it is not running."""
        if self._starting is None or not self._starting.done() or self._starting.exception() is not None:
            return None
        process = self._starting.result()
        return process.pid if process.returncode is None else None

    @property
    def seconds(self) -> float:
        """The processor time that the process has used; where that is not known, the time of the clock."""
        with suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return time.monotonic()

    @property
    def memory(self) -> int:
        """The bytes of memory that the process has in use, 0 where that is not known."""
        with suppress(OSError):
            for row in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
                if row.startswith("VmRSS:"):
                    return int(row.split()[1]) * 1024
        return 0

    def step_back(self) -> None:
        """Let the process give way to all others."""
        with suppress(OSError, AttributeError):
            if self.pid is not None:
                os.setpriority(os.PRIO_PROCESS, self.pid, _STEPPED_BACK)

    async def end(self) -> None:
        """End the process at once and wait until it is gone."""
        if self._starting is None:
            return
        with suppress(OSError):
            process = await self._starting
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _started() -> asyncio.subprocess.Process:
    """Start a worker, which finds this package where this process has found it."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from noughts.web.worker_pool import main; main()"
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=pipe, stdout=pipe, start_new_session=True
    )


async def _message(process: asyncio.subprocess.Process) -> tuple[str, Any]:
    assert process.stdout is not None
    head = await process.stdout.readexactly(_LENGTH.size)
    message: tuple[str, Any] = pickle.loads(await process.stdout.readexactly(_LENGTH.unpack(head)[0]))
    return message
