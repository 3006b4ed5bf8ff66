"""The databases behind `noughts query`: built on first use, kept sealed, and built again on any doubt."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from noughts._version import __version__
from noughts.domain.board import Board
from noughts.exporting.database import write_database
from noughts.exporting.rows import Source
from noughts.machine.files import make_folder, writing_file

__all__ = ["cache_folder", "database_for"]

_LAYOUT = 2
"""Raised when tables change within a version."""
_REMEDY = "make room there, or set NOUGHTS_CACHE to another folder"
_SEAL = slice(60, 64)
"""Where SQLite keeps the `user_version` of a database, four bytes that mean nothing to it."""
_CHUNK = 1 << 20


def cache_folder() -> Path:
    """Return where databases are kept: NOUGHTS_CACHE, else `noughts` in the cache folder of the user."""
    given = os.environ.get("NOUGHTS_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "noughts"


def database_for(board: Board, source: Callable[[], Source], done: Callable[[int], None] | None = None) -> Path:
    """Return the path of the database of a board, built now unless this version has kept one that is whole.

    `source` is asked for rows only when it has to be built. Every byte of a kept one is read: half a second for a
    gigabyte. Raises FileError.
    """
    words = re.sub(r"[^0-9a-z]+", "-", board.spec.lower()).strip("-")[:40]
    given = f"{__version__} {_LAYOUT} {board} {board.given_lines} {board.given_symmetries}"
    mark = sha256(given.encode()).hexdigest()[:12]
    path = cache_folder() / f"{words}-{__version__}-{mark}.sqlite"
    make_folder(path.parent, _REMEDY)
    if not _is_whole(path, given):
        with writing_file(path, _REMEDY) as temporary:
            write_database(source(), temporary, done)
            _put_seal(temporary, given)
    return path


def _seal(path: Path, given: str) -> tuple[bytes, bytes]:
    """Return the seal that a file should have for what it was asked to hold, and the one that it has.

    A CRC-32 of all its other bytes, begun from one of what it holds: every error within 32 neighbouring bits is seen,
    any other but for one in four thousand million, and so is a file that holds another board.
    """
    with open(path, "rb") as file:
        head = bytearray(file.read(_CHUNK))
        found = bytes(head[_SEAL])
        head[_SEAL] = bytes(len(found))
        total = zlib.crc32(head, zlib.crc32(given.encode()))
        while chunk := file.read(_CHUNK):
            total = zlib.crc32(chunk, total)
    return total.to_bytes(4, "big"), found


def _put_seal(path: Path, given: str) -> None:
    seal, _ = _seal(path, given)
    with open(path, "r+b") as file:
        file.seek(_SEAL.start)
        file.write(seal)


def _is_whole(path: Path, given: str) -> bool:
    """Return whether a file is the database that was written for what is given, every byte as it was."""
    if not path.is_file():
        return False
    try:
        expected, found = _seal(path, given)
    except OSError:
        return False
    return expected == found
