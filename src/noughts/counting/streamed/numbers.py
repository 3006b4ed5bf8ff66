"""The numbers of a layer in parts: in memory, or in files of a folder from which blocks are read."""

from __future__ import annotations

from dataclasses import dataclass
from io import FileIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.domain.errors import CheckError
from noughts.kernels.paths.records import PathNumbers
from noughts.machine.reading import read_into
from noughts.solving.blockfile import BlockFile, write_block_file

__all__ = ["FilePart", "LayerPart", "MemoryPart", "PathLayer", "room_for"]

Ints = npt.NDArray[np.int64]


def room_for(blocks: int, size: int, high: int) -> PathNumbers:
    """Return room for the numbers of so many blocks."""
    return PathNumbers(np.empty((blocks, size), np.uint32), np.empty((blocks, high, size), np.uint8))


@dataclass(frozen=True)
class MemoryPart:
    """Some blocks of a layer."""

    numbers: PathNumbers

    def check(self) -> int:
        """Nothing is to be checked; nor is there a place where the numbers begin."""
        return 0

    def take(self, start: int, blocks: Ints, found: PathNumbers) -> None:
        """Copy some blocks."""
        np.take(self.numbers.low, blocks, axis=0, out=found.low)
        if found.high.shape[1]:
            np.take(self.numbers.high, blocks, axis=0, out=found.high)

    def remove(self) -> None:
        """Nothing is to be removed: memory is given back."""


@dataclass(frozen=True)
class FilePart:
    """So many blocks of a layer in a file, which says `of` what it is a part."""

    path: Path
    of: str
    blocks: int

    def write(self, numbers: PathNumbers, about: dict[str, Any]) -> None:
        """Write the numbers, whole or not at all, with what is to be known about them. Raises FileError."""
        data = np.concatenate([numbers.low.reshape(-1).view(np.uint8), numbers.high.reshape(-1)])
        shape = {"blocks": len(numbers.low), "size": numbers.low.shape[1], "high": numbers.high.shape[1]}
        write_block_file(self.path, data, {"of": self.of, **shape, **about})

    def about(self) -> dict[str, Any] | None:
        """Return what is known about the numbers; None where there is no file. Raises CheckError."""
        return self._file().about if self.path.is_file() else None

    def check(self) -> int:
        """Check every byte; return where in the file the numbers begin. Raises CheckError."""
        file = self._file()
        file.check_all()
        return file.data_start

    def take(self, start: int, blocks: Ints, found: PathNumbers) -> None:
        """Read some blocks, without a map: what is mapped would count as memory of this process."""
        size, high = found.low.shape[1], found.high.shape[1]
        edges = [0, *(np.flatnonzero(np.diff(blocks) != 1) + 1).tolist(), len(blocks)]
        upper = start + 4 * size * self.blocks
        with open(self.path, "rb", buffering=0) as file:
            for a, b in pairwise(edges):
                _read(file, start + 4 * size * int(blocks[a]), found.low[a:b])
                if high:
                    _read(file, upper + high * size * int(blocks[a]), found.high[a:b])

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def _file(self) -> BlockFile:
        file = BlockFile(self.path)
        file.require(of=self.of, blocks=self.blocks)
        return file


def _read(file: FileIO, offset: int, out: npt.NDArray[Any]) -> None:
    """Fill an array from a place in a file. Raises CheckError where it ends before."""
    if not read_into(file.fileno(), offset, out.data.cast("B")):
        raise CheckError(f"{file.name!s} has become shorter while it was read: delete it and start again")


LayerPart = MemoryPart | FilePart


class PathLayer:
    """The numbers of a layer: parts in order, each with so many blocks. A file is checked when it is first read."""

    def __init__(self, parts: list[tuple[int, LayerPart]], size: int, high: int) -> None:
        self._parts = parts
        self._size = size
        self._high = high
        self._starts: dict[int, int] = {}

    def __reduce__(self) -> tuple[type[PathLayer], tuple[list[tuple[int, LayerPart]], int, int]]:
        return PathLayer, (self._parts, self._size, self._high)

    def take(self, blocks: Ints) -> PathNumbers:
        """Return a copy of some blocks, whose numbers are rising. Raises CheckError, FileNotFoundError."""
        found, first = room_for(len(blocks), self._size, self._high), 0
        for number, (count, part) in enumerate(self._parts):
            a, b = np.searchsorted(blocks, (first, first + count)).tolist()
            if a < b:
                if number not in self._starts:
                    self._starts[number] = part.check()
                some = PathNumbers(found.low[a:b], found.high[a:b])
                part.take(self._starts[number], blocks[a:b] - first, some)
            first += count
        return found

    def files(self) -> list[str]:
        """Return the names of the files on disk, in their folder."""
        return [part.path.name for _, part in self._parts if isinstance(part, FilePart)]

    def remove(self) -> None:
        """Remove what is on disk."""
        for _, part in self._parts:
            part.remove()
