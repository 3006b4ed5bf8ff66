"""The files of one layer of a table: one, or one for each portion of its blocks; see `portions`."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.domain.errors import CheckError
from noughts.machine.reading import read_into
from noughts.solving.blockfile import BlockFile, write_block_file
from noughts.solving.described import belonging, layer_path, table_id
from noughts.solving.index import LayerShape, ply_marks
from noughts.solving.plies import PlyValues, Split
from noughts.solving.saving.portions import portions

__all__ = ["LayerFiles"]

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
OPEN_FILES = 32


class LayerFiles:
    """Where the blocks of a layer are: in the folder of the table that is described so. Can be pickled."""

    def __init__(self, folder: Path, about: dict[str, Any], ply: int, blocks: int) -> None:
        self.folder = folder
        self.about = about
        self.shape = LayerShape.of(about["cells"], ply, blocks, about["packed"])
        self.cuts = portions(about["cells"], ply_marks(ply)[0], blocks, about["packed"]) or [(0, 0)]
        self._firsts = [a for a, _ in self.cuts]
        self._opened = lru_cache(OPEN_FILES)(self._open)

    def __reduce__(self) -> tuple[type[LayerFiles], tuple[object, ...]]:
        return LayerFiles, (self.folder, self.about, self.shape.ply, self.shape.blocks)

    def path(self, number: int) -> Path:
        """Return the file of a portion."""
        return layer_path(self.folder, self.shape.ply, number if len(self.cuts) > 1 else None)

    def missing(self) -> list[int]:
        """Return the portions that have no file."""
        return [number for number in range(len(self.cuts)) if not self.path(number).is_file()]

    def require_own(self) -> None:
        """Look at the header of each file that is there. Raises CheckError where it is not of this layer."""
        for number in range(len(self.cuts)):
            if self.path(number).is_file():
                self._open(number)

    def check(self, number: int) -> None:
        """Check every byte of a portion. Raises CheckError."""
        self._open(number).check_all()

    def write(self, number: int, data: Bytes, counts: PlyValues) -> None:
        """Write the blocks of a portion, and how the values of its positions are distributed. Raises FileError."""
        split = {
            same: [str(row.x_wins), str(row.draws), str(row.o_wins)]
            for same, row in (("labelled", counts.labelled), ("symmetry", counts.symmetry))
        }
        header = {"of": table_id(self.about), "board": self.about["board"], **self._header(number), **split}
        write_block_file(self.path(number), data, header)

    def counts(self) -> PlyValues:
        """Return how the values of the layer are distributed, as the headers say."""
        none = Split(0, 0, 0)
        total = PlyValues(self.shape.ply, none, none)
        for number in range(len(self.cuts)):
            about = self._open(number).about
            labelled, symmetry = (Split(*map(int, about[same])) for same in ("labelled", "symmetry"))
            total += PlyValues(self.shape.ply, labelled, symmetry)
        return total

    def whole(self) -> Bytes:
        """Return the bytes of the layer, every one checked. Raises CheckError."""
        parts = [self._open(number).check_all() for number in range(len(self.cuts))]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def byte(self, block: int, place: int) -> int:
        """Return one byte of a block, after its surroundings were checked. Raises CheckError."""
        number = bisect_right(self._firsts, block) - 1
        return self._opened(number).byte((block - self._firsts[number]) * self.shape.stride + place)

    def take(self, blocks: Ints) -> Bytes:
        """Return the bytes of some blocks, whose numbers are rising; read without a map. Raises CheckError."""
        stride = self.shape.stride
        found = np.empty(len(blocks) * stride, np.uint8)
        edges = np.searchsorted(blocks, [*self._firsts, self.shape.blocks]).tolist()
        for number, (begin, end) in enumerate(pairwise(edges)):
            if begin < end:
                some = blocks[begin:end] - self._firsts[number]
                self._read(number, some, found[begin * stride : end * stride])
        return found

    def _read(self, number: int, blocks: Ints, out: Bytes) -> None:
        stride, start = self.shape.stride, self._opened(number).data_start
        runs = [0, *(np.flatnonzero(np.diff(blocks) != 1) + 1).tolist(), len(blocks)]
        with open(self.path(number), "rb", buffering=0) as file:
            for a, b in pairwise(runs):
                if not read_into(file.fileno(), start + int(blocks[a]) * stride, out[a * stride : b * stride].data):
                    raise CheckError(f"{self.path(number)} has become shorter while it was read: start again")

    def _header(self, number: int) -> dict[str, int]:
        begin, end = self.cuts[number]
        shape = LayerShape(self.shape.ply, end - begin, self.shape.size, self.shape.stride)
        return {**vars(shape), **({"first": begin} if len(self.cuts) > 1 else {})}

    def _open(self, number: int) -> BlockFile:
        begin, end = self.cuts[number]
        expected = {**self._header(number), "bytes": (end - begin) * self.shape.stride}
        return belonging(self.path(number), self.about, **expected)
