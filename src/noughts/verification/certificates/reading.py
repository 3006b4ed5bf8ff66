"""The text of a certificate, from a file or from standard input, no longer than a certificate is; and what it holds."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from noughts.domain.errors import FileError, InputError, shown
from noughts.machine.reading import SIZE_LIMIT, read_text

__all__ = ["STANDARD_INPUT", "read_certificate", "text_under"]

STANDARD_INPUT = "-"


def read_certificate(path: str | Path) -> str:
    """Return the text in a file; `-` is standard input.

    Raises FileError for a file that cannot be read, and InputError for one that is too long, is a folder, is a pipe
    that nobody writes to, or is no text.
    """
    try:
        return _typed() if str(path) == STANDARD_INPUT else read_text(Path(path), said="it")
    except InputError:
        raise
    except IsADirectoryError:
        raise InputError("it is a folder: name a file, or judge a table with noughts verify DIRECTORY") from None
    except UnicodeDecodeError:
        raise InputError("it is no certificate: it holds bytes that are no text") from None
    except (OSError, ValueError) as error:
        raise FileError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _typed() -> str:
    data = sys.stdin.buffer.read(SIZE_LIMIT + 1)
    if len(data) > SIZE_LIMIT:
        raise InputError(f"it has more than {SIZE_LIMIT // 2**20} MB: no certificate is so long")
    return data.decode("utf-8")


def text_under(record: Mapping[str, Any], key: str) -> str:
    """Return the text that a certificate of JSON has under a key. Raises InputError where it is none."""
    value = record.get(key)
    if not isinstance(value, str):
        raise InputError(f"{key!r} is {shown(value)}: it must be a text")
    return value
