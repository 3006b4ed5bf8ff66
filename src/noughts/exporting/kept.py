"""The databases behind `noughts query`: built on first use, kept sealed, and built again on any doubt."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from noughts._version import __version__
from noughts.domain.board import Board
from noughts.exporting.database import write_database
from noughts.exporting.rows import Source, rows_of
from noughts.machine.files import make_folder, writing_file
from noughts.machine.seals import is_sealed, put_seal

__all__ = ["cache_folder", "database_for"]

_LAYOUT = 2
"""Raised when tables change within a version."""
_REMEDY = "make room there, or set NOUGHTS_CACHE to another folder"
_SEAL = 60
"""Where SQLite keeps the `user_version` of a database, four bytes that mean nothing to it."""


def cache_folder() -> Path:
    """Return where databases are kept: NOUGHTS_CACHE, else `noughts` in the cache folder of the user.

    That is XDG_CACHE_HOME where it is an absolute path, as its specification has it, else `.cache` at home.
    """
    given = os.environ.get("NOUGHTS_CACHE")
    if given:
        return Path(given)
    of_desktop = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (of_desktop if of_desktop.is_absolute() else Path.home() / ".cache") / "noughts"


def database_for(board: Board, source: Callable[[], Source], done: Callable[[int, int], None] | None = None) -> Path:
    """Return the path of the database of a board, built now unless this version has kept one that is whole.

    `source` is asked for rows only when it has to be built; `done` is told how many are written, and how many there
    are. Every byte of a kept one is read: half a second for a gigabyte. Raises FileError.
    """
    words = re.sub(r"[^0-9a-z]+", "-", board.spec.lower()).strip("-")[:40]
    given = f"{__version__} {_LAYOUT} {board} {board.given_lines} {board.given_symmetries} {board.misere}"
    mark = sha256(given.encode()).hexdigest()[:12]
    path = cache_folder() / f"{words}-{__version__}-{mark}.sqlite"
    make_folder(path.parent, _REMEDY)
    if not is_sealed(path, given, _SEAL):
        with writing_file(path, _REMEDY) as temporary:
            _write(source(), temporary, done)
            put_seal(temporary, given, _SEAL)
    return path


def _write(source: Source, path: Path, done: Callable[[int, int], None] | None) -> None:
    rows = rows_of(source)
    write_database(source, path, done and (lambda written: done(written, rows)))
