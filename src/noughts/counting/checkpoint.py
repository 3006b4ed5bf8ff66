"""A walk through the layers, saved to a file between plies so that it can be taken up again."""

from __future__ import annotations

import json
import os
import time
import zipfile
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from noughts.counting.census import PlyCounts
from noughts.counting.question import Question
from noughts.domain.errors import InputError
from noughts.kernels.records import Groups

__all__ = ["Checkpoint", "State"]

_FORMAT = 1


@dataclass(frozen=True)
class State:
    """Where a walk stands: the rows so far, and the unfinished classes of the last ply (None when the walk is over)."""

    rows: tuple[PlyCounts, ...]
    layer: Groups | None
    open_paths: int
    limbs: int


class Checkpoint:
    """The file of one walk of a question; without a path nothing is saved.

    `number` tells the walks of a question apart; `every` is the least number of seconds between two savings.
    The file is written under another name and renamed, so that an interruption never leaves half of one.
    """

    def __init__(self, path: Path | None, question: Question, number: int, every: float = 10.0) -> None:
        self._path = path if path is None or number == 0 else path.with_name(f"{path.name}.{number}")
        self._key = f"{_FORMAT} {number} {question!r}"
        self._every = every
        self._last = time.monotonic()

    def load(self) -> State | None:
        """Return the saved state, or None where there is no file. Raises InputError for a file of something else."""
        if self._path is None or not self._path.exists():
            return None
        try:
            with self._path.open("rb") as file, np.load(file, allow_pickle=False) as saved:
                head = json.loads(str(saved["head"]))
                if head["key"] == self._key:
                    return _state(head, saved)
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            pass
        raise InputError(f"{self._path} is no saved state of this question: name another file, or remove it")

    def save(self, state: State) -> None:
        """Save a state if enough time has passed, or if the walk is over."""
        if self._path is None or (state.layer is not None and time.monotonic() - self._last < self._every):
            return
        head = {
            "key": self._key,
            "rows": [[None if count is None else str(count) for count in astuple(row)] for row in state.rows],
            "over": state.layer is None,
            "open_paths": str(state.open_paths),
            "limbs": state.limbs,
        }
        arrays = state.layer._asdict() if state.layer is not None else {}
        temporary = self._path.with_name(self._path.name + ".part")
        with temporary.open("wb") as file:
            np.savez(file, head=np.array(json.dumps(head)), **arrays)
        os.replace(temporary, self._path)
        self._last = time.monotonic()

    def discard(self) -> None:
        """Remove the file."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _state(head: dict[str, object], saved: np.lib.npyio.NpzFile) -> State:
    rows = head["rows"]
    assert isinstance(rows, list)
    counts = []
    for ply, *columns in rows:
        counts.append(PlyCounts(int(ply), *(None if count is None else int(count) for count in columns)))
    layer = None if head["over"] else Groups(*(saved[name] for name in Groups._fields))
    return State(tuple(counts), layer, int(str(head["open_paths"])), int(str(head["limbs"])))
