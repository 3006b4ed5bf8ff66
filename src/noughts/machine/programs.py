"""A program that somebody else wrote, run at arm's length: lines go in and come out, and it can do no harm by either.

Whatever it does, the caller goes on: each answer has a time limit and limits on what may be written for it, standard
error is read and thrown away but for its end, and pipes never block. No shell is involved. It runs in a session of its
own, so that Ctrl-C is the caller's, and is killed with all that it started when it is closed, forgotten, the
interpreter ends or is killed: a keeper sees to that, a process between the two (`noughts.machine.keeper`).

It is no sandbox: what it does to files and to the network is what the user may do.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from noughts.rules.errors import InputError, shown

LONGEST_LINE = 4096
"""Bytes of a line, at most."""
MOST_BYTES = 2**20
"""Bytes that may be written between a question and its answer."""
MOST_LINES = 10_000
"""Lines that may be written between a question and its answer."""
_CHUNK = 2**16
_LAST_WORDS = 200
"""Bytes of standard error that are kept."""
_GRACE = 0.3
"""Seconds that a program has to end of itself."""
_PARTING = 1.0
"""Seconds in which a program that took no more input is seen to end, so that what ended it can be told."""
_TOLD = 0.2
"""Seconds until it is told how a program ended whose output has ended."""
_LONGEST_WAIT = 3600.0
"""Seconds: what is asked to wait longer looks again then."""
_KEEPER = Path(__file__).with_name("keeper.py")
_PARTED = 5.0
"""Seconds in which a keeper has ended a program and all that it started; then the keeper is killed."""


class ProgramFailure(Exception):
    """A program did not answer. `kind` is late, ended or garbled; the text says what it did, as `it ended ...`."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind = kind


class RunningProgram:
    """A program that runs. Raises InputError where it cannot be started; use `close`, or leave it to the collector.

    `ask` hands it text and sets the time by which all lines that follow have to be there; `line` gives the next.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._kept = _started(command)
        self._process, self.pid = self._kept.keeper, self._kept.pid
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._waiting, self._read, self._said = bytearray(), bytearray(), bytearray()
        """What is still to be written, what was read and not taken yet, and the end of standard error."""
        self._bytes = self._lines = 0
        self._deadline = self._seconds = 0.0
        self._over = self._deaf = False
        self._end = weakref.finalize(self, _end, self._kept, self._selector)

    def ask(self, text: str, seconds: float) -> None:
        """Hand over text, which is written as far as the program reads it. Lines are due within so many seconds."""
        self._seconds, self._deadline = seconds, time.monotonic() + seconds
        self._bytes = self._lines = 0
        self._waiting += text.encode()
        self._write()

    def line(self) -> str:
        """Return the next line, without its end. Raises ProgramFailure."""
        while True:
            cut = self._read.find(b"\n")
            if max(cut, len(self._read) * (cut < 0)) > LONGEST_LINE:
                raise ProgramFailure("garbled", f"it wrote a line of more than {LONGEST_LINE:,} bytes")
            if cut >= 0:
                self._lines += 1
                if self._lines > MOST_LINES:
                    raise ProgramFailure("garbled", f"it wrote more than {MOST_LINES:,} lines without an answer")
                found = bytes(self._read[:cut])
                del self._read[: cut + 1]
                return found.decode("utf-8", "replace").strip()
            if self._over:
                raise ProgramFailure("ended", self._ending())
            if self._deaf and time.monotonic() >= self._deadline:
                raise ProgramFailure("ended", "it closed its standard input")
            if self._bytes > MOST_BYTES:
                raise ProgramFailure("garbled", f"it wrote more than {MOST_BYTES:,} bytes without an answer")
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise ProgramFailure("late", f"it did not answer within {self._seconds:g} s{self._last_words()}")
            self._serve(min(left, _LONGEST_WAIT))

    def held(self) -> list[str]:
        """Return the whole lines that are there though nothing was asked since; no more is read than a pipe holds."""
        if not self._over:
            self._serve(0.0)
        whole = self._read.rfind(b"\n") + 1
        found = bytes(self._read[:whole])
        del self._read[:whole]
        return [line.decode("utf-8", "replace").strip() for line in found.split(b"\n")[:-1]]

    def close(self, farewell: str = "") -> None:
        """End the program: it has a moment to do so after the farewell, then it is killed with all that it started."""
        if not self._end.alive:
            return
        try:
            if farewell and not self._over:
                self.ask(farewell, _GRACE)
                with contextlib.suppress(ProgramFailure):
                    while True:
                        self.line()
        finally:
            self._end()

    def _serve(self, seconds: float) -> None:
        """Read and write what can be read and written, after waiting at most so long."""
        for key, _ in self._selector.select(seconds):
            if key.fd == self._in:
                self._write()
                continue
            try:
                data = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self._selector.unregister(key.fd)
                self._over = self._over or key.fd == self._out
            elif key.fd == self._out:
                self._bytes += len(data)
                self._read += data
            else:
                self._said = (self._said + data)[-_LAST_WORDS:]

    def _write(self) -> None:
        assert self._process.stdin is not None
        try:
            while self._waiting and (written := self._process.stdin.write(self._waiting[:_CHUNK])):
                del self._waiting[:written]
        except OSError:
            self._waiting.clear()
            self._deaf = True
            # A program that ends closes its input a moment before its output: what ended it is worth that moment.
            self._deadline = min(self._deadline, time.monotonic() + _PARTING)
        registered = self._in in self._selector.get_map()
        if self._waiting and not registered:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        elif registered and not self._waiting:
            self._selector.unregister(self._in)

    def _ending(self) -> str:
        """Return how the program ended, as far as it can be told."""
        status = _ended(self._kept.told)
        if self._err in self._selector.get_map():
            self._serve(0.05)
        if status is None:
            return f"it closed its standard output{self._last_words()}"
        return f"it {status}{self._last_words()}"

    def _last_words(self) -> str:
        words = self._said.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1].strip()
        return f", after writing {shown(words, 80)} to standard error" if words else ""


class _Minded(NamedTuple):
    """A program and its keeper, and the pipes to and from that."""

    keeper: subprocess.Popen[bytes]
    pid: int
    control: int
    told: int


def _started(command: Sequence[str]) -> _Minded:
    """Return the program, started. Raises InputError."""
    if os.name != "posix":
        raise InputError("programs are run on Linux, macOS and other POSIX systems only: write the bot in Python")
    if not command or not command[0]:
        raise InputError("there is no program to run: give a command, as in python3 bot.py")
    (ends, control), (told, tells) = os.pipe(), os.pipe()
    try:
        keeper = subprocess.Popen(
            [sys.executable or "python3", "-I", "-S", str(_KEEPER), str(ends), str(tells), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            pass_fds=(ends, tells),
        )
    except (OSError, ValueError) as error:
        os.close(control)
        os.close(told)
        raise _refused(command, error.strerror if isinstance(error, OSError) else str(error)) from None
    finally:
        os.close(ends)
        os.close(tells)
    kept = _Minded(keeper, 0, control, told)
    try:
        what, _, number = _line(told).partition(" ")
        if what != "started":
            raise _refused(command, os.strerror(int(number)) if number else "its keeper did not start")
    except BaseException:
        _end(kept)
        raise
    return kept._replace(pid=int(number))


def _refused(command: Sequence[str], why: str | None) -> InputError:
    return InputError(
        f"cannot start {shown(command[0])}: {why}; give a program and its arguments, as in python3 bot.py"
    )


def _line(told: int) -> str:
    """Return the next line from a keeper, which writes each at once; nothing where it has ended."""
    text = b""
    while not text.endswith(b"\n") and (sign := os.read(told, 1)):
        text += sign
    return text.decode().rstrip()


def _end(kept: _Minded, selector: selectors.BaseSelector | None = None) -> None:
    """Have a program ended, and all that it started."""
    if selector is not None:
        selector.close()
    with contextlib.suppress(OSError):
        os.write(kept.control, b"end")
    for end in (kept.control, kept.told):
        os.close(end)
    try:
        kept.keeper.wait(_PARTED)
    except subprocess.TimeoutExpired:
        kept.keeper.kill()
        kept.keeper.wait()
    for stream in (kept.keeper.stdin, kept.keeper.stdout, kept.keeper.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _ended(told: int) -> str | None:
    """Return how a program ended; None where it goes on or the system does not tell."""
    if not select.select([told], [], [], _TOLD)[0]:
        return None
    what, _, number = _line(told).partition(" ")
    if what == "exited":
        return f"ended with the exit code {number}"
    return f"was ended by signal {number}" if what == "killed" else None
