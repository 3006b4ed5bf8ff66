"""The process: its standard streams, its memory limit, and signals that end it."""

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
    """Prepare the standard streams so that every write is complete or fails.

    A stream that was closed at the start (`<&-`, `>&-`) is empty for reading, and an answer written to it fails; a
    closed standard error discards messages. `whole` says that the process is ours. Then unbuffered and non-blocking
    streams, which may write only a part, become buffered and blocking.
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
    """Write a line to standard error, with bytes that are not text as `\\udcff`; discard it if that fails."""
    try:
        print(line.encode(errors="backslashreplace").decode(), file=sys.stderr, flush=True)
    except OSError:
        discard_rest(sys.stderr)


def discard_rest(stream: TextIO) -> None:
    """Discard the unwritten rest of a stream."""
    from noughts.machine.files import discard

    with suppress(OSError, ValueError):
        discard(stream.fileno())


# Characters that a terminal or a pipe cannot write are replaced by the nearest ASCII text.

_NAME = "noughts.nearest"
_NEAREST = {
    "×": "x", "✕": "x", "✖": "x", "·": ".", "•": "*", "…": "...", "→": "->", "←": "<-", "↑": "^", "↓": "v",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    "‘": "'", "’": "'", "“": '"', "”": '"', "÷": "/", "∞": "inf", "○": "O", "●": "O", "✓": "yes",
}  # fmt: skip
"""The replacement of a character; characters that Unicode composes of others are decomposed."""
_BOXES = ("─━═╌╍┄┅┈┉╴╶", "│┃║╎╏┆┇┊┋╵╷", "█▓▒░■▪▇▆▅▄▃▂▁")
"""Horizontal strokes, vertical strokes and filled blocks; other box characters are corners and crossings."""


def nearest(character: str) -> str:
    """Return the nearest ASCII text of a character, a question mark if it has none."""
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
    """Make standard output and error write every character, or its nearest ASCII text.

    Standard input is read in any encoding. An error handler from PYTHONIOENCODING stays.
    """
    codecs.register_error(_NAME, _replace)
    for stream, usual in ((sys.stdout, ("strict", "surrogateescape")), (sys.stderr, ("backslashreplace",))):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in usual:
            stream.reconfigure(errors=_NAME)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="surrogateescape")


# Under a limit on address space (`ulimit -v`) an exception replaces the end of the process.
#
# C libraries end the whole process if an allocation fails: OpenBLAS while NumPy is loaded, and the C library when a
# thread ends before the library that unwinds it is loaded.

_NUMPY = 130 * 10**6
"""Bytes of address space for loading NumPy with one thread, measured, with a margin."""


def meet_limits() -> bool:
    """Prepare for a limit on address space, once per process; return whether there is one."""
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
        sys.meta_path.insert(0, SimpleNamespace(find_spec=_ask_for_room))  # the only method that an importer needs
    return True


def _ask_for_room(fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
    """Raise MemoryError before NumPy is loaded into too little address space; never find a module."""
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
            f"NumPy needs about {_NUMPY // 10**6} MB of address space, "
            f"and the limit (ulimit -v) leaves {max(0, left) // 10**6} MB"
        )


# Signals that ask the process to end: each ends it in order, with a message.
#
# Python handles a signal only between two bytecodes, and a kernel can run for minutes inside one; at the end Python
# joins the threads of a pool. The system writes every signal to a pipe at once. A thread reads the pipe and ends a
# program that lingers. This is as safe as a kill: saved states are complete, and the next program that writes there
# removes temporary files.

ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGINT)
"""Signals that ask the program to end; SIGXCPU reports the limit on processor time (`ulimit -St`)."""

_UNHEARD = 5.0
"""Seconds to wait until Python handles a signal; after that the current work is abandoned."""
_TIDYING = 30.0
"""Seconds for an orderly end: to save a state and release workers."""
_JOINING = 5.0
"""Seconds for threads that still work when everything else has ended."""
_A_MOMENT = 0.05
_CALLED_BACK = ("llvmlite", "_raw_object_cache_")
"""Callbacks of the compiler into Python; an exception there only reaches standard error."""


_pipes: list[int] = []
"""Earlier wakeup descriptors of this process."""
if hasattr(os, "register_at_fork"):  # the pipe belongs to the parent
    os.register_at_fork(after_in_child=lambda: _pipes and signal.set_wakeup_fd(-1))


class Stopped(BaseException):
    """A signal asked the program to end; unfinished files are removed while it ends."""


@contextmanager
def signals_handled(message: Callable[[int], str] = str, *, whole: bool = False) -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGINT, and Stopped with the number at the first other signal of `ENDS`.

    Signals that are ignored or handled already stay so. A signal during a callback of the compiler is delayed. A
    program that lingers ends with the `message` for the number. `whole` says that the process ends after the block;
    then its end has a time limit too.
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
    is_main = threading.current_thread() is threading.main_thread()  # only the main thread receives signals
    usual = {each: before for each in ENDS if is_main and (before := signal.getsignal(each)) in ours}
    is_watched = HAS_THREADS and is_main and not meet_limits()  # a thread may need too much address space
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
    """End the process some time after a signal, unless its work ends first and the process continues."""
    if heard.wait(_UNHEARD) and over.wait(_TIDYING):
        if not whole:
            return
        time.sleep(_JOINING)
    else:
        if files := sys.modules.get("noughts.machine.files"):  # no imports while the program ends
            files.remove_present()
        with suppress(OSError):
            os.write(2, message(number).encode(errors="replace"))
    os._exit(128 + number)


@contextmanager
def ending_as_interrupted() -> Iterator[list[int]]:
    """Raise KeyboardInterrupt at signals that end a program; the yielded list then holds the number.

    This is for work with a partial answer. A second SIGINT raises it again, another signal does not.
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
    """Return whether a callback of the compiler runs, which does not pass on exceptions."""
    package, name = _CALLED_BACK
    while frame is not None:
        if frame.f_code.co_name.startswith(name) and package in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _again(number: int) -> None:
    """Send a signal to this process again after a moment."""
    timer = threading.Timer(_A_MOMENT, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()
