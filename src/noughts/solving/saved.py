"""Tables on disk: one directory for a board, written from the last layer to the first.

    table.json        board, rules, layout and codes in words; the layers that exist show how far the table goes
    leads-PP.sets     the canonical line-free sets of PP X, rising, unsigned 32 bits each
    layer-TT.values   the entries of ply TT, and in its header how its values are distributed; a large layer is in
                      portions, layer-TT.0000.values and so on

The files are complete or absent, so a killed run resumes with the missing ones. The header of each file names its table
and its place in the table: see `solving.saving.files`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt

from noughts.machine.budget import Estimate, disk_room, format_size
from noughts.machine.files import hold_folder, make_folder, require_folder, write_file
from noughts.machine.workers import SERIAL, Progress, Workers
from noughts.rules.board import Board
from noughts.rules.errors import CheckError, FileError, InputError, NoughtsError
from noughts.rules.marks import cells_of
from noughts.rules.position import Position
from noughts.solving.blockfile import sealed_json
from noughts.solving.index import LayerShape, PerfectIndex, ply_marks
from noughts.solving.retrograde import SET_BYTES, table_sizes
from noughts.solving.saving.files import (
    DESCRIPTION,
    LayerFiles,
    belonging,
    board_of,
    description,
    is_table_of,
    leads_path,
    plies_of,
    portions,
    read_description,
)
from noughts.solving.saving.making import READ_BYTES, TableWriter
from noughts.solving.tables import BackwardPass, LayerTable, TableSolution
from noughts.solving.values import PlyValues, decode, reached

BASE_BYTES = 100_000_000
SEARCH_BYTES = 32
"""Peak memory of the search for the sets of X, for each set and blank cell."""


class SavedTables:
    """The tables of a directory, mapped into memory. It checks every header at once, and every block at its first use.

    Raises InputError where the table or a part is missing, CheckError where a file is damaged or belongs elsewhere.
    """

    def __init__(self, folder: Path) -> None:
        self.about = about = read_description(folder)
        self.packed, self.board = bool(about["packed"]), board_of(about)
        self.index = PerfectIndex(self.board)
        self._leads: dict[int, npt.NDArray[np.int64]] = {}
        cells, marks = self.board.cells, range((self.board.cells + 1) // 2 + 1)
        _require_there(folder, self.board, [leads_path(folder, p) for p in marks])
        self._sets = [belonging(leads_path(folder, p), about, marks=p) for p in marks]
        for file in self._sets:
            file.require(blocks=file.about["bytes"] // 4)
        blocks = [file.about["blocks"] for file in self._sets]
        self.layers = [LayerFiles(folder, about, ply, blocks[ply_marks(ply)[0]]) for ply in range(cells + 1)]
        _require_there(folder, self.board, [layer.path(n) for layer in self.layers for n in range(len(layer.cuts))])
        for layer in self.layers:
            layer.require_own()

    def leads(self, marks: int) -> npt.NDArray[np.int64]:
        """Return the canonical line-free sets of a number of X. Raises CheckError where they are damaged."""
        if marks not in self._leads:
            self._leads[marks] = self._sets[marks].check_all().view("<u4").astype(np.int64)
        return self._leads[marks]

    def code(self, position: Position) -> int:
        """Return the code of a reachable position in which X has no line."""
        files = self.layers[position.ply]
        block, entry = self.index.place(position.x, position.o, self.leads(position.x.bit_count()))
        if self.packed:
            return files.byte(block, entry // 4) >> 2 * (entry % 4) & 3
        return files.byte(block, entry)

    def counts(self) -> tuple[PlyValues, ...]:
        """Return the distribution of values, ply by ply, from the headers."""
        return reached(layer.counts() for layer in self.layers)


def _require_there(folder: Path, board: Board, paths: list[Path]) -> None:
    """Raise InputError where a file of a table is missing."""
    missing = [path.name for path in paths if not path.is_file()]
    if missing:
        what = missing[0] if len(missing) == 1 else f"{missing[0]} to {missing[-1]}"
        raise InputError(
            f"{folder} is not complete, it lacks {what}: resume with noughts solve {board} --save {folder} --resume"
        )


def open_solution(folder: Path, board: Board | None = None, start: Position | None = None) -> TableSolution:
    """Return the solution in a directory. Raises InputError where it is of another board, or not complete."""
    tables = SavedTables(folder)
    if board is not None and not is_table_of(tables.about, board):
        raise InputError(f"{folder} is the table of {tables.board}, not of {board}: name the right directory or board")
    return TableSolution(tables.board, tables, start)


def save_solution(
    folder: Path,
    board: Board,
    *,
    packed: bool,
    workers: Workers = SERIAL,
    resume: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write the tables of a board, last layer first.

    Memory: the sets of X, and portions of two layers for each worker.

    Parameters
    ----------
    folder:
        the directory of the table; all workers must see it
    board:
        the board
    packed:
        whether to write values only, in two bits, without remoteness
    workers:
        the workers that compute the layers
    resume:
        whether to resume where a killed run stopped
    progress:
        a function that is called with the progress

    Raises
    ------
    InputError
        where the directory holds something else
    FileError
        where the directory cannot be written to, or another run uses it
    """
    make_folder(folder)
    with hold_folder(folder):
        _prepare(folder, board, packed, resume)
        TableWriter(folder, read_description(folder), board, workers, progress).write()


def require_room(folder: Path, board: Board, *, packed: bool) -> None:
    """Raise FileError where a folder cannot be written to, or its disk has less room than the table needs."""
    require_folder(folder)
    sizes, free = table_sizes(board), disk_room(folder)
    values = sum(size // 4 for size in sizes)
    needed = values if packed else sum(sizes)
    if needed > free:
        smaller = "" if packed or values > free else "add --values-only, or "
        raise FileError(
            f"the table of {board} takes about {format_size(needed)} and {folder.absolute()} has room for "
            f"{format_size(free)}: {smaller}name another disk"
        )


def saving_estimate(board: Board, *, packed: bool, workers: int) -> Estimate:
    """Return the estimate of memory, with a number of workers in this process, and of disk for saving; sampled."""
    cells, sizes = board.cells, table_sizes(board)
    sets, met, widest = 0, 0, 0
    for ply, entries in enumerate(sizes):
        marks = ply_marks(ply)[0]
        blocks = entries // comb(cells - marks, ply // 2) + 1
        stride = LayerShape.of(cells, ply, 1, packed).stride
        widest = max(widest, max((b - a for a, b in portions(cells, marks, blocks, packed)), default=0) * stride)
        if ply in plies_of(cells, marks)[:1]:
            sets, met = sets + blocks, max(met, blocks * (cells - marks))
    shared = BASE_BYTES + 16 * sets + SEARCH_BYTES * met + SET_BYTES * comb(cells, cells // 2)
    disk = sum(size // 4 if packed else size for size in sizes)
    each = 2 * widest + 2 * min(READ_BYTES, max(sizes))
    return Estimate(shared + workers * each, 0, f"about {sum(sizes):,} entries", disk=disk)


def _prepare(folder: Path, board: Board, packed: bool, resume: bool) -> None:
    """Write the description of the table, or check that the table in the directory can be resumed."""
    if (folder / DESCRIPTION).is_file():
        about = read_description(folder)
        if not resume:
            raise InputError(f"{folder} holds a table of {about['board']}: add --resume, or name another directory")
        if not is_table_of(about, board) or about["packed"] != packed:
            kind = "values only" if about["packed"] else "remoteness"
            raise InputError(f"{folder} holds another table, of {about['board']} with {kind}: name another directory")
        return
    if any(folder.iterdir()):
        raise InputError(f"{folder} is not empty and does not hold a table: name a new directory")
    write_file(folder / DESCRIPTION, (sealed_json(description(board, packed)) + "\n").encode())


def read_layer(tables: SavedTables, ply: int) -> LayerTable:
    """Return a layer from its files, every block checked. Raises CheckError where it does not fit."""
    files = tables.layers[ply]
    return LayerTable(files.shape, files.whole(), files.counts())


SAMPLES = 40


@dataclass(frozen=True)
class Finding:
    """The result of the audit of one part of a table: its name, whether it is right, and a description."""

    part: str
    ok: bool
    what: str


def audit(folder: Path, workers: Workers = SERIAL) -> Iterator[Finding]:
    """Yield a finding for each part of the table in a directory; it ends at the first wrong part.

    It finds the sets of X again. The kernels compute each layer again from the file of the next layer, and every byte
    must agree. Plain Python values some positions of the layer from their successors. Raises InputError where there is
    no table. Memory: three layers.
    """
    tables = SavedTables(folder)
    yield Finding("table.json", True, f"{tables.board}, {'values only' if tables.packed else 'with remoteness'}")
    backward = BackwardPass(tables.index, packed=tables.packed, workers=workers)
    following: LayerTable | None = None

    def sets(marks: int) -> str:
        layer = tables.index.layers[marks]
        if not np.array_equal(tables.leads(marks), layer.masks):
            raise CheckError("other sets expected")
        return f"{len(layer.masks):,} canonical line-free sets"

    def layer(ply: int) -> str:
        nonlocal following
        stored = read_layer(tables, ply)
        _require_same(stored, backward.layer(ply, following))
        following = stored
        sampled = _sample(tables, stored)
        return f"{stored.shape.entries:,} entries from their successors, {sampled} more in plain Python"

    parts = [(f"sets of {marks} X", sets, marks) for marks in range(len(tables.index.layers))]
    for part, check, number in (*parts, *((f"ply {ply}", layer, ply) for ply in range(tables.board.cells, -1, -1))):
        try:
            yield Finding(part, True, check(number))
        except (NoughtsError, FileNotFoundError) as error:
            missing = f"{error.filename} is missing" if isinstance(error, FileNotFoundError) else str(error)
            yield Finding(part, False, missing)
            return


def _require_same(stored: LayerTable, again: LayerTable) -> None:
    if stored.counts != again.counts:
        raise CheckError("the distribution of values in the header differs")
    if not np.array_equal(stored.data, again.data):
        wrong = int(np.flatnonzero(stored.data != again.data)[0])
        raise CheckError(f"byte {wrong:,} of the data differs from what its successors say")


def _sample(tables: SavedTables, stored: LayerTable) -> int:
    """Value some positions of a layer from their successors without the kernels. Raises CheckError on a difference."""
    solution, dice = TableSolution(tables.board, tables), random.Random(stored.shape.ply)
    p, q = ply_marks(stored.shape.ply)
    count = 0
    for _ in range(min(SAMPLES, stored.shape.entries)):
        x = int(tables.leads(p)[dice.randrange(stored.shape.blocks)])
        blanks = list(cells_of(tables.board.full & ~x))
        position = Position(tables.board, x, sum(1 << cell for cell in dice.sample(blanks, q)))
        found = decode(tables.code(position), tables.packed) if not position.problems() else None
        if found is None or position.outcome is not None:
            continue
        best = solution.moves(position)[0]
        plies = None if tables.packed or best.value == "draw" or best.remoteness is None else best.remoteness + 1
        if found != (best.value, plies):
            raise CheckError(f"{position} is stored as {found[0]}, but its value is {best.value}")
        count += 1
    return count
