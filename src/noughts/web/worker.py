"""A worker process: reads what is asked from standard input, one thing after another, and writes replies and progress.

Messages are pickles of the server's own, each behind its length in four bytes. The process ends when its input does,
also in the middle of work: then the server is gone.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from queue import SimpleQueue
from typing import IO

from noughts.machine.pipes import take_pipes
from noughts.web.ask import Ask
from noughts.web.limits import LARGE_REPLY

__all__ = ["LENGTH", "Message", "State", "command", "main", "packed_message"]

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
    code = f"import sys; sys.path[:] = {sys.path!r}; from noughts.web.worker import main; main()"
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
    from noughts.domain.errors import BudgetError
    from noughts.web.answering import failure, safe_answer
    from noughts.web.packed import Packed

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
