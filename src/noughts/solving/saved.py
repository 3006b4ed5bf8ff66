"""Tables on disk: one directory for a board, one file for each layer, written from the last layer to the first.

    table.json        board, rules, layout and codes in words; how far it goes is seen from the layers that are there
    leads-PP.sets     the canonical line-free sets of PP X, rising, unsigned 32 bits each
    layer-TT.values   the entries of ply TT, and in its header how its values are distributed

The layer files are complete or absent, so a killed run is resumed from the lowest layer that is there. Each file says
in its header which table it belongs to, and which place in it: see `solving.described`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, CheckError, InputError
from noughts.domain.position import Position
from noughts.machine.budget import format_size
from noughts.machine.files import hold_folder, make_folder, write_file
from noughts.machine.workers import SERIAL, Workers
from noughts.solving.backward import BackwardPass, LayerTable
from noughts.solving.blockfile import BlockFile, sealed_json, write_block_file
from noughts.solving.described import (
    DESCRIPTION,
    belonging,
    board_of,
    description,
    is_table_of,
    layer_path,
    leads_path,
    read_description,
    table_id,
)
from noughts.solving.index import LayerShape, PerfectIndex, ply_marks
from noughts.solving.plies import PlyValues, Split, reached
from noughts.solving.retrograde import table_sizes
from noughts.solving.tables import TableSolution, TableSource

__all__ = [
    "SavedTables",
    "open_solution",
    "read_counts",
    "read_layer",
    "require_room",
    "save_solution",
    "saved_layers",
    "write_layer",
]

Progress = Callable[[int, int, str], None]


class SavedTables(TableSource):
    """The tables of a directory, mapped into memory: every header is checked now, and every block when it is read.

    Raises InputError where there is no table or a part is missing, CheckError where a file is damaged or of another
    table.
    """

    def __init__(self, folder: Path) -> None:
        about = read_description(folder)
        self.folder = folder
        self.about = about
        self.packed = bool(about["packed"])
        self.board = board_of(about)
        self.index = PerfectIndex(self.board)
        self._leads: dict[int, npt.NDArray[np.int64]] = {}
        cells = self.board.cells
        _require_all(folder, self.board)
        self._sets = [_leads_file(folder, about, marks) for marks in range(ply_marks(cells)[0] + 1)]
        blocks = [file.about["blocks"] for file in self._sets]
        shapes = [LayerShape.of(cells, ply, blocks[ply_marks(ply)[0]], self.packed) for ply in range(cells + 1)]
        self._files = [_layer_file(folder, about, shape) for shape in shapes]

    def layer(self, ply: int) -> BlockFile:
        """Return the file of a layer."""
        return self._files[ply]

    def leads(self, marks: int) -> npt.NDArray[np.int64]:
        """Return the canonical line-free sets of so many X. Raises CheckError where they are damaged."""
        if marks not in self._leads:
            self._leads[marks] = self._sets[marks].check_all().view("<u4").astype(np.int64)
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


def _require_all(folder: Path, board: Board) -> None:
    """Raise InputError where a file of a table is missing."""
    paths = [leads_path(folder, marks) for marks in range(ply_marks(board.cells)[0] + 1)]
    paths += [layer_path(folder, ply) for ply in range(board.cells + 1)]
    missing = [path.name for path in paths if not path.is_file()]
    if missing:
        what = missing[0] if len(missing) == 1 else f"{missing[0]} to {missing[-1]}"
        raise InputError(
            f"{folder} is not complete, it lacks {what}: go on with noughts solve {board} --save {folder} --resume"
        )


def _leads_file(folder: Path, about: dict[str, Any], marks: int) -> BlockFile:
    """Return the file of the sets of so many X. Raises CheckError."""
    file = belonging(leads_path(folder, marks), about, marks=marks)
    file.require(blocks=file.about["bytes"] // 4)
    return file


def _layer_file(folder: Path, about: dict[str, Any], shape: LayerShape) -> BlockFile:
    """Return the file of the layer of this shape. Raises CheckError."""
    path = layer_path(folder, shape.ply)
    return belonging(path, about, **vars(shape), bytes=shape.bytes)


def open_solution(folder: Path, board: Board | None = None, start: Position | None = None) -> TableSolution:
    """Return the solution kept in a directory. Raises InputError where it is of another board, or not complete."""
    tables = SavedTables(folder)
    if board is not None and not is_table_of(tables.about, board):
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
        _write_layers(folder, read_description(folder), PerfectIndex(board), workers, progress)


def _write_layers(
    folder: Path, about: dict[str, Any], index: PerfectIndex, workers: Workers, progress: Progress | None
) -> None:
    """Write the files that are not there yet; those that are there have to be of this table."""
    packed, board = about["packed"], index.board
    whole = sum(shape.entries for shape in index.shapes(packed))
    done = [0]

    def advance(entries: int) -> None:
        done[0] += entries
        if progress is not None and done[0] < whole:
            progress(done[0], whole, f"solving {board}")

    _write_leads(folder, about, index)
    there = {shape.ply for shape in index.shapes(packed) if layer_path(folder, shape.ply).is_file()}
    for ply in there:
        _layer_file(folder, about, index.shape(ply, packed))
    backward = BackwardPass(index, packed=packed, workers=workers)
    table: LayerTable | None = None
    for ply in range(board.cells, -1, -1):
        if ply in there:
            advance(index.shape(ply, packed).entries)
            if ply == 0 or ply - 1 not in there:
                table = read_layer(folder, about, index, ply)
            continue
        table = backward.layer(ply, table, done=advance)
        write_layer(folder, about, table)
    if progress is not None:
        progress(whole, whole, f"solving {board}")


def _write_leads(folder: Path, about: dict[str, Any], index: PerfectIndex) -> None:
    for marks, layer in enumerate(index.layers):
        path = leads_path(folder, marks)
        data = layer.masks.astype("<u4").view(np.uint8)
        if not path.is_file():
            header = {"of": table_id(about), "board": about["board"], "marks": marks, "blocks": len(layer.masks)}
            write_block_file(path, data, header)
        elif not np.array_equal(_leads_file(folder, about, marks).check_all(), data):
            raise CheckError(f"{path} holds other sets than those of {index.board}: write the table again")


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
        if not is_table_of(about, board) or about["packed"] != packed:
            kind = "values only" if about["packed"] else "remoteness"
            raise InputError(f"{folder} holds a table of {about['board']} with {kind}, not what is asked: name another")
        make_folder(folder)
        return
    make_folder(folder)
    if any(folder.iterdir()):
        raise InputError(f"{folder} is not empty and holds no table: name a new directory")
    write_file(folder / DESCRIPTION, (sealed_json(description(board, packed)) + "\n").encode())


def write_layer(folder: Path, about: dict[str, Any], table: LayerTable) -> None:
    """Write the file of one layer of the table that is described so."""
    counts = {
        same: [str(split.x_wins), str(split.draws), str(split.o_wins)]
        for same, split in (("labelled", table.counts.labelled), ("symmetry", table.counts.symmetry))
    }
    header = {"of": table_id(about), "board": about["board"], **vars(table.shape), **counts}
    write_block_file(layer_path(folder, table.shape.ply), table.data, header)


def read_layer(folder: Path, about: dict[str, Any], index: PerfectIndex, ply: int) -> LayerTable:
    """Return a layer from its file, every block checked. Raises CheckError where it does not fit."""
    shape = index.shape(ply, about["packed"])
    file = _layer_file(folder, about, shape)
    return LayerTable(shape, file.check_all(), read_counts(file))


def saved_layers(folder: Path, about: dict[str, Any], index: PerfectIndex) -> Iterator[LayerTable]:
    """Yield the layers from the full board to the empty one, every block checked."""
    for ply in range(index.cells, -1, -1):
        yield read_layer(folder, about, index, ply)
