"""Saved states of long work in a folder, from which a later run resumes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from noughts.machine.files import is_sealed, make_folder, put_seal, write_file, writing_file
from noughts.machine.reading import parse_json, read_text
from noughts.rules.errors import CheckError, InputError, shown

FORMAT = 6
"""The format of saved work, a part of each file's name; it is raised when an engine saves other data."""

_SAVED = re.compile(r"[0-9a-f]{24}(?:-([0-9]{1,6}))?\.(?:json|npz|paths)")


class Checkpoints:
    """A folder with the saved state of sweeps, each under a key that says exactly what is counted.

    Each unfinished sweep has one file, and each finished sweep one small file. A run that is killed at any moment
    leaves the last complete file. Each file is sealed for its key, so a damaged file is never used, nor a file of
    another question. Without a folder nothing is saved. Raises InputError for a folder of another format, FileError for
    one that cannot be used.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        if folder is None:
            return
        make_folder(folder)
        names = (_SAVED.fullmatch(path.name) for path in folder.iterdir())
        others = sorted({name[1] or "2 or before" for name in names if name} - {str(FORMAT)})
        if others:
            raise InputError(
                f"{shown(str(folder), 200)} has work of format {others[0]}, but this noughts reads format {FORMAT}: "
                "use the former version or an empty folder"
            )

    def path(self, key: str, kind: str) -> Path:
        """Return the file of one kind under a key. Assumes a folder."""
        assert self.folder is not None
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}-{FORMAT}.{kind}"

    def result(self, key: str) -> Any:
        """Return the result of a finished sweep, or None. Raises CheckError for a damaged file.

        Also removes the arrays of a finished sweep, which a killed run may have left behind.
        """
        if self.folder is None:
            return None
        path = self.path(key, "json")
        try:
            record = parse_json(read_text(path), str(path))
            found = record["found"]
            if record["sum"] != _digest(key, found):
                raise ValueError
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise CheckError(f"{path} is damaged: delete it and start again") from None
        self._drop_arrays(key)
        return found

    def keep_result(self, key: str, found: Any) -> None:
        """Save the result of a finished sweep and remove its arrays."""
        if self.folder is not None:
            text = json.dumps({"found": found, "sum": _digest(key, found)})
            write_file(self.path(key, "json"), text.encode("ascii"))
            self._drop_arrays(key)

    def _drop_arrays(self, key: str) -> None:
        with suppress(OSError):  # leftover arrays are harmless
            self.path(key, "npz").unlink()

    def arrays(self, key: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the arrays of an unfinished sweep, or None.

        Raises CheckError for a damaged file, or one that lacks any of `names`.
        """
        path = self.path(key, "npz") if self.folder is not None else None
        if path is None or not path.is_file():
            return None
        import numpy as np

        if is_sealed(path, key):
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
                found = {name: stored[name] for name in stored.files}
            if found.keys() >= set(names):
                return found
        raise CheckError(f"{path} is damaged: delete it and start again")

    def keep_arrays(self, key: str, arrays: dict[str, Any]) -> None:
        """Save the arrays of an unfinished sweep, in place of the former ones."""
        if self.folder is None:
            return
        import numpy as np

        with writing_file(self.path(key, "npz")) as temporary:
            with open(temporary, "wb") as file:
                np.savez(file, **arrays)
            put_seal(temporary, key)


def _digest(key: str, found: Any) -> str:
    return hashlib.sha256(json.dumps([key, found], sort_keys=True).encode()).hexdigest()
