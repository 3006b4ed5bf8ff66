"""Checking tables on disk: every value derived again from those of its successors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from noughts.domain.bits import cells_of
from noughts.domain.errors import NoughtsError
from noughts.domain.position import Position
from noughts.machine.workers import SERIAL, Workers
from noughts.solving.backward import BackwardPass, LayerTable
from noughts.solving.codes import decode
from noughts.solving.saved import SavedTables, saved_layers
from noughts.solving.tables import TableSolution

__all__ = ["Finding", "audit"]

SAMPLES = 40


@dataclass(frozen=True)
class Finding:
    """What became of one part of a table: its name, whether it is right, and in words what was found."""

    part: str
    ok: bool
    what: str


def audit(folder: Path, workers: Workers = SERIAL) -> Iterator[Finding]:
    """Yield a finding for each part of the table in a directory; it ends at the first part that is wrong.

    The sets of X are found again; each layer is computed again from the next one as it stands in its file, by the
    kernels, and compared byte by byte; and some positions of it are valued in plain Python from their successors.
    Raises InputError where there is no table. Memory: three layers.
    """
    tables = SavedTables(folder)
    part = "table.json"
    try:
        yield Finding(part, True, f"{tables.board}, {'values only' if tables.packed else 'with remoteness'}")
        for marks, layer in enumerate(tables.index.layers):
            part = f"sets of {marks} X"
            same = np.array_equal(tables.leads(marks), layer.masks)
            yield Finding(
                part, same, f"{len(layer.masks):,} canonical line-free sets" if same else "other sets expected"
            )
            if not same:
                return
        backward = BackwardPass(tables.index, packed=tables.packed, workers=workers)
        following: LayerTable | None = None
        part = f"ply {tables.board.cells}"
        for stored in saved_layers(tables):
            part = f"ply {stored.shape.ply}"
            finding = _compare(tables, stored, backward.layer(stored.shape.ply, following))
            yield finding
            if not finding.ok:
                return
            following = stored
            part = f"ply {stored.shape.ply - 1}"
    except NoughtsError as error:
        yield Finding(part, False, str(error))
    except FileNotFoundError as error:
        yield Finding(part, False, f"{error.filename} is missing")


def _compare(tables: SavedTables, stored: LayerTable, again: LayerTable) -> Finding:
    part = f"ply {stored.shape.ply}"
    if stored.counts != again.counts:
        return Finding(part, False, "the distribution of values in the header differs")
    if not np.array_equal(stored.data, again.data):
        wrong = int(np.flatnonzero(stored.data != again.data)[0])
        return Finding(part, False, f"byte {wrong:,} of the data differs from what its successors say")
    sampled = _sample(tables, stored)
    return Finding(
        part, True, f"{stored.shape.entries:,} entries from their successors, {sampled} more in plain Python"
    )


def _sample(tables: SavedTables, stored: LayerTable) -> int:
    """Value some positions of a layer from their successors without the kernels; CheckError where one differs."""
    solution = TableSolution(tables.index, tables)
    dice = random.Random(stored.shape.ply)
    count = 0
    for _ in range(min(SAMPLES, stored.shape.entries)):
        position = _random_position(tables, stored, dice)
        found = decode(tables.code(position), tables.packed) if not position.problems() else None
        if found is None or position.outcome is not None:
            continue
        moves = solution.moves(position)
        value, plies = moves[0].value, moves[0].remoteness
        expected = None if tables.packed or value == "draw" or plies is None else plies + 1
        if found != (value, expected):
            from noughts.domain.errors import CheckError

            raise CheckError(f"{position} is kept as {found[0]} and is {value}")
        count += 1
    return count


def _random_position(tables: SavedTables, stored: LayerTable, dice: random.Random) -> Position:
    p, q = (stored.shape.ply + 1) // 2, stored.shape.ply // 2
    x = int(tables.leads(p)[dice.randrange(stored.shape.blocks)])
    blanks = list(cells_of(tables.board.full & ~x))
    return Position(tables.board, x, sum(1 << cell for cell in dice.sample(blanks, q)))
