"""Files and folders that appear whole or not at all, and never over something that is there already."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from noughts.domain.errors import InputError

__all__ = ["require_free", "whole_file", "whole_folder"]


def require_free(path: Path, force: bool) -> None:
    """Raise InputError where a file cannot be written: it exists, it is a folder, or its folder does not exist."""
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder: give the name of a file in it")
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {str(path.parent)!r}: make it first, or choose another")
    if path.exists() and not force:
        raise InputError(f"{str(path)!r} exists already: choose another name, or add --force to replace it")


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Give the name of a temporary file beside `path` to write to; it takes the name `path` when all went well.

    Otherwise it is removed; a process that is killed leaves at most a hidden `.NAME.*.part`. Raises InputError where
    `path` exists and is not to be replaced, and where the disk is full or the folder cannot be written to.
    """
    require_free(path, force)
    with _said(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        os.close(handle)
    temporary = Path(name)
    try:
        with _said(path):
            yield temporary
            os.chmod(temporary, 0o666 & ~_umask())
            _sync(temporary)
            require_free(path, force)
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path, marker: str, *, force: bool = False) -> Iterator[Path]:
    """Give a temporary folder beside `path` to fill; it takes the name `path` when all went well.

    A folder that holds anything is replaced only with `force`, and only where the file `marker` shows that it was made
    in this way. Raises InputError otherwise, and where the disk is full.
    """
    path = path.absolute()
    _require_free_folder(path, marker, force)
    with _said(path):
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
    old = temporary.with_suffix(".old")
    try:
        with _said(path):
            yield temporary
            os.chmod(temporary, 0o777 & ~_umask())
            _require_free_folder(path, marker, force)
            if path.exists():
                os.replace(path, old)
            os.replace(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _require_free_folder(path: Path, marker: str, force: bool) -> None:
    if path.exists() and not path.is_dir():
        raise InputError(f"{str(path)!r} is a file: choose another folder")
    if not path.absolute().parent.is_dir():
        raise InputError(f"there is no folder {str(path.parent)!r}: make it first, or choose another")
    if not path.exists() or not any(path.iterdir()):
        return
    if not force:
        raise InputError(f"the folder {str(path)!r} is not empty: choose another, or add --force to replace it")
    if not (path / marker).is_file():
        raise InputError(f"the folder {str(path)!r} holds other files, so it is not replaced: choose another")


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Turn errors of the system into one sentence about the file that was asked for."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise InputError(f"cannot write {str(path)!r}: {error}; nothing was left there") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot write {str(path)!r}: {reason}; free some space or choose another place") from None


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
