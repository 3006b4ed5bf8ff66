"""Names that files can have: the system takes neither a zero nor half a character in one."""

from __future__ import annotations

import json
import os
import select
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from noughts.rules.errors import InputError, shown


def require_name(path: Path, said: str | None = None) -> None:
    """Raise InputError where no file can have a name, whatever is there; it is called by its path unless it is `said`.

    What else may be wrong with a name, such as its length, the system says when it is used.
    """
    try:
        zero = b"\0" in os.fsencode(path)
    except UnicodeEncodeError:
        zero = True
    if zero:
        raise InputError(f"{said or shown(str(path), 200)} is no name that a file can have: name another")


# Files that people name, read with bounds: how large, how deep, how long without a word.
#
# A name may stand for anything: a device without end, a pipe that nobody writes to, nested brackets without end.

SIZE_LIMIT = 64 << 20
FILE_VERSION = 1
"""What policies, machines, cribs and folders of pages say of themselves under `version`."""
_SILENCE = 600.0
_NOBODY = 3.0
_DIGITS = 4300
_PIECE = 1 << 20

Pairs = Callable[[list[tuple[str, Any]]], Any]


def read_text(path: Path, limit: int = SIZE_LIMIT, *, nobody: float = _NOBODY, said: str | None = None) -> str:
    """Return the text of a file of up to `limit` bytes, in UTF-8; errors call it by its path unless it is `said`.

    Raises OSError where it cannot be opened, UnicodeDecodeError where it is no text, and InputError where it is too
    large or a pipe that nobody writes to, for so many seconds.
    """
    said = shown(str(path), 200) if said is None else said
    require_name(path, said)
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        state = os.fstat(handle)
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(21, "it is a folder", str(path))
        pieces: list[bytes] = []
        left = limit + 1 if state.st_size <= limit else 0
        while left and (piece := _next(handle, min(left, _PIECE), said, 0 if pieces else nobody)):
            pieces.append(piece)
            left -= len(piece)
    finally:
        os.close(handle)
    if not left:
        size = f"{limit // 2**20:,} MB"
        raise InputError(f"{said} has more than {size}: no file of this kind is so large")
    return b"".join(pieces).decode("utf-8")


def _next(handle: int, most: int, said: str, nobody: float) -> bytes:
    """Return the next bytes of a file, none at its end; of a pipe that has no writer yet wait so long for one."""
    try:
        if piece := os.read(handle, most):
            return piece
        if not nobody or not stat.S_ISFIFO(os.fstat(handle).st_mode):
            return b""
        patience = nobody
    except BlockingIOError:
        patience = _SILENCE
    if not select.select([handle], [], [], patience)[0]:
        raise InputError(f"{said} is a pipe, and nobody writes to it: name a file")
    return os.read(handle, most)


def nearest_folder(path: Path) -> Path:
    """Return a folder, or the next one above it that is there."""
    path = path.absolute()
    return next(each for each in (path, *path.parents) if each.is_dir())


def read_into(handle: int, offset: int, out: memoryview) -> bool:
    """Fill bytes from a place in an open file; several threads may. False where it ends before. Raises OSError."""
    done = 0
    while done < len(out):
        some = os.pread(handle, min(len(out) - done, _PIECE), offset + done)
        if not some:
            return False
        out[done : done + len(some)] = some
        done += len(some)
    return True


def parse_json(text: str, said: str, pairs: Pairs | None = None) -> Any:
    """Return what JSON holds; `pairs` makes its objects. Raises InputError, which calls the text `said`."""

    def integer(digits: str) -> int:
        if len(digits) > _DIGITS:
            raise InputError(f"{said} holds a number of {len(digits):,} digits: none there has so many")
        return int(digits)

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=integer)
    except InputError:
        raise
    except RecursionError:
        raise InputError(f"{said} is no JSON: it is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{said} is no JSON: {error}") from None


def require_version(said: str, data: object, known: int = FILE_VERSION) -> None:
    """Raise InputError where what a file holds says that it is of a later version, or of one that there is not.

    What says nothing is of the first.
    """
    given = data.get("version", known) if isinstance(data, Mapping) else known
    if type(given) is not int or given < 1:
        raise InputError(
            f"{said} gives {shown(given)} as its version, which is no whole number from 1: it is damaged, so write it "
            "anew"
        )
    if given != known:
        remedy = "install a newer noughts, or write the file anew" if given > known else "write the file anew"
        version = given if given < 10**6 else shown(given)
        raise InputError(f"{said} is of version {version}, and this noughts reads version {known}: {remedy}")
