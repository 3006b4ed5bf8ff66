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
from types import FrameType, ModuleType, SimpleNamespace
from typing import TextIO

HAS_THREADS = sys.platform != "emscripten"
"""Whether threads can be started: Python in a browser (Pyodide) has none."""


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
    if isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        buffer = io.BufferedWriter(sys.stdout.detach())
        sys.stdout = io.TextIOWrapper(buffer, encoding, errors, line_buffering=True)


def say(line: str) -> None:
    """Write a line to standard error; where that fails it goes nowhere."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        discard_rest(sys.stderr)


def discard_rest(stream: TextIO) -> None:
    """Let what is still to be written to a stream go nowhere."""
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

_NUMPY = 130 * 10**6
"""Bytes of address space that loading NumPy takes, measured with one thread, with a little to spare."""


def meet_limits() -> bool:
    """Prepare for little address space, once a process; return whether it is limited."""
    try:
        import resource
    except ImportError:
        return False
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        return False
    if not any(getattr(finder, "find_spec", None) is _ask_for_room for finder in sys.meta_path):
        import ctypes

        with suppress(OSError):
            ctypes.CDLL("libgcc_s.so.1")
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        sys.meta_path.insert(0, SimpleNamespace(find_spec=_ask_for_room))  # all that it needs
    return True


def _ask_for_room(fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
    """Find no module, but raise MemoryError before one is loaded that would end the process."""
    if fullname != "numpy":
        return
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            taken = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return
    left = resource.getrlimit(resource.RLIMIT_AS)[0] - taken
    if left < _NUMPY:
        raise MemoryError(
            f"NumPy takes some {_NUMPY // 10**6} MB of address space, "
            f"and the limit of this process (ulimit -v) leaves {max(0, left) // 10**6} MB"
        )


# Signals that ask the process to end: each ends it in an orderly way, at a moment when that can be told.
#
# Python receives a signal between two of its own steps only, and a kernel may be one step for minutes; in the end the
# threads of a pool are waited for. The system notes every signal at once, in a pipe that a thread reads: it ends a
# program that lingers. An end like this is no worse than a kill: what is kept is whole, and temporary files are removed
# by the next program that writes there.

ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGINT)
"""Signals that ask the program to end; SIGXCPU says that the time a limit leaves it (`ulimit -St`) is used up."""

_UNHEARD = 5.0
"""Seconds that a signal may wait until Python receives it: work is in the middle of a step, which is given up."""
_TIDYING = 30.0
"""Seconds for what is then done in order: to keep a state, to let workers go."""
_JOINING = 5.0
"""Seconds for threads that are at work when all else is over."""
_A_MOMENT = 0.05
_CALLED_BACK = ("llvmlite", "_raw_object_cache_")
"""Where the compiler calls Python back: what is raised there goes nowhere but to standard error."""


_pipes: list[int] = []
"""Where the system noted signals before the pipes of this process."""
if hasattr(os, "register_at_fork"):  # the pipe is the parent's
    os.register_at_fork(after_in_child=lambda: _pipes and signal.set_wakeup_fd(-1))


class Stopped(BaseException):
    """A signal asked the program to end: what it was writing is taken away on the way out."""


@contextmanager
def signals_handled(message: Callable[[int], str] = str, *, whole: bool = False) -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGINT, and Stopped, with the number, at the first other one of `ENDS`.

    Only where they are not ignored or handled already. While the compiler calls back a signal is put off. A program
    that lingers all the same ends with what is `said` of the number. `whole` says that the process is to end after the
    block: then it is waited for, too.
    """
    heard, over = threading.Event(), threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if _is_called_back(frame):
            _again(number)
            return
        heard.set()
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        for each in usual:
            if each != signal.SIGINT:
                signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    def attend(pipe: int) -> None:
        with suppress(OSError), open(pipe, "rb", buffering=0) as numbers:
            while number := numbers.read(1):
                if (number[0] in usual and signal.getsignal(number[0]) is stop) or heard.is_set():
                    _end_if_lingering(number[0], heard, over, message, whole=whole)
                    return

    ours = (signal.SIG_DFL, signal.default_int_handler)
    is_main = threading.current_thread() is threading.main_thread()  # which alone receives signals
    usual = {each: before for each in ENDS if is_main and (before := signal.getsignal(each)) in ours}
    is_watched = HAS_THREADS and is_main and not meet_limits()  # a thread takes more address space than there may be
    if is_watched:
        reads, writes = os.pipe()
        os.set_blocking(writes, False)
        threading.Thread(target=attend, args=(reads,), daemon=True).start()
        _pipes.append(signal.set_wakeup_fd(writes, warn_on_full_buffer=False))
    for number in usual:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, before in usual.items():
            signal.signal(number, before)
        over.set()
        if is_watched:
            signal.set_wakeup_fd(_pipes.pop())
            os.close(writes)


def _end_if_lingering(
    number: int, heard: threading.Event, over: threading.Event, message: Callable[[int], str], *, whole: bool
) -> None:
    """End the process some time after a signal, unless all that it has set going is over and the process goes on."""
    if heard.wait(_UNHEARD) and over.wait(_TIDYING):
        if not whole:
            return
        time.sleep(_JOINING)
    else:
        if files := sys.modules.get("noughts.machine.files"):  # nothing is imported while the program ends
            files.remove_present()
        with suppress(OSError):
            os.write(2, message(number).encode(errors="replace"))
    os._exit(128 + number)


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
