"""A walk through the layers, kept in a folder between plies so that it can be taken up again."""

from __future__ import annotations

import json
import time
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noughts.counting.census import PlyCounts
from noughts.counting.checkpoints import Checkpoints
from noughts.counting.question import Question
from noughts.kernels.layers.records import Groups
from noughts.machine.reading import parse_json
from noughts.solving.layers.forward import joined

__all__ = ["Checkpoint", "State"]


@dataclass(frozen=True)
class State:
    """Where a walk stands: the rows so far, and the last ply's unfinished classes in parts (None: it is over)."""

    rows: tuple[PlyCounts, ...]
    layer: list[Groups] | None
    open_paths: int


class Checkpoint:
    """The state of one walk of a question; without a folder nothing is kept.

    `number` tells the walks of a question apart; `every` is the least number of seconds between two savings. The rows
    of a walk that is over stay in the folder.
    """

    def __init__(self, folder: Path | None, question: Question, number: int, every: float = 5.0) -> None:
        self._store = Checkpoints(folder) if folder is not None else None
        self._key = f"layered {number} {question.identity}"
        self._every = every
        self._last = time.monotonic()

    def load(self) -> State | None:
        """Return the state that was kept, or None where there is none. Raises CheckError for a damaged file."""
        if self._store is None:
            return None
        found = self._store.result(self._key)
        if found is not None:
            return State(_rows(found["rows"]), None, 0)
        arrays = self._store.arrays(self._key, ("head", *Groups._fields))
        if arrays is None:
            return None
        head = parse_json(str(arrays["head"]), "a checkpoint")
        layer = Groups(*(arrays[name] for name in Groups._fields))
        return State(_rows(head["rows"]), [layer], int(head["open_paths"]))

    def save(self, state: State) -> None:
        """Keep a state if enough time has passed, or if the walk is over."""
        if self._store is None:
            return
        rows = [[None if count is None else str(count) for count in astuple(row)] for row in state.rows]
        if state.layer is None:
            self._store.keep_result(self._key, {"rows": rows})
        elif time.monotonic() - self._last >= self._every:
            head = json.dumps({"rows": rows, "open_paths": str(state.open_paths)})
            self._store.keep_arrays(self._key, {"head": np.array(head), **joined(state.layer)._asdict()})
            self._last = time.monotonic()


def _rows(kept: list[list[Any]]) -> tuple[PlyCounts, ...]:
    return tuple(
        PlyCounts(int(ply), *(None if count is None else int(count) for count in columns)) for ply, *columns in kept
    )
