"""The text of a certificate, from a file or from standard input: no longer than a certificate is."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from noughts.domain.errors import FileError, InputError

__all__ = ["LARGEST", "read_certificate"]

LARGEST = 64 * 2**20
"""Files over so many bytes are not read to their end."""
_STANDARD_INPUT = "-"


def read_certificate(path: str | Path) -> str:
    """Return the text in a file; `-` is standard input.

    Raises FileError for a file that cannot be read, and InputError for one that is too long, is a folder, or is no
    text.
    """
    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if str(path) == _STANDARD_INPUT else _bytes(path)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise FileError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > LARGEST:
        raise InputError(f"it has more than {LARGEST // 2**20} MB: no certificate is so long")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("it is no certificate: it holds bytes that are no text") from None


def _bytes(path: str | Path) -> bytes:
    """Return what a file holds, as far as it is read. A pipe that nobody writes to is empty."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise InputError("it is a folder: name a file, or judge a table with noughts verify DIRECTORY")
        os.set_blocking(handle, True)
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(LARGEST + 1)
    finally:
        os.close(handle)
