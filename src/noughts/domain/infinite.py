"""The infinite board, k in a row: how it is written, `9+infinite`. It has no last cell, so it is no `Board`."""

from __future__ import annotations

import re

from noughts.domain.arguments import wrong_type
from noughts.domain.errors import InvalidBoard, shown
from noughts.domain.spelling import plain

__all__ = ["EXAMPLE", "INFINITE_K_LIMIT", "format_infinite", "infinite_k", "is_infinite"]

EXAMPLE = "9+infinite"
INFINITE_K_LIMIT = 1_000_000
_PATTERN = re.compile(r"(?:([0-9]+)\+infinite|infinite:([0-9]+))")


def is_infinite(text: object) -> bool:
    """Tell whether a text names an infinite board, rightly or wrongly written."""
    return isinstance(text, str) and "infinite" in plain(text).lower()


def format_infinite(k: int) -> str:
    """Return the one printed form."""
    return f"{k}+infinite"


def infinite_k(text: str) -> int:
    """Return how many in a row win on the infinite board that a text names. Raises InvalidBoard and InvalidType.

    >>> infinite_k("9+infinite"), infinite_k("infinite:9")
    (9, 9)
    """
    if not isinstance(text, str):
        raise wrong_type("an infinite board", text, f"text such as {EXAMPLE}")
    match = _PATTERN.fullmatch(re.sub(r"\s", "", plain(text)[:100]).lower())
    if match is None:
        raise InvalidBoard(
            f"{shown(text)} is no infinite board, which has no sides, edges or other options: write only how many in a "
            f"row win, as in {EXAMPLE}"
        )
    k = int((match[1] or match[2])[:10])
    if not 1 <= k <= INFINITE_K_LIMIT:
        raise InvalidBoard(f"{shown(text)} asks for {k} in a row, it takes 1 to {INFINITE_K_LIMIT:,}: write {EXAMPLE}")
    return k
