"""Compiled kernels on disk, sealed: what is not just as it was written, and for this, is compiled again.

Numba believes its files: a changed byte is a traceback, or machine code that was never compiled.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from numba.core.caching import IndexDataCacheFile

_SEAL_BYTES = 4


class _Sealing:
    """A file to write to that keeps a CRC-32 of what is written."""

    def __init__(self, file: Any, total: int) -> None:
        self._file = file
        self.total = total

    def write(self, data: bytes) -> None:
        self.total = zlib.crc32(data, self.total)
        self._file.write(data)


_Files: Any = IndexDataCacheFile


class KernelFiles(_Files):  # type: ignore[misc]  # Numba has no types: its class is Any
    """The files of one kernel: an index, and one file for each kind of arguments.

    A seal, a CRC-32 at the end of each file, is begun from the file's name and from what it was compiled from. Each
    file names the arguments that it is for, as two processes at once may have given one name to two.
    """

    def load(self, key: Any) -> Any:
        """Return what was compiled for a kind of arguments, None where there is any doubt."""
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled; where it cannot be kept it is compiled again another time."""
        with suppress(OSError):
            super().save(key, (key, data))

    def _about(self, path: str) -> int:
        name = path.replace("\\", "/").rpartition("/")[2]
        return zlib.crc32(repr((name, self._version, self._source_stamp)).encode())

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[_Sealing]:
        with super()._open_for_write(filepath) as file:
            sealing = _Sealing(file, self._about(filepath))
            yield sealing
            file.write(sealing.total.to_bytes(_SEAL_BYTES, "big"))

    def _is_sealed(self, path: str) -> bool:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            return False
        found = zlib.crc32(data[:-_SEAL_BYTES], self._about(path))
        return data[-_SEAL_BYTES:] == found.to_bytes(_SEAL_BYTES, "big")

    def _load_index(self) -> Any:
        return super()._load_index() if self._is_sealed(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not self._is_sealed(self._data_path(name)):
            raise OSError  # as Numba says of a file that is no more
        return super()._load_data(name)
