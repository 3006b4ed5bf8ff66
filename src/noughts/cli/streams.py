"""Standard streams as they are found: closed from the start, unbuffered, not waiting, or failing."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

__all__ = ["discard_output", "meet_streams", "say"]


def meet_streams(*, whole: bool) -> None:
    """See to it that what is written to a standard stream is written whole, or fails.

    From one that was closed from the start (`<&-`, `>&-`) nothing is read, and an answer written to it fails; what is
    said on standard error goes nowhere then. Unbuffered Python writes once what a pipe or a disk may take in parts, and
    a pipe that does not wait takes what it has room for: in a process that is `whole` ours all of it is written.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open to the end
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    if not whole:
        return
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            os.set_blocking(stream.fileno(), True)
    sys.stdout = _buffered(sys.stdout)


def _buffered(stream: TextIO) -> TextIO:
    """Return a stream that writes all of what it is given; the stream itself unless it is unbuffered."""
    if not (isinstance(stream, io.TextIOWrapper) and isinstance(stream.buffer, io.RawIOBase)):
        return stream
    encoding, errors = stream.encoding, stream.errors
    raw = stream.detach()
    assert isinstance(raw, io.RawIOBase)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, line_buffering=True)


def say(line: str) -> None:
    """Write a line to standard error; where that fails there is nobody to tell."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def discard_output() -> None:
    """Let what is still to be written to standard output go nowhere."""
    _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    from noughts.machine.files import discard

    with suppress(OSError, ValueError):
        discard(stream.fileno())
