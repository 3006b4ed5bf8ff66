"""A worker process, from both sides: the process, which answers one request after another, and the server's hold on it.

Workers fork from a nursery, a process that has loaded what they need: so they start at once and share its memory.
Where processes cannot fork, each worker loads for itself. Messages are pickles of the server's own, each behind its
length in four bytes. A process ends when its input does, also in the middle of work: then the server is gone.
"""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import re
import select
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
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
_ROOM = 320 * 2**20
"""Bytes of memory beyond which the system gives no more, should the server not look in time."""

_FAREWELL = 1.5
"""Seconds that a nursery has to end by itself."""
_FIRST = ("/3x3/count", "/3x3/positions")
"""Addresses whose answers load what most requests need."""
_THEN = ("/5x5", "/3x3/openings.svg")
"""Addresses whose answers load what others need, while no request waits for a worker."""

State = tuple[int, int, str]
"""The work done, the work in all, and what is being done."""


def _packed(message: object) -> bytes:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def main() -> None:
    """Answer until the input ends: the process of a worker that did not fork."""
    source, out = take_pipes()  # what other code prints is not a message
    _load()
    _work(source, out)


def nursery() -> None:
    """Fork a worker for each socket that the input brings, which is the worker's input and output."""
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what other code prints is not a message
    _load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets a worker that has ended
    rest = list(_THEN)
    while True:
        if rest and not select.select([control], [], [], 0)[0]:
            _load_for(rest.pop(0))
            continue
        gc.freeze()
        _, sockets, _, _ = socket.recv_fds(control, 1, 1)
        if not sockets:
            break
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            own = socket.socket(fileno=sockets[0])
            try:
                _work(own.makefile("rb"), own.makefile("wb"))
            except OSError:  # the server has gone
                os._exit(0)
            finally:
                os._exit(1)
        os.close(sockets[0])
    with suppress(ChildProcessError):
        os.wait()  # until the last worker is gone


def _load() -> None:
    """Load what most requests need, and let no signal of a terminal end this process."""
    sys.set_int_max_str_digits(0)  # counts of large boards have more digits than Python prints by default
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in _FIRST:
        _load_for(each)


def _load_for(place: str) -> None:
    """Load what an address needs."""
    from noughts.web.addresses import read_address
    from noughts.web.replies import safe_answer

    safe_answer(read_address(place))


def _work(source: IO[bytes], out: IO[bytes]) -> None:
    """Answer until the input ends."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_ROOM, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    asks: SimpleQueue[Ask] = SimpleQueue()
    threading.Thread(target=_read, args=(source, asks), daemon=True).start()
    out.write(_packed(("born", os.getpid())))
    out.flush()
    while True:
        _answer(asks.get(), out)


def _read(source: IO[bytes], asks: SimpleQueue[Ask]) -> None:
    with suppress(OSError):  # the server has gone
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


@dataclass
class _Process:
    """A worker process as the server holds it: its number, and the ways to it and from it."""

    pid: int
    out: asyncio.StreamReader
    into: asyncio.StreamWriter
    parent: asyncio.subprocess.Process | None = None

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended, as far as is known."""
        return not self.out.at_eof() if self.parent is None else self.parent.returncode is None

    async def end(self) -> None:
        """End the process at once and wait until it is gone."""
        if self.is_running:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self.into.close()
        with suppress(OSError):
            while await self.out.read(2**16):
                pass
        if self.parent is not None:
            await self.parent.wait()
            return
        with suppress(ProcessLookupError):  # its sockets close a moment before it is gone
            for _ in range(200):
                os.kill(self.pid, 0)
                await asyncio.sleep(0.005)


class Nursery:
    """The process from which workers fork; it starts with the first of them, and again if it has ended."""

    is_possible = hasattr(os, "fork") and hasattr(socket, "send_fds")
    """Whether processes can fork here."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._opening: asyncio.Task[None] | None = None
        self._start = asyncio.Lock()

    async def worker(self) -> _Process:
        """Return a new worker process. Raises OSError, IncompleteReadError."""
        ours, theirs = socket.socketpair()
        into: asyncio.StreamWriter | None = None
        try:
            async with self._start:
                try:
                    self._send(theirs)
                except OSError:
                    await self.end()
                    self._opening = asyncio.create_task(self._open())
                    await asyncio.shield(self._opening)  # else what is half started would be left
                    self._send(theirs)
            out, into = await asyncio.open_unix_connection(sock=ours)
            _, pid = await _message(out)
        except BaseException:
            (into or ours).close()  # so the process ends, if there is one
            raise
        finally:
            theirs.close()
        return _Process(pid, out, into)

    def _send(self, end: socket.socket) -> None:
        if self._control is None:
            raise OSError
        socket.send_fds(self._control, [b"w"], [end.fileno()])

    async def _open(self) -> None:
        self._control, theirs = socket.socketpair()
        try:
            self._process = await _started("nursery", stdin=theirs.fileno())
        finally:
            theirs.close()

    async def end(self) -> None:
        """End the process, which waits for its workers, and wait until it is gone."""
        if self._opening is not None:
            with suppress(OSError):
                await self._opening
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                await asyncio.wait_for(self._process.wait(), _FAREWELL)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()


class Worker:
    """A worker process as the server holds it. It is started by its first request, or before that."""

    def __init__(self, nursery: Nursery | None = None) -> None:
        self._nursery = nursery
        self._starting: asyncio.Task[_Process] | None = None

    def start(self) -> asyncio.Task[_Process]:
        """Start the process, unless it has been started."""
        self._starting = self._starting or asyncio.create_task(self._started())
        return self._starting

    async def _started(self) -> _Process:
        if self._nursery is not None:
            return await self._nursery.worker()
        process = await _started("main", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        return _Process(process.pid, process.stdout, process.stdin, process)

    async def answer(self, ask: Ask, heard: Callable[[State], None]) -> Any:
        """Return the reply, a Packed; progress is handed to `heard`. Raises Gone where the process ends."""
        try:
            process = await asyncio.shield(self.start())
            process.into.write(_packed(ask))
            await process.into.drain()
            while True:
                kind, content = await _message(process.out)
                if kind == "reply":
                    return content
                if kind == "progress":
                    heard(content)
        except (OSError, asyncio.IncompleteReadError):
            raise Gone from None

    @property
    def pid(self) -> int | None:
        """The number of the process, None where it is not running."""
        if self._starting is None or not self._starting.done() or self._starting.exception() is not None:
            return None
        process = self._starting.result()
        return process.pid if process.is_running else None

    @property
    def seconds(self) -> float:
        """The processor time that the process has used; where that is not known, the time of the clock."""
        with suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return time.monotonic()

    @property
    def memory(self) -> int:
        """The bytes of memory that only this process has, 0 where that is not known."""
        with suppress(OSError):
            rows = Path(f"/proc/{self.pid}/smaps_rollup").read_text(encoding="ascii")
            return sum(map(int, re.findall(r"^Private_(?:Clean|Dirty): +(\d+) kB$", rows, re.MULTILINE))) * 1024
        return 0

    def step_back(self) -> None:
        """Let the process give way to all others."""
        with suppress(OSError, AttributeError):
            if self.pid is not None:
                os.setpriority(os.PRIO_PROCESS, self.pid, _STEPPED_BACK)

    async def end(self) -> None:
        """End the process at once and wait until it is gone; one that is not there yet ends when it comes."""
        if self._starting is None:
            return
        if self._nursery is not None:
            self._starting.cancel()
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await (await self._starting).end()


async def _started(name: str, stdin: int, stdout: int | None = None) -> asyncio.subprocess.Process:
    """Start a process that calls a function of this module, which it finds where this process has found it."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from noughts.web.worker_pool import {name}; {name}()"
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=stdin, stdout=stdout, start_new_session=True
    )


async def _message(out: asyncio.StreamReader) -> tuple[str, Any]:
    head = await out.readexactly(_LENGTH.size)
    message: tuple[str, Any] = pickle.loads(await out.readexactly(_LENGTH.unpack(head)[0]))
    return message
