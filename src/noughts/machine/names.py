"""Names that files can have: the system takes neither a zero nor half a character in one."""

from __future__ import annotations

import os
from pathlib import Path

from noughts.domain.errors import InputError, shown

__all__ = ["require_name"]


def require_name(path: Path, said: str | None = None) -> None:
    """Raise InputError where no file can have a name, whatever is there; it is called by its path unless it is `said`.

    What else may be wrong with a name, such as its length, the system says when it is used.
    """
    try:
        zero = b"\0" in os.fsencode(path)
    except UnicodeEncodeError:
        zero = True
    if zero:
        raise InputError(f"{said or shown(str(path), 200)} is no name that a file can have: name another")
