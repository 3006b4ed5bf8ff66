"""Names for what is being written, which no other run takes and of which nothing is left, and words for what fails.

A temporary file or folder is named `.NAME.RANDOM.noughts-part` and locked as long as its process lives. A process that
is killed lets go of the lock: the next one that writes into the same folder removes what it left.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from noughts.domain.errors import FileError
from noughts.machine.names import require_name
from noughts.machine.reading import nearest_folder

__all__ = [
    "failures_told",
    "lock",
    "nameless_file",
    "remove_leftovers",
    "remove_present",
    "temporary_folder",
    "temporary_name",
]

_present: set[Path] = set()
"""What has a temporary name now."""

_LEFTOVER = re.compile(r"\..*\.[0-9a-f]{16}\.noughts-part", re.DOTALL)
_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free some space, or name a place on another disk"),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "name a place where you may write"),
    errno.ENAMETOOLONG: "give it a shorter name",
}


@contextmanager
def failures_told(path: Path, remedy: str | None = None) -> Iterator[None]:
    """Turn errors of the system into one sentence about the path that was asked for.

    Raises InputError at the beginning where no file can have such a name.
    """
    require_name(path)
    try:
        yield
    except (FileError, BrokenPipeError):
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        remedy = remedy or _REMEDIES.get(error.errno or 0, "name another place")
        raise FileError(f"cannot write {str(path)!r}: {reason}; {remedy}") from None


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give an empty folder among the system's temporary files, which is removed at the end. Raises FileError."""
    from tempfile import gettempdir

    place = Path(gettempdir())
    with failures_told(place):
        folder, handle = _made(place, "noughts", folder=True)
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(handle)


def nameless_file(folder: Path) -> FileIO:
    """Return a new file that nobody sees and nothing is left of, in a folder or in the next one above it that is there.

    Raises FileError.
    """
    from tempfile import TemporaryFile

    with failures_told(folder):
        return TemporaryFile(dir=nearest_folder(folder), buffering=0)


def remove_present() -> None:
    """Remove all that is being written: for a process that ends at once."""
    for path in list(_present):
        with suppress(OSError):
            _remove(path)


def remove_leftovers(folder: Path) -> None:
    """Remove from a folder what killed runs of the same user left there; what is still being written stays."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if _LEFTOVER.fullmatch(entry.name) and entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                _remove_unless_locked(Path(entry.path))


def _remove_unless_locked(path: Path) -> None:
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if lock(handle):
                _remove(path)
        finally:
            os.close(handle)


@contextmanager
def temporary_name(place: Path, name: str, *, folder: bool = False) -> Iterator[Path]:
    """Give the name of a new, locked file or folder, removed at the end if it still has that name."""
    temporary, handle = _made(place, name, folder=folder)
    try:
        yield temporary
    finally:
        _remove(temporary)
        os.close(handle)


def _made(place: Path, name: str, *, folder: bool) -> tuple[Path, int]:
    """Return the name of a new file or folder, and the descriptor by which it is locked."""
    remove_leftovers(place)
    while True:
        temporary = place / f".{name[:40]}.{os.urandom(8).hex()}.noughts-part"
        if folder:
            temporary.mkdir()
        else:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        with suppress(FileNotFoundError):  # another run took it for a leftover before it was locked
            handle = os.open(temporary, os.O_RDONLY)
            if lock(handle) is not False and temporary.exists():
                _present.add(temporary)
                return temporary, handle
            os.close(handle)


def lock(handle: int) -> bool | None:
    """Lock an open file or folder until it is closed: False where another has it, None where there are no locks."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _remove(path: Path) -> None:
    _present.discard(path)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
