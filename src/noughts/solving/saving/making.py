"""Work items of a table on disk: a portion of the sets of X, with both plies where X has this number of marks.

An item reads blocks of the next layer, and writes the files of its portion to a folder that all workers see. It does
nothing else, so doing it twice does no harm.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from math import comb
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import ranks
from noughts.kernels.index.retrograde import LayerCodes
from noughts.machine.workers import Workers
from noughts.rules.board import Board
from noughts.rules.errors import CheckError, FileError
from noughts.solving.blockfile import write_block_file
from noughts.solving.index import LeadSets
from noughts.solving.saving.files import LayerFiles, belonging, leads_path, plies_of, table_id
from noughts.solving.tables import (
    BlockSets,
    LeadBlocks,
    ReplyBlocks,
    block_rules,
    count_won_beside,
    distribution,
    fill_leads,
    fill_replies,
    new_tally,
    won_distribution,
)

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int, int, str], None]
READ_BYTES = 1 << 26
"""Approximate memory for blocks of the next layer."""
BYTES_A_SET = 12
"""Memory for each set of O and its threats."""


class Portion(NamedTuple):
    """The number of a portion, and the sets of X with a line whose positions it counts."""

    number: int
    won: Ints


class TwoLayers:
    """The data that the items for the plies with `marks` X share: the board, and the files of their sets and layers.

    `files` has the files of these plies, `after` those of the next ply, if any. Each process computes the sets of O and
    their threats once.
    """

    def __init__(
        self, board: Board, permutations: Ints, marks: int, files: dict[int, LayerFiles], after: LayerFiles | None
    ) -> None:
        self.board, self.permutations, self.marks = board, permutations, marks
        self.files, self.after = files, after
        self._lock = Lock()
        self._sets: dict[int, BlockSets] = {}

    def __reduce__(self) -> tuple[type[TwoLayers], tuple[object, ...]]:
        return TwoLayers, (self.board, self.permutations, self.marks, self.files, self.after)

    def sets(self, ply: int) -> BlockSets:
        """Return the sets of O beside the blocks of a ply."""
        with self._lock:
            if ply not in self._sets:
                board, taken, blanks = self.board, ply // 2, self.board.cells - self.marks
                packed = bool(self.files[ply].about["packed"])
                rules = block_rules(self.permutations, board, packed=packed)
                threats = ranks.threat_table(ranks.subsets(board.cells, taken), board.line_masks)
                subsets = ranks.subsets(blanks, taken)
                self._sets[ply] = BlockSets(rules, board.line_masks, blanks, taken, subsets, threats)
            return self._sets[ply]

    def leads(self, marks: int) -> npt.NDArray[np.uint32]:
        """Return the canonical sets of a number of X, mapped. Raises FileError where this machine cannot see them."""
        files = next(iter(self.files.values()))
        path = leads_path(files.folder, marks)
        if not path.is_file():
            raise FileError(
                f"the worker on {socket.gethostname()} cannot see {path}: give the full path of a folder that all "
                "machines share"
            )
        return belonging(path, files.about, marks=marks).data.view("<u4")


def make_portion(step: TwoLayers, portion: Portion) -> None:
    """Write the files of a portion, for the ply where X is to move and for the ply before it.

    Raises FileError, CheckError.
    """
    plies = plies_of(step.board.cells, step.marks)
    begin, end = step.files[plies[0]].cuts[portion.number]
    leads = step.leads(step.marks)[begin:end].astype(np.int64)
    data = np.zeros(0, np.uint8)
    for ply in reversed(plies):
        files = step.files[ply]
        data, tally = _o_to_move(step, ply, leads, data) if ply % 2 else _x_to_move(step, ply, leads)
        counts = distribution(ply, tally, packed=bool(files.about["packed"]))
        if ply % 2 and len(portion.won):
            counts += won_distribution(ply, count_won_beside(step.sets(ply), portion.won), step.board)
        files.write(portion.number, data, counts)


def _x_to_move(step: TwoLayers, ply: int, leads: Ints) -> tuple[Bytes, Ints]:
    """Return the blocks where X is to move, and the number of each code."""
    sets, stride, after = step.sets(ply), step.files[ply].shape.stride, step.after
    data, tally = np.empty(len(leads) * stride, np.uint8), new_tally()
    left, after_stride = max(sets.blanks - 1, 0), 0 if after is None else after.shape.stride
    low = ranks.half_ranks(left, min(sets.taken, left))
    length = max(1, READ_BYTES // max(1, sets.blanks * after_stride))
    for start in range(0, len(leads), length):
        some = leads[start : start + length]
        blocks, needed = _with_children(step, some, sets.blanks)
        codes = np.zeros(0, np.uint8) if after is None else after.take(needed)
        part = data[start * stride : (start + len(some)) * stride]
        tally += fill_leads((sets, low, LayerCodes(codes, after_stride, 0)), blocks, part)
    return data, tally


def _with_children(step: TwoLayers, leads: Ints, blanks: int) -> tuple[LeadBlocks, Ints]:
    """Return blocks with their children, and the numbers of all children; blocks refer to children by their place."""
    if step.after is None:
        none = np.full((len(leads), blanks), -1, np.int32)
        return LeadBlocks(leads, none, none.astype(np.uint16)), np.zeros(0, np.int64)
    known = step.leads(step.marks + 1)
    cells = ranks.blanks(leads, step.board.cells, blanks).astype(np.int64)
    best, element = ranks.canonical_images(
        (leads[:, None] | (np.int64(1) << cells)).ravel(), ranks.images(step.permutations)
    )
    number = np.searchsorted(known, best.astype(np.uint32)).astype(np.int64)
    there = number < len(known)
    there[there] = known[number[there]] == best[there]
    needed = np.unique(number[there])
    child = np.where(there, np.searchsorted(needed, number), -1).astype(np.int32)
    return LeadBlocks(leads, child.reshape(cells.shape), element.reshape(cells.shape)), needed


def _o_to_move(step: TwoLayers, ply: int, leads: Ints, even: Bytes) -> tuple[Bytes, Ints]:
    """Return the blocks where O is to move, computed from the same blocks with one more O."""
    sets, stride = step.sets(ply), step.files[ply].shape.stride
    data = np.empty(len(leads) * stride, np.uint8)
    if not len(leads):
        return data, new_tally()
    shared = (sets, ranks.supersets(sets.blanks, sets.taken), len(even) // len(leads))
    return data, fill_replies(shared, ReplyBlocks(leads, even), data)


class TableWriter:
    """Writes the missing files of a table, last ply first; workers compute the portions.

    The files do not depend on the workers. All workers must see the folder.
    """

    def __init__(
        self, folder: Path, about: dict[str, Any], board: Board, workers: Workers, progress: Progress | None
    ) -> None:
        self._folder, self._about, self._board = folder.absolute(), about, board
        self._workers, self._progress = workers, progress
        self._sets = LeadSets(board.cells, board.line_masks, board.group("board").elements)
        self._layers = {
            ply: LayerFiles(self._folder, about, ply, len(self._sets.layers[marks][0]))
            for marks in range((board.cells + 1) // 2 + 1)
            for ply in plies_of(board.cells, marks)
        }
        self._whole = sum(files.shape.entries for files in self._layers.values())
        self._done = 0

    def write(self) -> None:
        """Write all missing files. Raises CheckError where a file is damaged or belongs to another table."""
        self._write_sets()
        for files in self._layers.values():
            files.require_own()
        made_after = False
        for marks in range((self._board.cells + 1) // 2, -1, -1):
            plies = plies_of(self._board.cells, marks)
            missing = sorted({number for ply in plies for number in self._layers[ply].missing()})
            if missing and not made_after and marks * 2 < self._board.cells:
                after = self._layers[2 * marks + 1]
                for _ in self._workers.map(LayerFiles.check, after, range(len(after.cuts))):
                    pass
            self._make(marks, missing)
            made_after = bool(missing)
        if self._progress is not None:
            self._progress(self._whole, self._whole, f"solving {self._board}")

    def _write_sets(self) -> None:
        """Write the sets of X, or check the existing files."""
        for marks, (masks, _) in enumerate(self._sets.layers):
            path, data = leads_path(self._folder, marks), masks.astype("<u4").view(np.uint8)
            if not path.is_file():
                header = {"of": table_id(self._about), "board": self._about["board"], "marks": marks}
                write_block_file(path, data, {**header, "blocks": len(masks)})
            elif not np.array_equal(belonging(path, self._about, marks=marks).check_all(), data):
                raise CheckError(f"{path} holds other sets than those of {self._board}: write the table again")

    def _make(self, marks: int, missing: list[int]) -> None:
        """Compute the missing portions of the plies where X has this number of marks."""
        board, won = self._board, self._sets.layers[marks][1]
        files = {ply: self._layers[ply] for ply in plies_of(board.cells, marks)}
        cuts = next(iter(files.values())).cuts
        entries = [sum((b - a) * some.shape.size for some in files.values()) for a, b in cuts]
        self._tell(sum(entries) - sum(entries[number] for number in missing))
        if not missing:
            return
        step = TwoLayers(board, self._sets.permutations, marks, files, self._layers.get(2 * marks + 1))
        ends = [len(won) * number // len(cuts) for number in range(len(cuts) + 1)]
        items = (Portion(number, won[ends[number] : ends[number + 1]]) for number in missing)
        shared = BYTES_A_SET * sum(comb(board.cells, ply // 2) for ply in files)
        each = sum(max(b - a for a, b in cuts) * some.shape.stride for some in files.values())
        self._workers.together(len(missing), shared, each + 2 * READ_BYTES)
        for number, _ in zip(missing, self._workers.map(make_portion, step, items), strict=True):
            self._tell(entries[number])

    def _tell(self, entries: int) -> None:
        self._done += entries
        if self._progress is not None and self._done < self._whole:
            self._progress(self._done, self._whole, f"solving {self._board}")
