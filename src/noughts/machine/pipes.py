"""Pipes to the process that started this one: its standard streams, taken so that nobody else writes into them."""

from __future__ import annotations

import os
from typing import IO

__all__ = ["take_pipes"]


def take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return where this process reads and where it writes; what anybody prints goes to standard error from now on."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return source, target
