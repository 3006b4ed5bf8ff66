"""Tables on disk: one directory for a board, one file for each layer, written from the last layer to the first.

    table.json        board, rules, layout and codes in words; how far it goes is seen from the layers that are there
    leads-PP.sets     the canonical line-free sets of PP X, rising, unsigned 32 bits each
    layer-TT.values   the entries of ply TT, and in its header how its values are distributed

The layer files are complete or absent, so a killed run is resumed from the lowest layer that is there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts._version import __version__
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, CheckError, InputError
from noughts.domain.position import Position
from noughts.machine.budget import format_size
from noughts.machine.files import hold_folder, make_folder, write_file
from noughts.machine.workers import SERIAL, Workers
from noughts.solving.backward import BackwardPass, LayerTable
from noughts.solving.blockfile import BlockFile, checked_json, sealed_json, write_block_file
from noughts.solving.index import PerfectIndex
from noughts.solving.plies import PlyValues, Split, reached
from noughts.solving.retrograde import table_sizes
from noughts.solving.tables import TableSolution, TableSource

__all__ = [
    "SavedTables",
    "board_of",
    "description",
    "layer_path",
    "leads_path",
    "open_solution",
    "read_counts",
    "read_description",
    "read_layer",
    "require_room",
    "save_solution",
    "saved_layers",
    "write_layer",
]

Progress = Callable[[int, int, str], None]
DESCRIPTION = "table.json"
FORMAT = "noughts table 1"

_LAYOUT = (
    "A layer of ply t holds the positions with p = ceil(t/2) X and q = floor(t/2) O in which X has no line. Block b "
    "belongs to the b-th set of leads-pp.sets (cells as bits, in reading order); entry r of a block to the q-set of O "
    "of colexicographic rank r among the cells that X leaves, numbered in reading order. A position is turned first by "
    "a symmetry that makes its X set the least of its images."
)
_CODES = {
    True: "two bits an entry, lowest first, blocks start on a byte; for the side to move: 0 loss, 1 draw, 2 win, 3 no",
    False: "one byte an entry; for the side to move: r loss in r plies, 100 draw, 200 - r win in r plies, 255 none",
}


def layer_path(folder: Path, ply: int) -> Path:
    """Return the file of a layer."""
    return folder / f"layer-{ply:02}.values"


def leads_path(folder: Path, marks: int) -> Path:
    """Return the file of the canonical sets of so many X."""
    return folder / f"leads-{marks:02}.sets"


def description(board: Board, packed: bool) -> dict[str, Any]:
    """Return what the table says of itself."""
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
    """Return what a table says of itself. Raises InputError where there is none, CheckError where it is damaged."""
    path = folder / DESCRIPTION
    if not path.is_file():
        raise InputError(f"{folder} holds no table: write one with noughts solve BOARD --save {folder}")
    found = checked_json(path.read_text(encoding="ascii", errors="replace").removesuffix("\n"), path)
    if found.get("format") != FORMAT:
        raise InputError(f"{path} is of the format {found.get('format')!r}, this program reads {FORMAT!r}")
    return found


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


def _is_table_of(about: dict[str, Any], board: Board) -> bool:
    own = description(board, about["packed"])
    return all(about[key] == own[key] for key in ("cells", "lines", "misere", "symmetries"))


class SavedTables(TableSource):
    """The tables of a directory, mapped into memory; every block that is read is checked."""

    def __init__(self, folder: Path) -> None:
        about = read_description(folder)
        self.folder = folder
        self.packed = bool(about["packed"])
        self.board = board_of(about)
        self.index = PerfectIndex(self.board)
        self._files: dict[int, BlockFile] = {}
        self._leads: dict[int, npt.NDArray[np.int64]] = {}
        missing = [ply for ply in range(self.board.cells + 1) if not layer_path(folder, ply).is_file()]
        if missing:
            raise InputError(
                f"{folder} is not complete, the layers {missing[0]} to {missing[-1]} are missing: "
                f"go on with noughts solve {self.board} --save {folder} --resume"
            )

    def layer(self, ply: int) -> BlockFile:
        """Return the file of a layer. Raises CheckError where its header does not fit the board."""
        if ply not in self._files:
            file = BlockFile(layer_path(self.folder, ply))
            if file.about["ply"] != ply or file.about["board"] != self.board.spec:
                raise CheckError(f"{file.path} belongs to ply {file.about['ply']} of {file.about['board']}")
            self._files[ply] = file
        return self._files[ply]

    def leads(self, marks: int) -> npt.NDArray[np.int64]:
        """Return the canonical line-free sets of so many X."""
        if marks not in self._leads:
            data = BlockFile(leads_path(self.folder, marks)).check_all()
            self._leads[marks] = data.view("<u4").astype(np.int64)
        return self._leads[marks]

    def code(self, position: Position) -> int:
        """Return the code of a reachable position in which X has no line."""
        file = self.layer(position.ply)
        block, entry = self.index.place(position.x, position.o, self.leads(position.x.bit_count()))
        start = block * file.about["stride"]
        if self.packed:
            return file.byte(start + entry // 4) >> 2 * (entry % 4) & 3
        return file.byte(start + entry)

    def counts(self) -> tuple[PlyValues, ...]:
        """Return the distribution of values, ply by ply, from the headers."""
        return reached(read_counts(self.layer(ply)) for ply in range(self.board.cells + 1))


def open_solution(folder: Path, board: Board | None = None, start: Position | None = None) -> TableSolution:
    """Return the solution kept in a directory. Raises InputError where it is of another board, or not complete."""
    tables = SavedTables(folder)
    if board is not None and not _is_table_of(read_description(folder), board):
        raise InputError(f"{folder} is the table of {tables.board}, not of {board}: name the right directory or board")
    return TableSolution(tables.index, tables, start)


def read_counts(file: BlockFile) -> PlyValues:
    """Return how the values of a layer are distributed, as its header says."""
    labelled, symmetry = (Split(*map(int, file.about[same])) for same in ("labelled", "symmetry"))
    return PlyValues(file.about["ply"], labelled, symmetry)


def save_solution(
    folder: Path,
    board: Board,
    *,
    packed: bool,
    workers: Workers = SERIAL,
    resume: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write the tables of a board, last layer first; with `resume` go on where a killed run stopped.

    Memory: two layers. Raises InputError where the directory holds something else, FileError where it cannot be written
    to or another run is at work in it.
    """
    _prepare(folder, board, packed, resume)
    with hold_folder(folder):
        _write_layers(folder, board, packed, workers, progress)


def _write_layers(folder: Path, board: Board, packed: bool, workers: Workers, progress: Progress | None) -> None:
    """Write the layers that are not there yet."""
    index = PerfectIndex(board)
    whole = sum(shape.entries for shape in index.shapes(packed))
    done = [0]

    def advance(entries: int) -> None:
        done[0] += entries
        if progress is not None and done[0] < whole:
            progress(done[0], whole, f"solving {board}")

    for marks, layer in enumerate(index.layers):
        if not leads_path(folder, marks).is_file():
            data = layer.masks.astype("<u4").view(np.uint8)
            write_block_file(leads_path(folder, marks), data, {"board": board.spec, "marks": marks})
    backward = BackwardPass(index, packed=packed, workers=workers)
    table: LayerTable | None = None
    for ply in range(board.cells, -1, -1):
        if layer_path(folder, ply).is_file():
            advance(index.shape(ply, packed).entries)
            if ply == 0 or not layer_path(folder, ply - 1).is_file():
                table = read_layer(folder, index, ply, packed)
            continue
        table = backward.layer(ply, table, done=advance)
        write_layer(folder, board, table)
    if progress is not None:
        progress(whole, whole, f"solving {board}")


def require_room(folder: Path, board: Board, *, packed: bool) -> None:
    """Raise BudgetError where the disk has not room for the table; by the estimate, before work starts."""
    needed = sum(size // 4 if packed else size for size in table_sizes(board))
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    if needed > free:
        raise BudgetError(
            f"the table of {board} takes about {format_size(needed)} and {place} has {format_size(free)} free: "
            f"{'name a directory on another disk' if packed else 'add --values-only, or name another disk'}"
        )


def _prepare(folder: Path, board: Board, packed: bool, resume: bool) -> None:
    """Make the directory and its description, or see that what is there may be gone on with."""
    if (folder / DESCRIPTION).is_file():
        about = read_description(folder)
        if not resume:
            raise InputError(f"{folder} holds a table of {about['board']}: add --resume to go on, or name another")
        if not _is_table_of(about, board) or about["packed"] != packed:
            kind = "values only" if about["packed"] else "remoteness"
            raise InputError(f"{folder} holds a table of {about['board']} with {kind}, not what is asked: name another")
        make_folder(folder)
        return
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty and holds no table: name a new directory")
    make_folder(folder)
    write_file(folder / DESCRIPTION, (sealed_json(description(board, packed)) + "\n").encode())


def write_layer(folder: Path, board: Board, table: LayerTable) -> None:
    """Write the file of one layer."""
    counts = {
        same: [str(split.x_wins), str(split.draws), str(split.o_wins)]
        for same, split in (("labelled", table.counts.labelled), ("symmetry", table.counts.symmetry))
    }
    shape = table.shape
    about = {"board": board.spec, "ply": shape.ply, "blocks": shape.blocks, "size": shape.size, "stride": shape.stride}
    write_block_file(layer_path(folder, shape.ply), table.data, {**about, **counts})


def read_layer(folder: Path, index: PerfectIndex, ply: int, packed: bool) -> LayerTable:
    """Return a layer from its file, every block checked. Raises CheckError where it does not fit."""
    file = BlockFile(layer_path(folder, ply))
    shape = index.shape(ply, packed)
    if file.about["bytes"] != shape.bytes or file.about["ply"] != ply or file.about["board"] != index.board.spec:
        raise CheckError(f"{file.path} does not fit the board {index.board}: write the table again")
    return LayerTable(shape, file.check_all(), read_counts(file))


def saved_layers(folder: Path, index: PerfectIndex, packed: bool) -> Iterator[LayerTable]:
    """Yield the layers from the full board to the empty one, every block checked."""
    for ply in range(index.cells, -1, -1):
        yield read_layer(folder, index, ply, packed)
