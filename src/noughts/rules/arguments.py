"""Reading what people write: characters that look alike count as the same, and errors suggest similar words."""

from __future__ import annotations

import operator
import os
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeGuard

from noughts.rules.errors import InputError, InvalidType, shown

if TYPE_CHECKING:
    from pathlib import Path


_ALIKE = str.maketrans(
    {"×": "x", "✕": "x", "✖": "x", "❌": "x", "⨯": "x", "х": "x", "Х": "x",
     "○": "o", "◯": "o", "⭕": "o", "о": "o", "О": "o",
     "·": ".", "•": ".", "□": ".", "⬜": ".", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-",
     "\ufe0f": None, "\ufeff": None, "\u200b": None}
)  # fmt: skip
"""Characters that count as another one: multiplication signs, Cyrillic letters, crosses and circles, dashes."""


_WIDE = {0xFF01 + i: chr(0x21 + i) for i in range(94)} | dict.fromkeys((0xA0, 0x2007, 0x202F, 0x3000), " ")
"""Full-width characters, and other kinds of space."""


def plain(text: str) -> str:
    """Return a text with characters that look alike replaced: full-width digits by digits, a multiplication sign by x.

    Case stays as it is, and so do other characters. Every kind of space becomes a plain space.

    >>> plain("３×３")
    '3x3'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).translate(_WIDE).translate(_ALIKE)


def nearby(given: object, words: Iterable[str], written: str = "{}") -> str:
    """Return the end of a sentence that suggests similar words, each as `written`; empty where no word is similar.

    >>> nearby("choice", ["labelled", "symmetry", "choices"])
    '; did you mean choices?'
    """
    if not isinstance(given, str):
        return ""
    from difflib import get_close_matches

    known = {word.lower().replace("_", "-"): word for word in words}
    text = plain(given).strip().lower().replace("_", "-")[:40]
    near = [known[word] for word in get_close_matches(text, known, n=2)]
    if not near and len(text) > 1:
        near = [word for lower, word in known.items() if lower.startswith(text)][:2]
    return f"; did you mean {' or '.join(map(written.format, near))}?" if near else ""


def offered(given: object, words: Iterable[str]) -> str:
    """Return the allowed words, followed by a suggestion where one of them is similar to the given word.

    >>> offered("lines", ["board", "line"])
    'board, line; did you mean line?'
    """
    known = list(words)
    return f"{', '.join(known)}{nearby(given, known)}"


# Reading arguments: one function for each kind; a wrong type raises an error of one sentence.

_BITS = 200
"""Most bits of an integer: some 60 digits, which a message can show."""
_LONGEST_NAME, _LONGEST_PATH = 255, 4095
"""Most characters of a name, and of a path with its folders, that a file system takes."""


def wrong_type(what: str, given: object, expected: str) -> InvalidType:
    """Return the error to raise: it names the argument, the type that was given, and what works."""
    name = type(given).__name__
    kind = "None" if given is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
    return InvalidType(f"{what} cannot be {kind}: give {expected}")


def integer(what: str, given: Any, expected: str = "a whole number") -> int:
    """Return an integer, of Python or of NumPy.

    Raises InvalidType, for True and False too, and InputError for more digits than a message can show.
    """
    try:
        if isinstance(given, bool):
            raise TypeError
        number = operator.index(given)
    except TypeError:
        raise wrong_type(what, given, expected) from None
    if number.bit_length() > _BITS:
        raise InputError(f"{what} cannot have {number.bit_length():,} bits: give a number of up to {_BITS}")
    return number


def whole_number(what: str, given: Any, least: int = 0) -> int:
    """Return an integer of at least `least`. Raises InvalidType and InputError."""
    number = integer(what, given, f"a whole number from {least}")
    if number < least:
        raise InputError(f"{what} cannot be {number}: give a whole number from {least}")
    return number


def one_of(what: str, given: object, words: tuple[str, ...]) -> str:
    """Return the given word if it is allowed. Raises InvalidType and InputError."""
    if not isinstance(given, str):
        raise wrong_type(what, given, f"one of {', '.join(words)}")
    if given not in words:
        raise InputError(f"{what} cannot be {shown(given)}: choose from {offered(given, words)}")
    return given


def is_word(given: object, word: str) -> TypeGuard[str]:
    """Tell whether this word is given. The comparison is safe for arrays, which have no single truth value."""
    return isinstance(given, str) and given == word


def flag(what: str, given: object) -> bool:
    """Return True or False. Raises InvalidType."""
    if not isinstance(given, bool):
        raise wrong_type(what, given, "True or False")
    return given


def text_of(what: str, given: object) -> str:
    """Return a text. Raises InvalidType, and InputError for bytes or halves of characters that are not text."""
    if not isinstance(given, str):
        raise wrong_type(what, given, "text")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} {shown(given)} is not text in UTF-8: write it with whole characters") from None
    return given


def seed_of(given: object) -> str:
    """Return a random seed as text. Raises InvalidType, and InputError for what is not text."""
    if isinstance(given, str):
        return text_of("the seed", given)
    return str(integer("the seed", given, "a number, or a text"))


def path_of(what: str, given: object) -> Path:
    """Return the path of a file or folder. Raises InvalidType."""
    from pathlib import Path

    if not isinstance(given, str | os.PathLike) or not isinstance(os.fspath(given), str):
        raise wrong_type(what, given, "the name of a file or folder")
    path = Path(given)
    if len(str(path)) > _LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in path.parts):
        raise InputError(f"{what} {shown(str(path))} has too long a name: give a shorter one")
    return path


def function_or_none(what: str, given: object) -> None:
    """Raise InvalidType unless a function or None is given."""
    if given is not None and not callable(given):
        raise wrong_type(what, given, "a function, or None")
