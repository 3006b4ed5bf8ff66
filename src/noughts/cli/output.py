"""Where an answer goes: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import sys
from pathlib import Path

from noughts.domain.errors import InputError

__all__ = ["deliver"]


def deliver(data: str | bytes, path: str | None, *, force: bool = False) -> None:
    """Print text, or write text or bytes to a file; say which file on standard error.

    Raises InputError for bytes without a file, and where the file exists and `force` is not set.
    """
    if path is None:
        if isinstance(data, bytes):
            raise InputError("a picture in this format goes to a file: name it with -o FILE")
        sys.stdout.write(data)
        return
    from noughts.exporting.files import whole_file

    target = Path(path)
    with whole_file(target, force=force) as temporary:
        temporary.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
    print(f"wrote {target}", file=sys.stderr)
