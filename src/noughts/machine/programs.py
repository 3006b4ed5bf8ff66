"""Programs of other people, run with limits: noughts writes lines to them and reads lines from them.

A program cannot block its caller. Each answer has limits on its time and its length. Only the end of standard error is
kept, and pipes never block. No shell is involved. The program runs in its own session, so Ctrl-C reaches only the
caller. A keeper process (`noughts.machine.keeper`) kills the program and all that it started when the program is closed
or garbage-collected, or when the interpreter ends.

This is not a sandbox: the program may access all files and networks that the user may access.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import shlex
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from noughts.rules.errors import InputError, shown

LONGEST_LINE = 4096
"""The most bytes in a line."""
MOST_BYTES = 2**20
"""The most bytes that a program may write between a question and its answer."""
MOST_LINES = 10_000
"""The most lines that a program may write between a question and its answer."""
_CHUNK = 2**16
_LAST_WORDS = 200
"""The number of bytes kept from the end of standard error."""
_GRACE = 0.3
"""Seconds for a program to end by itself."""
_PARTING = 1.0
"""Seconds to wait for the end of a program that has closed its input, so that an error can name the cause."""
_REPORT = 0.2
"""Seconds to wait for the report how a program ended, after the end of its output."""
_LONGEST_WAIT = 3600.0
"""The longest single wait, in seconds; longer waits take several."""
_KEEPER = Path(__file__).with_name("keeper.py")
_PARTED = 5.0
"""Seconds for a keeper to end a program and all that it started; after this time the keeper is killed."""


class ProgramFailure(Exception):
    """A program did not answer. `kind` is late, held, ended or garbled; the text says what it did: `it ended ...`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class RunningProgram:
    """A running program. `close` ends it, and so does garbage collection. Raises InputError where it cannot start.

    `ask` sends text and sets the deadline for all lines that answer it; `line` returns the next line.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._program = _started(command)
        self._process, self.pid = self._program.keeper, self._program.pid
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
        self._waiting, self._read, self._errors = bytearray(), bytearray(), bytearray()
        """Bytes to be written, bytes that were read but not returned yet, and the end of standard error."""
        self._bytes = self._lines = 0
        self._deadline = self._seconds = 0.0
        self._over = self._deaf = False
        self._end = weakref.finalize(self, _end, self._program, self._selector)

    def ask(self, text: str, seconds: float) -> None:
        """Send text, as fast as the program reads it. All lines of the answer are due within `seconds`."""
        self._seconds, self._deadline = seconds, time.monotonic() + seconds
        self._bytes = self._lines = 0
        self._waiting += text.encode()
        self._write()

    def wait_longer(self, seconds: float) -> None:
        """Give the answer that is awaited more time, from now on."""
        self._seconds, self._deadline = self._seconds + seconds, time.monotonic() + seconds

    def end_input(self) -> None:
        """Close the standard input of the program, so that it may end and write what it has held back."""
        assert self._process.stdin is not None
        if self._in in self._selector.get_map():
            self._selector.unregister(self._in)
        with contextlib.suppress(OSError):
            self._process.stdin.close()

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
        """Return the complete lines that have arrived without a question; read at most what a pipe holds."""
        if not self._over:
            self._serve(0.0)
        whole = self._read.rfind(b"\n") + 1
        found = bytes(self._read[:whole])
        del self._read[:whole]
        return [line.decode("utf-8", "replace").strip() for line in found.split(b"\n")[:-1]]

    def close(self, farewell: str = "") -> None:
        """Send the farewell, give the program a moment to end, then kill it with all that it started."""
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
        """Wait at most `seconds` until a pipe is ready; read and write as much as possible."""
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
                self._errors = (self._errors + data)[-_LAST_WORDS:]

    def _write(self) -> None:
        assert self._process.stdin is not None
        try:
            while self._waiting and (written := self._process.stdin.write(self._waiting[:_CHUNK])):
                del self._waiting[:written]
        except OSError:
            self._waiting.clear()
            self._deaf = True
            # A program that ends closes its input a moment before its output: wait that moment to learn the cause.
            self._deadline = min(self._deadline, time.monotonic() + _PARTING)
        registered = self._in in self._selector.get_map()
        if self._waiting and not registered:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        elif registered and not self._waiting:
            self._selector.unregister(self._in)

    def _ending(self) -> str:
        """Return how the program ended, as far as it is known."""
        status = _ended(self._program.report)
        if self._err in self._selector.get_map():
            self._serve(0.05)
        if status is None:
            return f"it closed its standard output{self._last_words()}"
        return f"it {status}{self._last_words()}"

    def _last_words(self) -> str:
        words = self._errors.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1].strip()
        return f", after writing {shown(words, 80)} to standard error" if words else ""


class _Supervised(NamedTuple):
    """A program, its keeper, and the keeper's pipes."""

    keeper: subprocess.Popen[bytes]
    pid: int
    control: int
    report: int


def _started(command: Sequence[str]) -> _Supervised:
    if os.name != "posix":
        raise InputError("programs run only on Linux, macOS and other POSIX systems: write the bot in Python")
    if not command or not command[0]:
        raise InputError("the command of the program is empty: give one, as in python3 bot.py")
    (ends, control), (report, reports) = os.pipe(), os.pipe()
    try:
        keeper = subprocess.Popen(
            [sys.executable or "python3", "-I", "-S", str(_KEEPER), str(ends), str(reports), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            pass_fds=(ends, reports),
        )
    except (OSError, ValueError) as error:
        os.close(control)
        os.close(report)
        raise _refused(command, error.strerror if isinstance(error, OSError) else str(error)) from None
    finally:
        os.close(ends)
        os.close(reports)
    program = _Supervised(keeper, 0, control, report)
    try:
        what, _, number = _line(report).partition(" ")
        if what != "started":
            raise _refused(command, os.strerror(int(number)) if number else "its keeper did not start")
    except BaseException:
        _end(program)
        raise
    return program._replace(pid=int(number))


def _refused(command: Sequence[str], why: str | None) -> InputError:
    name, works = command[0], "give a program and its arguments, as in python3 bot.py"
    if os.path.isfile(name) and name.endswith(".py"):
        why, works = "it is a file for Python", f"write {shlex.join(('python3', name))}"
    elif os.path.isfile(name) and "/" not in name:
        why, works = "it is a file, not a command", f"write {shlex.join((f'./{name}',))}"
    elif " " in name and not os.path.exists(name):
        why, works = "it is several words", f"write {name} without quotes around it"
    return InputError(f"cannot start {shown(name)}: {why}; {works}")


def _line(report: int) -> str:
    """Return the next line from a keeper, empty where it has ended."""
    text = b""
    while not text.endswith(b"\n") and (sign := os.read(report, 1)):
        text += sign
    return text.decode().rstrip()


def _end(program: _Supervised, selector: selectors.BaseSelector | None = None) -> None:
    """Make the keeper end a program and all that it started."""
    if selector is not None:
        selector.close()
    with contextlib.suppress(OSError):
        os.write(program.control, b"end")
    for end in (program.control, program.report):
        os.close(end)
    try:
        program.keeper.wait(_PARTED)
    except subprocess.TimeoutExpired:
        program.keeper.kill()
        program.keeper.wait()
    for stream in (program.keeper.stdin, program.keeper.stdout, program.keeper.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _ended(report: int) -> str | None:
    """Return how a program ended; None where it still runs or the system does not report it."""
    if not select.select([report], [], [], _REPORT)[0]:
        return None
    what, _, number = _line(report).partition(" ")
    if what == "exited":
        return f"ended with the exit code {number}"
    return f"was ended by signal {number}" if what == "killed" else None
