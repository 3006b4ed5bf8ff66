"""Files written whole or not at all: temporary names, atomic replacement, locks, and errors in one sentence.

A temporary file or folder is named `.NAME.RANDOM.noughts-part` and locked as long as its process lives. A killed
process releases the lock: the next process that writes into the same folder removes its leftovers.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import IO, Any

from noughts.machine.reading import FILE_VERSION, nearest_folder, parse_json, read_text, require_name, require_version
from noughts.rules.errors import FileError, InputError, shown

_present: set[Path] = set()
"""The temporary files and folders that exist now."""

_LEFTOVER = re.compile(r"\..*\.[0-9a-f]{16}\.noughts-part", re.DOTALL)
_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or name a place on another disk"),
    errno.EFBIG: "raise the limit on file sizes (ulimit -f), or name a place on another disk",
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "name a place where you may write"),
    errno.ENAMETOOLONG: "give it a shorter name",
    errno.ENOENT: "its folder does not exist, so name another place",
}


@contextmanager
def file_errors(path: Path, remedy: str | None = None) -> Iterator[None]:
    """Turn an OSError of the block into a FileError: one sentence about the path.

    Raises InputError at the start where no file can have such a name.
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
    """Give an empty folder in the system's temporary folder; it is removed at the end. Raises FileError."""
    from tempfile import gettempdir

    place = Path(gettempdir())
    with file_errors(place):
        folder, handle = _made(place, "noughts", folder=True)
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(handle)


def nameless_file(folder: Path) -> FileIO:
    """Return a new file without a name, on the disk of a folder or of its nearest existing parent.

    The file disappears when it is closed. Raises FileError.
    """
    from tempfile import TemporaryFile

    with file_errors(folder):
        return TemporaryFile(dir=nearest_folder(folder), buffering=0)


def remove_present() -> None:
    """Remove all temporary files and folders: for a process that ends at once."""
    for path in list(_present):
        with suppress(OSError):
            _remove(path)


def remove_leftovers(folder: Path) -> None:
    """Remove from a folder the leftovers of the user's killed runs; files that are still being written stay."""
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
    """Give the name of a new, locked file or folder; remove it at the end if it still has that name."""
    temporary, handle = _made(place, name, folder=folder)
    try:
        yield temporary
    finally:
        _remove(temporary)
        os.close(handle)


def _made(place: Path, name: str, *, folder: bool) -> tuple[Path, int]:
    """Return the name of a new file or folder, and the descriptor that holds its lock."""
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
    """Lock an open file or folder until it is closed: False if another process has the lock, None if locks fail."""
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


# All files are written here: whole or not at all, without leftovers.
#
# A regular file is replaced in one step and keeps its permissions; a symbolic link is followed, so that the link stays.
# A device, a pipe or `/dev/stdout` is written to and never replaced. A folder appears whole.
#
# Until it is complete, a file has a temporary name in the same folder. Every failure is a FileError: one sentence with
# the path and the remedy.


def write_file(path: Path, data: bytes) -> Path:
    """Write a file in one step, and return its path. Raises FileError."""
    with writing_stream(path) as stream:
        stream.write(data)
    return path


@contextmanager
def writing_stream(path: Path) -> Iterator[IO[bytes]]:
    """Give a stream to write to; the file appears if the block succeeds. Raises FileError."""
    with writing_file(path) as temporary, open(temporary, "wb") as stream:
        yield stream


@contextmanager
def writing_file(path: Path, remedy: str | None = None) -> Iterator[Path]:
    """Give the name of an empty file to write to; it takes the name `path` if the block succeeds.

    `remedy` says what to do after a failure, for a path that the user did not name. Output for a device or a pipe is
    collected in the system's temporary folder. Raises FileError, also for an OSError from the block. A pipe that is
    closed at its reading end stays a BrokenPipeError.
    """
    with file_errors(path, remedy):
        target = _target(path)
        if target.is_special:
            with temporary_folder() as folder, temporary_name(folder, path.name) as temporary:
                yield temporary
                target.pour(temporary)
            return
        with temporary_name(target.path.parent, path.name) as temporary:
            yield temporary
            if target.state is not None:
                with suppress(PermissionError):
                    os.chown(temporary, target.state.st_uid, target.state.st_gid)
                os.chmod(temporary, stat.S_IMODE(target.state.st_mode))
            _sync(temporary)
            os.replace(temporary, target.path)


def require_writable(path: Path) -> None:
    """Raise FileError where it is clear before the work that a file cannot be written."""
    with file_errors(path):
        target = _target(path)
        if not target.is_special:
            _require_open(target.path.parent)


def require_folder(path: Path) -> None:
    """Raise FileError where it is clear before the work that a folder cannot be made or written to."""
    with file_errors(path):
        _require_open(nearest_folder(path.absolute()))


def _require_open(folder: Path) -> None:
    """Raise OSError with the reason why files cannot be created in a folder."""
    if not os.access(folder, os.W_OK | os.X_OK):
        is_read_only = hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY
        reason = errno.EROFS if is_read_only else errno.EACCES
        raise PermissionError(reason, os.strerror(reason))


@dataclass(frozen=True)
class _Target:
    """Where a path leads when links are followed: a file with its state, if it exists, or a descriptor."""

    path: Path
    state: os.stat_result | None
    descriptor: int | None

    @property
    def is_special(self) -> bool:
        return self.descriptor is not None or (self.state is not None and not stat.S_ISREG(self.state.st_mode))

    def pour(self, source: Path) -> None:
        """Copy a file to a device, a pipe or a descriptor."""
        handle = os.open(self.path, os.O_WRONLY) if self.descriptor is None else os.dup(self.descriptor)
        with open(handle, "wb") as out, open(source, "rb") as file:
            shutil.copyfileobj(file, out)


def _target(path: Path) -> _Target:
    """Return where to write. Raises FileError for a folder or a socket, or where the parent folder is missing."""
    descriptor = _descriptor(path)
    if descriptor is not None:
        return _Target(path, None, descriptor)
    real = Path(os.path.realpath(path))
    _require_folder_of(path, real)
    try:
        state = os.stat(real)
    except FileNotFoundError:
        return _Target(real, None, None)
    if stat.S_ISDIR(state.st_mode):
        raise FileError(f"{str(path)!r} is a folder: give the name of a file in it")
    if stat.S_ISSOCK(state.st_mode):
        raise FileError(f"{str(path)!r} is a socket, which cannot be written to: name a file")
    if not os.access(real, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return _Target(real, state, None)


def _require_folder_of(path: Path, real: Path) -> None:
    """Raise FileError where the parent of `real` is missing; `path` leads to `real` when links are followed."""
    if not real.parent.is_dir():
        missing = real.parent if path.is_symlink() else path.parent
        link = f", where the link {str(path)!r} leads," if path.is_symlink() else ""
        raise FileError(f"the folder {str(missing)!r}{link} does not exist: create it, or name another")


def _descriptor(path: Path) -> int | None:
    """Return the number of the descriptor that a name such as `/dev/stdout` means; None for all other names."""
    for _ in range(40):
        folder = os.path.realpath(path.parent)
        if re.fullmatch(rf"/dev/fd|/proc/{os.getpid()}(/task/\d+)?/fd", folder) and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            break
        path = Path(folder, os.readlink(path))
    return None


class NewFolder:
    """A folder that is being filled. Its marker file will contain `about` and the names of its files."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.about: dict[str, object] = {}
        self.files: set[str] = set()

    def put(self, name: str, text: str) -> None:
        """Write a file; its name may contain folders."""
        file = self._path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        self.files.add(name)


@contextmanager
def writing_folder(path: Path, marker: str, *, force: bool = False) -> Iterator[NewFolder]:
    """Give a folder to fill; it takes the name `path` if the block succeeds. A link to a folder is followed.

    The file `marker` lists the files of the folder. A folder that is not empty is replaced only with `force`, and only
    if its marker lists all its files: files that other programs or people put there are never removed. Raises
    InputError otherwise, and FileError.
    """
    require_free_folder(path, marker, force=force)
    with file_errors(path):
        real = Path(os.path.realpath(path))
        with temporary_name(real.parent, real.name, folder=True) as temporary:
            new = NewFolder(temporary)
            yield new
            about = {"version": FILE_VERSION, **new.about, "files": sorted(new.files)}
            new.put(marker, json.dumps(about, ensure_ascii=False) + "\n")
            require_free_folder(path, marker, force=force)
            if not real.exists():
                os.replace(temporary, real)
                return
            os.chmod(temporary, stat.S_IMODE(real.stat().st_mode))
            with temporary_name(real.parent, real.name, folder=True) as old:
                os.replace(real, old)
                os.replace(temporary, real)


def require_free_folder(path: Path, marker: str, *, force: bool = False) -> None:
    """Raise InputError where the path is a folder that may not be replaced, FileError where it cannot be a folder."""
    with file_errors(path):
        real = Path(os.path.realpath(path))
        _require_folder_of(path, real)
        if not real.exists() or (real.is_dir() and not any(real.iterdir())):
            return
        if not real.is_dir():
            raise FileError(f"{str(path)!r} is not a folder: name another")
        foreign = _foreign(real, marker)
    if foreign is not None:
        raise InputError(
            f"the folder {str(path)!r} is not replaced: it holds {foreign!r}, which noughts did not write; "
            "choose another or move that file"
        )
    if not force:
        raise InputError(f"the folder {str(path)!r} is not empty: choose another, or add --force to replace it")


def _foreign(folder: Path, marker: str) -> str | None:
    """Return the first name in a folder that its marker does not list, None where it lists all.

    Raises InputError where the marker is of a later version.
    """
    listed, written = {marker}, dict[str, Any]()
    with suppress(OSError, ValueError, KeyError, TypeError):
        written = parse_json(read_text(folder / marker), marker)
        listed |= set(written["files"])
    require_version(shown(str(folder / marker), 200), written)
    names = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return min({name.relative_to(folder).as_posix() for name in names} - listed, default=None)


def make_folder(path: Path, remedy: str = "name another") -> None:
    """Create a folder and its parents where they are missing; remove leftovers of killed runs. Raises FileError."""
    require_name(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {str(path)!r} cannot be used ({error.strerror}): {remedy}") from None
    remove_leftovers(path)


@contextmanager
def hold_folder(path: Path) -> Iterator[None]:
    """Keep other runs out of a folder while this run uses it. Raises FileError where another run uses it."""
    with file_errors(path):
        handle = os.open(path, os.O_RDONLY)
    try:
        if lock(handle) is False:
            raise FileError(f"another run of noughts uses {str(path)!r}: wait for it, or name another folder")
        yield
    finally:
        os.close(handle)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def discard(descriptor: int) -> None:
    """Discard all further output to a descriptor."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


# A seal shows whether a saved file is unchanged, and whether it belongs to the work described by `about`.

SEAL_BYTES = 4
_CHUNK = 1 << 20


def put_seal(path: Path, about: str, at: int | None = None) -> None:
    """Seal a file for the work that `about` describes: in four unused bytes at `at`, by default at its end.

    The seal is a CRC-32 of `about` and all other bytes. Cost: half a second for a gigabyte.
    """
    if at is None:
        at = path.stat().st_size
    with open(path, "r+b") as file:
        seal = _seal(path, about, at)
        file.seek(at)
        file.write(seal)


def is_sealed(path: Path, about: str, at: int | None = None) -> bool:
    """Return whether a file is unchanged since it was sealed for this work; False if it cannot be read.

    Every error within 32 neighbouring bits is found; any other error is missed once in four thousand million.
    """
    try:
        if at is None:
            at = path.stat().st_size - SEAL_BYTES
        if at < 0:
            return False
        with open(path, "rb") as file:
            file.seek(at)
            found = file.read(SEAL_BYTES)
        return found == _seal(path, about, at)
    except OSError:
        return False


def _seal(path: Path, about: str, at: int) -> bytes:
    total = zlib.crc32(about.encode())
    with open(path, "rb") as file:
        left = at
        while left and (chunk := file.read(min(left, _CHUNK))):
            total = zlib.crc32(chunk, total)
            left -= len(chunk)
        file.seek(at + SEAL_BYTES)
        while chunk := file.read(_CHUNK):
            total = zlib.crc32(chunk, total)
    return total.to_bytes(SEAL_BYTES, "big")


# Standard streams as pipes to the parent process, protected from what other code prints.


def take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return standard input and output as streams; from now on printed text goes to standard error."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return source, target
