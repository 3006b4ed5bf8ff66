"""The edges of a graph, read in order and a piece at a time: in memory, or in a file where there are too many.

A file without a name: nothing is left of it, however its process ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from noughts.domain.errors import FileError
from noughts.machine.reading import read_into
from noughts.machine.temporaries import failures_told, nameless_file

__all__ = ["EdgeFile", "Edges", "Rows", "StoredRows", "pieces_of"]

Edges = NDArray[np.int32]

_PIECE = 1 << 20
"""Rows that are read at a time, of twelve bytes each."""


class EdgeFile:
    """A file without a name in a folder, to which rows of three numbers are added.

    Raises FileError where it cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._file = nameless_file(self.folder)
        finalize(self, self._file.close)
        self._rows = 0

    def keep(self, rows: Edges) -> StoredRows:
        """Write some rows. Raises FileError."""
        with failures_told(self.folder):
            for piece in pieces_of(rows):
                view = piece.reshape(-1).view(np.uint8).data
                while view:
                    view = view[self._file.write(view) :]
        begin, self._rows = self._rows, self._rows + len(rows)
        return StoredRows(self, begin, len(rows))

    def read(self, begin: int, end: int) -> Edges:
        """Return some of the rows; several threads may. Raises FileError."""
        found = np.empty((end - begin, 3), dtype=np.int32)
        try:
            whole = read_into(self._file.fileno(), begin * _ROW, found.reshape(-1).view(np.uint8).data)
        except OSError as error:
            raise FileError(f"cannot read what was written to {str(self.folder)!r}: {error.strerror}") from None
        if not whole:
            raise FileError(f"a file in {str(self.folder)!r} has become shorter while it was read: start again")
        return found


_ROW = 3 * np.dtype(np.int32).itemsize


class StoredRows:
    """Rows in a file. A pickle holds them all, for a process that may be elsewhere."""

    def __init__(self, file: EdgeFile, begin: int, count: int) -> None:
        self._file, self._begin, self._count = file, begin, count

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Their size."""
        return self._count * _ROW

    def read(self, begin: int, end: int) -> Edges:
        """Return the rows from `begin` to before `end`. Raises FileError."""
        return self._file.read(self._begin + begin, self._begin + end)

    def __reduce__(self) -> tuple[object, tuple[Edges]]:
        return np.asarray, (self.read(0, self._count),)


Rows = Edges | StoredRows


def pieces_of(rows: Rows) -> Iterator[Edges]:
    """Yield all rows in order, some at a time. Raises FileError."""
    for begin in range(0, len(rows), _PIECE):
        end = min(begin + _PIECE, len(rows))
        yield rows.read(begin, end) if isinstance(rows, StoredRows) else rows[begin:end]
