"""What callers give: each kind of argument is read in one place, and a wrong type gets one sentence."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, TypeGuard

from noughts.domain.errors import InputError, InvalidType, shown
from noughts.domain.spelling import offered

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "flag",
    "function_or_none",
    "integer",
    "is_word",
    "one_of",
    "path_of",
    "text_of",
    "whole_number",
    "wrong_type",
]


def wrong_type(what: str, given: object, expected: str) -> InvalidType:
    """Return the error to raise: what was given for what, and what would work."""
    name = type(given).__name__
    kind = "None" if given is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
    return InvalidType(f"{what} cannot be {kind}: give {expected}")


def integer(what: str, given: Any, expected: str = "a whole number") -> int:
    """Return an integer, of Python or of NumPy. Raises InvalidType; True and False are none."""
    try:
        if isinstance(given, bool):
            raise TypeError
        return operator.index(given)
    except TypeError:
        raise wrong_type(what, given, expected) from None


def whole_number(what: str, given: Any, least: int = 0) -> int:
    """Return an integer of at least `least`. Raises InvalidType and InputError."""
    number = integer(what, given, f"a whole number from {least}")
    if number < least:
        raise InputError(f"{what} cannot be {number}: give a whole number from {least}")
    return number


def one_of(what: str, given: object, words: tuple[str, ...]) -> str:
    """Return a word that is one of those allowed. Raises InvalidType and InputError."""
    if not isinstance(given, str):
        raise wrong_type(what, given, f"one of {', '.join(words)}")
    if given not in words:
        raise InputError(f"{what} cannot be {shown(given)}: choose from {offered(given, words)}")
    return given


def is_word(given: object, word: str) -> TypeGuard[str]:
    """Tell whether this word is given; an array is none, though it can say neither that it equals it nor that not."""
    return isinstance(given, str) and given == word


def flag(what: str, given: object) -> bool:
    """Return True or False. Raises InvalidType."""
    if not isinstance(given, bool):
        raise wrong_type(what, given, "True or False")
    return given


def text_of(what: str, given: object) -> str:
    """Return a text. Raises InvalidType."""
    if not isinstance(given, str):
        raise wrong_type(what, given, "text")
    return given


def path_of(what: str, given: object) -> Path:
    """Return the path of a file or folder. Raises InvalidType."""
    from pathlib import Path

    if not isinstance(given, str | os.PathLike):
        raise wrong_type(what, given, "the name of a file or folder")
    return Path(given)


def function_or_none(what: str, given: object) -> None:
    """Raise InvalidType unless a function or None is given."""
    if given is not None and not callable(given):
        raise wrong_type(what, given, "a function, or None")
