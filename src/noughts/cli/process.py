"""Standard streams as they are found: closed from the start, unbuffered, not waiting, or failing."""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import TextIO

from noughts.kernels.headroom import require_headroom
from noughts.machine.files import remove_present


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


# Characters that a terminal or a pipe cannot write: each is shown by what is nearest to it in ASCII.

_NAME = "noughts.nearest"
_NEAREST = {
    "×": "x", "✕": "x", "✖": "x", "·": ".", "•": "*", "…": "...", "→": "->", "←": "<-", "↑": "^", "↓": "v",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    "‘": "'", "’": "'", "“": '"', "”": '"', "÷": "/", "∞": "inf", "○": "O", "●": "O", "✓": "yes",
}  # fmt: skip
"""What stands for a character; those that Unicode composes of others are taken apart instead."""
_BOXES = ("─━═╌╍┄┅┈┉╴╶", "│┃║╎╏┆┇┊┋╵╷", "█▓▒░■▪▇▆▅▄▃▂▁")
"""Strokes across, strokes down, and filled places; every other character of a box is a corner or a crossing."""


def nearest(character: str) -> str:
    """Return what is nearest to a character in ASCII, a question mark where nothing is."""
    if character in _NEAREST:
        return _NEAREST[character]
    for strokes, plain in zip(_BOXES, "-|#", strict=True):
        if character in strokes:
            return plain
    if "\u2500" <= character <= "\u257f":
        return "+"
    apart = unicodedata.normalize("NFKD", character).replace("\u2044", "/")
    return "".join(part for part in apart if part.isascii()) or "?"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(nearest, error.object[error.start : error.end])), error.end


def write_everywhere() -> None:
    """Let standard output and standard error write every character in their encoding, or what is nearest to it.

    What standard input holds is read in any encoding. A way of replacing chosen by PYTHONIOENCODING is kept.
    """
    codecs.register_error(_NAME, _replace)
    for stream, usual in ((sys.stdout, ("strict", "surrogateescape")), (sys.stderr, ("backslashreplace",))):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in usual:
            stream.reconfigure(errors=_NAME)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="surrogateescape")


# Where the address space of the process is limited (`ulimit -v`), what would end it is met before, by an exception.
#
# Libraries in C end the whole process where they find no room: OpenBLAS while NumPy is loaded, and the
# system's C library when a thread ends and the library that unwinds it was not loaded yet.

_NEEDS = {"numpy": ("NumPy", 130 * 10**6)}
"""Bytes of address space that loading a module takes, measured with one thread, with a little to spare."""


class _Watch:
    """A finder of modules that finds none: it asks for room before a module is loaded that would end the process."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in _NEEDS:
            require_headroom(*_NEEDS[fullname])
        return None


def meet_limits() -> None:
    """Prepare for little address space where it is limited; elsewhere do nothing. Once a process."""
    try:
        import resource
    except ImportError:
        return
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        return
    if any(isinstance(finder, _Watch) for finder in sys.meta_path):
        return
    import ctypes

    with suppress(OSError):
        ctypes.CDLL("libgcc_s.so.1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.meta_path.insert(0, _Watch())


# A bounded end: a program that was asked to end by a signal, and lingers, is ended.
#
# Python hears of a signal between two of its own steps only, and a kernel may be one step for minutes; in the end the
# threads of a pool are waited for. The system notes every signal at once, in a pipe that a thread reads. An end like
# this is no worse than a kill: what is kept is whole, and temporary files are removed by who writes there next.

_UNHEARD = 5.0
"""Seconds that a signal may wait until Python hears of it: work is in the middle of a step, which is given up."""
_TIDYING = 30.0
"""Seconds for what is then done in order: to keep a state, to let workers go."""
_JOINING = 5.0
"""Seconds for threads that are at work when all else is over."""

_pipe: int | None = None
"""Where the system notes signals now."""


class Lingering:
    """What a signal has set going: it is `heard` by Python, and then there is the end of the program.

    `is_meant` tells whether a signal ends the program, `said` what is then said on standard error.
    """

    def __init__(self, is_meant: Callable[[int], bool], said: Callable[[int], str]) -> None:
        self._is_meant, self._said = is_meant, said
        self._heard, self._over = threading.Event(), threading.Event()
        self._stays = False

    def heard(self) -> None:
        """Take note that Python has heard the signal, and does what is to be done at the end."""
        self._heard.set()

    def over(self, *, stays: bool) -> None:
        """Take note that all is done; with `stays` the process is to end, too, or else only this."""
        self._stays = stays and self._heard.is_set()
        self._over.set()

    def attend(self, pipe: int) -> None:
        """Read the numbers of signals until the pipe is closed."""
        with suppress(OSError), open(pipe, "rb", buffering=0) as numbers:
            while number := numbers.read(1):
                if self._is_meant(number[0]) or self._heard.is_set():
                    self._wait(number[0])
                    return

    def _wait(self, number: int) -> None:
        if self._heard.wait(_UNHEARD) and self._over.wait(_TIDYING):
            if not self._stays:
                return
            time.sleep(_JOINING)
        else:
            remove_present()
            with suppress(OSError):
                os.write(2, self._said(number).encode(errors="replace"))
        os._exit(128 + number)


@contextmanager
def bounded_end(is_meant: Callable[[int], bool], said: Callable[[int], str], *, stays: bool) -> Iterator[Lingering]:
    """Attend to signals while the block runs; with `stays` until the process ends, where one was heard.

    Only in the main thread, which alone hears signals, and where address space is not limited, of which a thread takes
    more than there may be.
    """
    found = Lingering(is_meant, said)
    if threading.current_thread() is not threading.main_thread() or _is_scarce():
        yield found
        return
    global _pipe
    before, (reads, writes) = _pipe, os.pipe()
    os.set_blocking(writes, False)
    threading.Thread(target=found.attend, args=(reads,), daemon=True).start()
    usual, _pipe = signal.set_wakeup_fd(writes, warn_on_full_buffer=False), writes
    try:
        yield found
    finally:
        found.over(stays=stays)
        signal.set_wakeup_fd(usual)
        _pipe = before
        os.close(writes)


def _is_scarce() -> bool:
    try:
        import resource
    except ImportError:
        return True
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _let_go() -> None:
    """Have a child that was forked note its signals elsewhere: the pipe is its parent's."""
    if _pipe is not None:
        signal.set_wakeup_fd(-1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


# Signals that ask the program to end: each ends it in an orderly way, at a moment when that can be told.

ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGINT)
"""Signals that ask the program to end; SIGXCPU says that the time a limit leaves it (`ulimit -St`) is used up."""

_A_MOMENT = 0.05
_CALLED_BACK = ("llvmlite", "_raw_object_cache_")
"""Where the compiler calls Python back: what is raised there goes nowhere but to standard error."""


class Stopped(BaseException):
    """A signal asked the program to end: what it was writing is taken away on the way out."""


@contextmanager
def signals_told(said: Callable[[int], str] = str, *, whole: bool = False) -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGINT, and Stopped, with the number, at the first other one of `ENDS`.

    Only where nobody ignores them or handles them already. While the compiler calls back a signal is put off. Where
    the program lingers all the same it ends with what is `said` of the number: see `lingering`. `whole` says that the
    process is to end after the block.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        if _is_called_back(frame):
            _again(number)
            return
        lingering.heard()
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        for each in usual:
            if each != signal.SIGINT:
                signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    main_thread = threading.current_thread() is threading.main_thread()
    ends = ENDS if main_thread else ()
    ours = (signal.SIG_DFL, signal.default_int_handler)
    usual = {number: before for number in ends if (before := signal.getsignal(number)) in ours}

    def is_meant(number: int) -> bool:
        return number in usual and signal.getsignal(number) is stop

    with bounded_end(is_meant, said, stays=whole) as lingering:
        for number in usual:
            signal.signal(number, stop)
        try:
            yield
        finally:
            for number, before in usual.items():
                signal.signal(number, before)


@contextmanager
def ending_as_interrupted() -> Iterator[list[int]]:
    """Let what ends a program raise KeyboardInterrupt, for work that gives what it has; the list has the number.

    A second SIGINT raises it again, another signal does not.
    """
    ended: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        if _is_called_back(frame):
            _again(number)
        elif number == signal.SIGINT or not ended:
            ended[:] = ended or [number]
            raise KeyboardInterrupt

    main_thread = threading.current_thread() is threading.main_thread()
    ends = ENDS if main_thread else ()
    usual = {number: before for number in ends if callable(before := signal.getsignal(number))}
    for number in usual:
        signal.signal(number, stop)
    try:
        yield ended
    finally:
        for number, before in usual.items():
            signal.signal(number, before)


def _is_called_back(frame: FrameType | None) -> bool:
    """Tell whether Python runs for the compiler, which does not hand on what is raised."""
    package, name = _CALLED_BACK
    while frame is not None:
        if frame.f_code.co_name.startswith(name) and package in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _again(number: int) -> None:
    """Send a signal to this process once more, in a moment."""
    timer = threading.Timer(_A_MOMENT, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()
