"""How long work says how far it has come."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "silent"]

Progress = Callable[[int, int, str], None]
"""Called with the work done, the work in all, and what is being done."""


def silent(done: int, whole: int, what: str) -> None:
    """Say nothing."""
