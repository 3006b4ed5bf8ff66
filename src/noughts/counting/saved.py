"""The state of a walk through layers, saved in a folder between plies so that another run can resume it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from noughts.counting.census import PlyCounts, rows_from
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.reading import parse_json


class Checkpoint:
    """The saved state of one walk: its rows, and the arrays of its last layer; without a folder nothing is saved.

    `key` identifies the walk; `every` is the least number of seconds between two saves. The rows of a complete walk
    stay in the folder.
    """

    def __init__(self, folder: Path | None, key: str, every: float = 5.0) -> None:
        self._store, self._key, self._every = Checkpoints(folder), key, every
        self._last = time.monotonic()

    def load(self, names: Sequence[str]) -> tuple[tuple[PlyCounts, ...], dict[str, Any] | None]:
        """Return the saved rows and the named arrays, None for a complete walk. Raises CheckError for a damaged file.

        Before the first saved state the rows are empty.
        """
        if (found := self._store.result(self._key)) is not None:
            return rows_from(found), None
        if (arrays := self._store.arrays(self._key, ("head", *names))) is None:
            return (), None
        return rows_from(parse_json(str(arrays.pop("head")), "a checkpoint")), arrays

    def save(self, rows: Sequence[PlyCounts], arrays: Callable[[], dict[str, Any]] | None) -> None:
        """Save a state if enough time has passed, or if the walk is complete and has no arrays."""
        records = [row.as_dict() for row in rows]
        if arrays is None:
            self._store.keep_result(self._key, records)
        elif self._store.folder is not None and time.monotonic() - self._last >= self._every:
            import numpy as np

            self._store.keep_arrays(self._key, {"head": np.array(json.dumps(records)), **arrays()})
            self._last = time.monotonic()
