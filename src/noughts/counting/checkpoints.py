"""Work that survives an interruption: one file per unfinished sweep, one small file per finished one.

A kill at any moment leaves the last whole file. Each file is sealed for what it counts: neither a damaged one nor one
that was kept for something else is gone on with. Its name says of which format it is: where what an engine keeps is
changed, `FORMAT` is raised.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from noughts.domain.errors import CheckError, InputError, shown
from noughts.machine.files import make_folder, write_file, writing_file
from noughts.machine.reading import parse_json, read_text
from noughts.machine.seals import is_sealed, put_seal

__all__ = ["FORMAT", "Checkpoints"]

FORMAT = 3
_KEPT = re.compile(r"[0-9a-f]{24}(?:-([0-9]{1,6}))?\.(?:json|npz|paths)")
_UNNAMED = "2 or before"
"""The formats whose files did not say so in their names."""


class Checkpoints:
    """A folder with the state of sweeps, each under a key that says exactly what is being counted.

    Raises InputError for a folder of another format, FileError for one that cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_folder(folder)
        _require_format(folder)

    def path(self, key: str, kind: str) -> Path:
        """Return the file of one kind under a key."""
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}-{FORMAT}.{kind}"

    def result(self, key: str) -> dict[str, Any] | None:
        """Return what a finished sweep found, or None. Raises CheckError for a damaged file.

        A run that was killed as it finished may have left the arrays, which nobody needs: they are dropped.
        """
        path = self.path(key, "json")
        try:
            record = parse_json(read_text(path), str(path))
            found: dict[str, Any] = record["found"]
            if record["sum"] != _digest(key, found):
                raise ValueError
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise CheckError(f"{path} is damaged: delete it and start again") from None
        self._drop_arrays(key)
        return found

    def keep_result(self, key: str, found: dict[str, Any]) -> None:
        """Write what a finished sweep found and drop its arrays."""
        text = json.dumps({"found": found, "sum": _digest(key, found)})
        write_file(self.path(key, "json"), text.encode("ascii"))
        self._drop_arrays(key)

    def _drop_arrays(self, key: str) -> None:
        """Remove the arrays of a sweep that is finished; where that fails they do no harm."""
        with suppress(OSError):
            self.path(key, "npz").unlink()

    def arrays(self, key: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the arrays of an unfinished sweep, these names among them, or None.

        Raises CheckError for a damaged file, or one that lacks a name.
        """
        import numpy as np

        path = self.path(key, "npz")
        if not path.is_file():
            return None
        if is_sealed(path, key):
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
                found = {name: stored[name] for name in stored.files}
            if found.keys() >= set(names):
                return found
        raise CheckError(f"{path} is damaged: delete it and start again")

    def keep_arrays(self, key: str, arrays: dict[str, Any]) -> None:
        """Write the arrays of an unfinished sweep in place of the last ones."""
        import numpy as np

        with writing_file(self.path(key, "npz")) as temporary:
            with open(temporary, "wb") as file:
                np.savez(file, **arrays)
            put_seal(temporary, key)


def _require_format(folder: Path) -> None:
    """Raise InputError where another version of noughts kept something in a folder, earlier or later."""
    names = (_KEPT.fullmatch(path.name) for path in folder.iterdir())
    others = sorted({name[1] or _UNNAMED for name in names if name} - {str(FORMAT)})
    if others:
        raise InputError(
            f"{shown(str(folder), 200)} keeps work of format {others[0]}, and this noughts reads format {FORMAT}: "
            "go on with the version that began it, or name an empty folder"
        )


def _digest(key: str, found: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps([key, found], sort_keys=True).encode()).hexdigest()
