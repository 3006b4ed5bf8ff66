"""Options that take one of a few words."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.domain.errors import InputError, shown

__all__ = ["one_of"]


def one_of(option: str, given: str, words: Sequence[str]) -> str:
    """Return the word, or raise InputError with those that exist."""
    if given not in words:
        raise InputError(f"{option} {shown(given)} is not known: use one of {', '.join(words)}")
    return given
