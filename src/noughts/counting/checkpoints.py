"""Work that survives an interruption: one file per unfinished sweep, one small file per finished one.

Files are written under another name and renamed, so a kill at any moment leaves the last whole one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

from noughts.domain.errors import CheckError, InputError

__all__ = ["Checkpoints"]

_FORMAT = 1


class Checkpoints:
    """A folder with the state of sweeps, each under a key that says exactly what is being counted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"--resume {folder} is no folder that can be used ({error.strerror}): name another"
            ) from None

    def _path(self, key: str, kind: str) -> Path:
        return self.folder / f"{hashlib.sha256(f'{_FORMAT} {key}'.encode()).hexdigest()[:24]}.{kind}"

    def result(self, key: str) -> dict[str, Any] | None:
        """Return what a finished sweep found, or None. Raises CheckError for a damaged file."""
        path = self._path(key, "json")
        try:
            record = json.loads(path.read_text(encoding="ascii"))
            found: dict[str, Any] = record["found"]
            if record["sum"] != _digest(found):
                raise ValueError
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise CheckError(f"{path} is damaged: delete it and start again") from None
        return found

    def keep_result(self, key: str, found: dict[str, Any]) -> None:
        """Write what a finished sweep found and drop its arrays."""
        text = json.dumps({"found": found, "sum": _digest(found)})
        self._write(self._path(key, "json"), lambda file: file.write(text.encode("ascii")))
        self._path(key, "npz").unlink(missing_ok=True)
        self._path(key, "npz.part").unlink(missing_ok=True)

    def arrays(self, key: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the arrays of an unfinished sweep, these names among them, or None.

        Raises CheckError for a damaged file, or one that lacks a name.
        """
        import numpy as np

        path = self._path(key, "npz")
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
                found = {name: stored[name] for name in stored.files}
                if not found.keys() >= set(names):
                    raise KeyError
                return found
        except FileNotFoundError:
            return None
        except (KeyError, TypeError, ValueError, OSError, EOFError, BadZipFile):
            raise CheckError(f"{path} is damaged: delete it and start again") from None

    def keep_arrays(self, key: str, arrays: dict[str, Any]) -> None:
        """Write the arrays of an unfinished sweep in place of the last ones."""
        import numpy as np

        self._write(self._path(key, "npz"), lambda file: np.savez(file, **arrays))

    def _write(self, path: Path, fill: Callable[[IO[bytes]], object]) -> None:
        temporary = path.with_name(f"{path.name}.part")  # one name, so that what a kill left is written over
        try:
            with open(temporary, "wb") as file:
                fill(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError as error:
            raise InputError(f"{path} cannot be written ({error.strerror}): make room or name another folder") from None
        finally:
            temporary.unlink(missing_ok=True)


def _digest(found: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
