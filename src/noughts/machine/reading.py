"""Reading files that the user names: valid names, bounds on size and waiting, JSON, versions."""

from __future__ import annotations

import json
import os
import select
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from noughts.rules.errors import InputError, shown


def require_name(path: Path, label: str | None = None) -> None:
    """Raise InputError for a path with a zero byte or half a character; `label` names it in the error.

    The system reports other faults, such as a name that is too long, when the path is used.
    """
    try:
        zero = b"\0" in os.fsencode(path)
    except UnicodeEncodeError:
        zero = True
    if zero:
        raise InputError(f"{label or shown(str(path), 200)} is not a valid file name: name another")


# Files that the user names are read with bounds on size, nesting and waiting: a path may lead to an endless device, or
# to a pipe without a writer.

SIZE_LIMIT = 64 << 20
FILE_VERSION = 1
"""The `version` in files of policies, machines and cribs, and in folders of pages."""
_SILENCE = 600.0
_NO_WRITER = 3.0
_DIGITS = 4300
_PIECE = 1 << 20

Pairs = Callable[[list[tuple[str, Any]]], Any]


def read_text(path: Path, limit: int = SIZE_LIMIT, *, patience: float = _NO_WRITER, label: str | None = None) -> str:
    """Return the text of a file in UTF-8 of up to `limit` bytes; `label` names it in errors, by default its path.

    Raises OSError where it cannot be opened and UnicodeDecodeError where it is not text. Raises InputError where it is
    too large, or a pipe that has no writer for `patience` seconds.
    """
    label = shown(str(path), 200) if label is None else label
    require_name(path, label)
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        state = os.fstat(handle)
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(21, "it is a folder", str(path))
        pieces: list[bytes] = []
        left = limit + 1 if state.st_size <= limit else 0
        while left and (piece := _next(handle, min(left, _PIECE), label, 0 if pieces else patience)):
            pieces.append(piece)
            left -= len(piece)
    finally:
        os.close(handle)
    if not left:
        size = f"{limit // 2**20:,} MB"
        raise InputError(f"{label} has more than {size}: files of this kind are smaller")
    return b"".join(pieces).decode("utf-8")


def _next(handle: int, most: int, label: str, patience: float) -> bytes:
    """Return the next bytes of a file, empty at its end; wait at most `patience` seconds for a pipe's first writer."""
    try:
        if piece := os.read(handle, most):
            return piece
        if not patience or not stat.S_ISFIFO(os.fstat(handle).st_mode):
            return b""
    except BlockingIOError:
        patience = _SILENCE
    if not select.select([handle], [], [], patience)[0]:
        raise InputError(f"{label} is a pipe, and no program writes to it: name a file")
    return os.read(handle, most)


def nearest_folder(path: Path) -> Path:
    """Return a folder, or its nearest parent that exists."""
    path = path.absolute()
    return next(each for each in (path, *path.parents) if each.is_dir())


def read_into(handle: int, offset: int, out: memoryview) -> bool:
    """Fill `out` with bytes of an open file from `offset`; thread-safe. False if the file is too short.

    Raises OSError.
    """
    done = 0
    while done < len(out):
        some = os.pread(handle, min(len(out) - done, _PIECE), offset + done)
        if not some:
            return False
        out[done : done + len(some)] = some
        done += len(some)
    return True


def parse_json(text: str, label: str, pairs: Pairs | None = None) -> Any:
    """Return the value of a JSON text; `pairs` builds its objects. Raises InputError, with `label` for the text."""

    def integer(digits: str) -> int:
        if len(digits) > _DIGITS:
            raise InputError(f"{label} holds a number of {len(digits):,} digits: no number there needs so many")
        return int(digits)

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=integer)
    except InputError:
        raise
    except RecursionError:
        raise InputError(f"{label} is not valid JSON: it is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{label} is not valid JSON: {error}") from None


def require_version(label: str, data: object, known: int = FILE_VERSION) -> None:
    """Raise InputError unless the `version` in a file's data is `known`; a missing version counts as `known`.

    `label` names the file in errors.
    """
    given = data.get("version", known) if isinstance(data, Mapping) else known
    if type(given) is not int or given < 1:
        raise InputError(
            f"{label} is damaged: its version {shown(given)} is not a whole number from 1; write the file again"
        )
    if given != known:
        remedy = "install a newer noughts, or write the file again" if given > known else "write the file again"
        version = given if given < 10**6 else shown(given)
        raise InputError(f"{label} has version {version}, but this noughts reads version {known}: {remedy}")
