"""The last resort: an error that noughts did not raise on purpose, in one sentence with a way to report it."""

from __future__ import annotations

import errno
import os
import re
import traceback
from pathlib import Path

from noughts.domain.errors import shown

__all__ = ["FAULT", "fault", "is_lack_of_memory", "lack_of_memory", "one_line", "way_to"]

FAULT = 70
"""The exit code of a fault, as `sysexits.h` has it for internal errors of software."""
_LONGEST = 160
_MESSAGE = 580
"""Characters: with the name of the program before it, a line of under 600."""
_CHAIN = 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NO_ROOM = re.compile("failed to map segment|cannot allocate memory|can't start new thread", re.IGNORECASE)
"""What the loader of libraries, the system and Python say where there is no memory."""


def one_line(message: str) -> str:
    """Return a message on one line of bounded length: what is longer loses its middle, not its remedy.

    Control characters, which a terminal would obey, are escaped.
    """
    line = _CONTROL.sub(lambda found: ascii(found[0])[1:-1], " ".join(message.splitlines()))
    if len(line) <= _MESSAGE:
        return line
    cut = f" ... ({len(line):,} characters) ... "
    end = _MESSAGE // 3
    return line[: _MESSAGE - end - len(cut)] + cut + line[-end:]


def is_lack_of_memory(error: BaseException) -> bool:
    """Tell whether an error comes of memory that was refused, as when a library of the compiler finds no room."""
    told: BaseException | None = error
    for _ in range(_CHAIN):
        if told is None:
            return False
        if isinstance(told, MemoryError) or getattr(told, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(told, OSError | ImportError | RuntimeError) and _NO_ROOM.search(_what(told, _MESSAGE)):
            return True
        told = told.__cause__ or told.__context__
    return False


def lack_of_memory(error: Exception) -> str:
    """Return what is said of an error of that kind: with its own words where they say how much was wanted."""
    wanted = " ".join(str(error).split()) if isinstance(error, MemoryError) else ""
    told = f" ({shown(wanted, _LONGEST)})" if wanted else ""
    return f"there is not memory enough for this{told}: ask about a smaller board, or close other programs"


def way_to(error: Exception) -> str:
    """Return the traceback of an error where NOUGHTS_TRACEBACK asks for it, else nothing."""
    return "".join(traceback.format_exception(error)) if os.environ.get("NOUGHTS_TRACEBACK") else ""


def fault(error: Exception) -> str:
    """Return what is said of an error that should not have come here; a failing import is one of the installation."""
    if isinstance(error, ImportError):
        return f"a part of noughts cannot be loaded ({_what(error)}): install it again, with pip install noughts"
    return (
        f"this is a fault of noughts, not of what was asked, and no answer is given ({_what(error)}"
        f"{_where(error)}): please report the command and this line; NOUGHTS_TRACEBACK=1 before the command tells more"
    )


def _what(error: BaseException, longest: int = _LONGEST) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception:  # an error that cannot even be said
        text = ""
    name = type(error).__name__
    return f"{name}: {shown(text, longest)}" if text else name


def _where(error: Exception) -> str:
    """Return the last line of ours on the way to an error."""
    here = Path(__file__).parents[1]
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if here in Path(frame.filename).parents]
    return f", {Path(ours[-1].filename).relative_to(here).as_posix()} line {ours[-1].lineno}" if ours else ""
