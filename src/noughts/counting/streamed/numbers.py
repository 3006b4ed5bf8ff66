"""The numbers of a layer in parts: in memory, or in files of a folder that are mapped into it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.paths.records import PathNumbers
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

    def open(self) -> PathNumbers:
        """Return the numbers."""
        return self.numbers

    def remove(self) -> None:
        """Nothing is to be removed: memory is given back."""


@dataclass(frozen=True)
class FilePart:
    """Some blocks of a layer in a file, which says `of` what it is a part."""

    path: Path
    of: str

    def write(self, numbers: PathNumbers, about: dict[str, Any]) -> None:
        """Write the numbers, whole or not at all, with what is to be known about them. Raises FileError."""
        data = np.concatenate([numbers.low.reshape(-1).view(np.uint8), numbers.high.reshape(-1)])
        shape = {"blocks": len(numbers.low), "size": numbers.low.shape[1], "high": numbers.high.shape[1]}
        write_block_file(self.path, data, {"of": self.of, **shape, **about})

    def about(self) -> dict[str, Any] | None:
        """Return what is known about the numbers; None where there is no file. Raises CheckError."""
        return self._file().about if self.path.is_file() else None

    def open(self) -> PathNumbers:
        """Return the numbers, mapped into memory, every byte checked. Raises CheckError."""
        file = self._file()
        blocks, size, high = (int(file.about[name]) for name in ("blocks", "size", "high"))
        data, cut = file.check_all(), 4 * blocks * size
        return PathNumbers(data[:cut].view("<u4").reshape(blocks, size), data[cut:].reshape(blocks, high, size))

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def _file(self) -> BlockFile:
        file = BlockFile(self.path)
        file.require(of=self.of)
        return file


LayerPart = MemoryPart | FilePart


class PathLayer:
    """The numbers of a layer: parts in order, each with so many blocks. Files are opened once; pickles open anew."""

    def __init__(self, parts: list[tuple[int, LayerPart]], size: int, high: int) -> None:
        self._parts = parts
        self._size = size
        self._high = high
        self._opened: dict[int, PathNumbers] = {}

    def __reduce__(self) -> tuple[type[PathLayer], tuple[list[tuple[int, LayerPart]], int, int]]:
        return PathLayer, (self._parts, self._size, self._high)

    def take(self, blocks: Ints) -> PathNumbers:
        """Return a copy of some blocks, whose numbers are rising."""
        found, first = room_for(len(blocks), self._size, self._high), 0
        for number, (count, _) in enumerate(self._parts):
            a, b = np.searchsorted(blocks, (first, first + count)).tolist()
            if a < b:
                numbers = self._open(number)
                np.take(numbers.low, blocks[a:b] - first, axis=0, out=found.low[a:b])
                if self._high:
                    np.take(numbers.high, blocks[a:b] - first, axis=0, out=found.high[a:b])
            first += count
        return found

    def remove(self) -> None:
        """Remove what is on disk."""
        self._opened.clear()
        for _, part in self._parts:
            part.remove()

    def _open(self, number: int) -> PathNumbers:
        if number not in self._opened:
            self._opened[number] = self._parts[number][1].open()
        return self._opened[number]
