"""Lots: numbers that look as if drawn at random, and are always the same for the same text."""

from __future__ import annotations

from hashlib import sha256
from itertools import count

__all__ = ["drawn"]

_BITS = 256


def drawn(whole: int, text: str) -> int:
    """Return a number below `whole`, each from as many digests of texts as the others, and always the same for one.

    Integers only; `whole` is at least 1 and at most 2^256.
    """
    fair = (1 << _BITS) - (1 << _BITS) % whole
    for attempt in count():
        number = int.from_bytes(sha256(f"{attempt} {text}".encode()).digest(), "big")
        if number < fair:
            return number % whole
    raise AssertionError("some digest is below the bound")
