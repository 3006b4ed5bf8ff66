"""The description of a folder of tables, and its files; each file names its table and its place in the table."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts._version import __version__
from noughts.machine.reading import read_into, read_text
from noughts.rules.board import Board
from noughts.rules.errors import CheckError, InputError
from noughts.solving.blockfile import BlockFile, checked_json, sealed_json, write_block_file
from noughts.solving.index import LayerShape, ply_marks
from noughts.solving.values import PlyValues, Split

DESCRIPTION = "table.json"
FORMAT = "noughts table 3"

_LAYOUT = (
    "A layer of ply t holds the positions with p = ceil(t/2) X and q = floor(t/2) O in which X has no line. Block b "
    "belongs to the b-th set of leads-pp.sets (cells as bits, in reading order); entry r of a block to the q-set of O "
    "of colexicographic rank r among the cells that X leaves, numbered in reading order. A position is turned first by "
    "a symmetry that makes its X set the least of its images. A layer is one file, or several named "
    "layer-tt.nnnn.values, each of which says in its header which is its first block and how many it has."
)
_CODES = {
    True: "two bits an entry, lowest first, blocks start on a byte; for the side to move: 0 loss, 1 draw, 2 win, 3 no",
    False: "one byte an entry; for the side to move: r loss in r plies, 100 draw, 200 - r win in r plies, 255 none",
}


def leads_path(folder: Path, marks: int) -> Path:
    """Return the file of the canonical sets of a number of X."""
    return folder / f"leads-{marks:02}.sets"


def description(board: Board, packed: bool) -> dict[str, Any]:
    """Return the description of a table."""
    return {
        "format": FORMAT,
        "written_by": f"noughts {__version__}",
        "board": board.spec,
        "cells": board.cells,
        "lines": [list(line) for line in board.lines],
        "symmetries": [list(permutation) for permutation in board.group("board").generators],
        "misere": board.misere,
        "rules": "any blank cell may be played; the game ends at a line or a full board",
        "packed": packed,
        "codes": _CODES[packed],
        "layout": _LAYOUT,
    }


def read_description(folder: Path) -> dict[str, Any]:
    """Return the description of a table. Raises InputError where it is missing, CheckError where it is damaged."""
    path = folder / DESCRIPTION
    if not path.is_file():
        raise InputError(f"{folder} does not hold a table: write one with noughts solve BOARD --save {folder}")
    try:
        text = read_text(path)
    except UnicodeDecodeError:
        raise CheckError(f"the header of {path} is damaged: write the table again") from None
    found = checked_json(text.removesuffix("\n"), path)
    if found.get("format") != FORMAT:
        raise InputError(
            f"{path} has the format {found.get('format')!r}, but this program reads {FORMAT!r}: write the table again "
            "in a new folder"
        )
    return found


def table_id(about: dict[str, Any]) -> str:
    """Return the identifier of a table in the headers of its files: a digest of its description."""
    content = {key: value for key, value in about.items() if key != "written_by"}
    return hashlib.sha256(sealed_json(content).encode()).hexdigest()[:24]


def belonging(path: Path, about: dict[str, Any], **expected: int) -> BlockFile:
    """Return a file of the table with this description.

    Raises CheckError where it is damaged, or where its header names another table or has other numbers.
    """
    file = BlockFile(path)
    if file.about.get("of") != table_id(about):
        raise CheckError(f"{path} belongs to another table than its folder: write the table again")
    file.require(**expected)
    return file


def board_of(about: dict[str, Any]) -> Board:
    """Return the board that a table describes."""
    try:
        board = Board.parse(about["board"])
        if description(board, about["packed"])["lines"] == about["lines"]:
            return board
    except InputError:
        pass
    return Board.from_lines(
        about["cells"], about["lines"], about["symmetries"], misere=about["misere"], name=about["board"]
    )


def is_table_of(about: dict[str, Any], board: Board) -> bool:
    """Tell whether a description is of the table of a board; the name of the board does not matter."""
    own = description(board, about["packed"])
    return all(about[key] == own[key] for key in ("cells", "lines", "misere", "symmetries"))


# A layer of a table is cut into work items and files, in the same way for all workers.

LEAST_BYTES = 1 << 20
MOST_BYTES = 1 << 28
PORTIONS = 64
"""Approximate number of portions of a layer; each has LEAST_BYTES to MOST_BYTES."""


def plies_of(cells: int, marks: int) -> list[int]:
    """Return the plies where X has this number of marks; O is to move at an odd one, X at an even one."""
    return [ply for ply in (2 * marks - 1, 2 * marks) if 0 <= ply <= cells]


def portions(cells: int, marks: int, blocks: int, packed: bool) -> list[tuple[int, int]]:
    """Return the runs of sets of X that make one work item and one file for each ply of `plies_of`."""
    stride = max(LayerShape.of(cells, ply, blocks, packed).stride for ply in plies_of(cells, marks))
    wanted = min(MOST_BYTES, max(LEAST_BYTES, blocks * stride // PORTIONS))
    step = max(1, wanted // stride)
    return list(pairwise([*range(0, blocks, step), blocks])) if blocks else []


# The files of one layer of a table: one, or one for each portion of its blocks; see `portions`.

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
OPEN_FILES = 32


class LayerFiles:
    """The files of one layer in the folder of a table. Can be pickled."""

    def __init__(self, folder: Path, about: dict[str, Any], ply: int, blocks: int) -> None:
        self.folder, self.about = folder, about
        self.shape = LayerShape.of(about["cells"], ply, blocks, about["packed"])
        self.cuts = portions(about["cells"], ply_marks(ply)[0], blocks, about["packed"]) or [(0, 0)]
        self._firsts = [a for a, _ in self.cuts]
        self._opened = lru_cache(OPEN_FILES)(self._open)

    def __reduce__(self) -> tuple[type[LayerFiles], tuple[object, ...]]:
        return LayerFiles, (self.folder, self.about, self.shape.ply, self.shape.blocks)

    def path(self, number: int) -> Path:
        """Return the file of a portion."""
        portion = f".{number:04}" if len(self.cuts) > 1 else ""
        return self.folder / f"layer-{self.shape.ply:02}{portion}.values"

    def missing(self) -> list[int]:
        """Return the portions that have no file."""
        return [number for number in range(len(self.cuts)) if not self.path(number).is_file()]

    def require_own(self) -> None:
        """Check the header of each existing file. Raises CheckError where it belongs to another layer."""
        for number in range(len(self.cuts)):
            if self.path(number).is_file():
                self._open(number)

    def check(self, number: int) -> None:
        """Check every byte of a portion. Raises CheckError."""
        self._open(number).check_all()

    def write(self, number: int, data: Bytes, counts: PlyValues) -> None:
        """Write the blocks of a portion, and the distribution of its values. Raises FileError."""
        split = {
            same: [str(row.x_wins), str(row.draws), str(row.o_wins)]
            for same, row in (("labelled", counts.labelled), ("symmetry", counts.symmetry))
        }
        header = {"of": table_id(self.about), "board": self.about["board"], **self._header(number), **split}
        write_block_file(self.path(number), data, header)

    def counts(self) -> PlyValues:
        """Return the distribution of the values of the layer, from the headers."""
        none = Split(0, 0, 0)
        total = PlyValues(self.shape.ply, none, none)
        for number in range(len(self.cuts)):
            about = self._open(number).about
            labelled, symmetry = (Split(*map(int, about[same])) for same in ("labelled", "symmetry"))
            total += PlyValues(self.shape.ply, labelled, symmetry)
        return total

    def whole(self) -> Bytes:
        """Check all bytes of the layer and return them. Raises CheckError."""
        parts = [self._open(number).check_all() for number in range(len(self.cuts))]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def byte(self, block: int, place: int) -> int:
        """Return one byte of a block, after a check of the data around it. Raises CheckError."""
        number = bisect_right(self._firsts, block) - 1
        return self._opened(number).byte((block - self._firsts[number]) * self.shape.stride + place)

    def take(self, blocks: Ints) -> Bytes:
        """Return the bytes of some blocks, with rising numbers, without mapping the files. Raises CheckError."""
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
                    raise CheckError(f"{self.path(number)} became shorter while it was read: start again")

    def _header(self, number: int) -> dict[str, int]:
        begin, end = self.cuts[number]
        shape = LayerShape(self.shape.ply, end - begin, self.shape.size, self.shape.stride)
        return {**vars(shape), **({"first": begin} if len(self.cuts) > 1 else {})}

    def _open(self, number: int) -> BlockFile:
        begin, end = self.cuts[number]
        expected = {**self._header(number), "bytes": (end - begin) * self.shape.stride}
        return belonging(self.path(number), self.about, **expected)
