"""A table on disk made layer by layer, last ply first: portions go out to workers, whose files stay in the folder."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from noughts.domain.board import Board
from noughts.domain.errors import CheckError
from noughts.machine.workers import Workers
from noughts.solving.blockfile import write_block_file
from noughts.solving.described import belonging, leads_path, table_id
from noughts.solving.leads import LeadSets
from noughts.solving.saving.layerfiles import LayerFiles
from noughts.solving.saving.making import READ_BYTES, Portion, TwoLayers, check_portion, make_portion
from noughts.solving.saving.portions import plies_of

__all__ = ["TableWriter"]

Progress = Callable[[int, int, str], None]
BYTES_A_SET = 12
"""What the sets of O of one size, and what they threaten, take for each."""


class TableWriter:
    """Writes what is missing of a table; `read` counts the bytes of layers that were read for it.

    Neither the files nor what is in them depend on the workers. All of them have to see the folder.
    """

    def __init__(
        self, folder: Path, about: dict[str, Any], board: Board, workers: Workers, progress: Progress | None
    ) -> None:
        self.read = 0
        self._folder = folder.absolute()
        self._about = about
        self._board = board
        self._workers = workers
        self._progress = progress
        self._sets = LeadSets(board.cells, board.line_masks, board.group("board").elements)
        self._layers = {
            ply: LayerFiles(self._folder, about, ply, len(self._sets.layers[marks][0]))
            for marks in range((board.cells + 1) // 2 + 1)
            for ply in plies_of(board.cells, marks)
        }
        self._whole = sum(files.shape.entries for files in self._layers.values())
        self._done = 0

    def write(self) -> None:
        """Write all that is missing. Raises CheckError where what is there is of another table, or damaged."""
        self._write_sets()
        for files in self._layers.values():
            files.require_own()
        made_after = False
        for marks in range((self._board.cells + 1) // 2, -1, -1):
            plies = plies_of(self._board.cells, marks)
            missing = sorted({number for ply in plies for number in self._layers[ply].missing()})
            if missing and not made_after and marks * 2 < self._board.cells:
                self._check(self._layers[2 * marks + 1])
            self._make(marks, missing)
            made_after = bool(missing)
        if self._progress is not None:
            self._progress(self._whole, self._whole, f"solving {self._board}")

    def _write_sets(self) -> None:
        """Write the sets of X, or see that those that are there are the same."""
        for marks, (masks, _) in enumerate(self._sets.layers):
            path, data = leads_path(self._folder, marks), masks.astype("<u4").view(np.uint8)
            if not path.is_file():
                header = {"of": table_id(self._about), "board": self._about["board"], "marks": marks}
                write_block_file(path, data, {**header, "blocks": len(masks)})
            elif not np.array_equal(belonging(path, self._about, marks=marks).check_all(), data):
                raise CheckError(f"{path} holds other sets than those of {self._board}: write the table again")

    def _check(self, files: LayerFiles) -> None:
        """Check every byte of a layer that another run made."""
        for _ in self._workers.map(check_portion, files, range(len(files.cuts))):
            pass

    def _make(self, marks: int, missing: list[int]) -> None:
        """Make the missing portions of the plies in which X has so many marks."""
        board = self._board
        files = {ply: self._layers[ply] for ply in plies_of(board.cells, marks)}
        cuts = next(iter(files.values())).cuts
        entries = [sum((b - a) * some.shape.size for some in files.values()) for a, b in cuts]
        self._tell(sum(entries) - sum(entries[number] for number in missing))
        if not missing:
            return
        step = TwoLayers.of(board, self._sets.permutations, marks, files, self._layers.get(2 * marks + 1))
        won = self._sets.layers[marks][1]
        items = (
            Portion(number, won[len(won) * number // len(cuts) : len(won) * (number + 1) // len(cuts)])
            for number in missing
        )
        self._workers.together(len(missing), *self._memory(files))
        for number, read in zip(missing, self._workers.map(make_portion, step, items), strict=True):
            self.read += read
            self._tell(entries[number])

    def _memory(self, files: dict[int, LayerFiles]) -> tuple[int, int]:
        """Return the bytes of memory that items share, and those that each takes."""
        shared = BYTES_A_SET * sum(comb(self._board.cells, ply // 2) for ply in files)
        each = sum(max(b - a for a, b in some.cuts) * some.shape.stride for some in files.values())
        return shared, each + 2 * READ_BYTES

    def _tell(self, entries: int) -> None:
        self._done += entries
        if self._progress is not None and self._done < self._whole:
            self._progress(self._done, self._whole, f"solving {self._board}")
