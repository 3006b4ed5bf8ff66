"""How people write: signs that look alike are read alike, and a word that is nearly right is offered."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

__all__ = ["nearby", "offered", "plain"]

_ALIKE = str.maketrans(
    {"×": "x", "✕": "x", "✖": "x", "❌": "x", "⨯": "x", "х": "x", "Х": "x",
     "○": "o", "◯": "o", "⭕": "o", "о": "o", "О": "o",
     "·": ".", "•": ".", "□": ".", "⬜": ".", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-",
     "\ufe0f": None, "\ufeff": None, "\u200b": None}
)  # fmt: skip
"""Signs for what has one sign here: the multiplication sign, Cyrillic letters, crosses and circles, dashes."""


_WIDE = {0xFF01 + i: chr(0x21 + i) for i in range(94)} | dict.fromkeys((0xA0, 0x2007, 0x202F, 0x3000), " ")
"""Full-width signs, and spaces of other kinds."""


def plain(text: str) -> str:
    """Return a text with the signs that are used here: full-width digits as digits, a multiplication sign as x.

    Case and spaces stay as they are, but for the kind of space. What looks like nothing here is left alone.

    >>> plain("３×３")
    '3x3'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).translate(_WIDE).translate(_ALIKE)


def nearby(given: object, words: Iterable[str]) -> str:
    """Return the end of a sentence that offers the words a given one may stand for; nothing where none is near.

    >>> nearby("choice", ["labelled", "symmetry", "choices"])
    '; did you mean choices?'
    """
    if not isinstance(given, str):
        return ""
    from difflib import get_close_matches

    known = {word.lower().replace("_", "-"): word for word in words}
    asked = plain(given).strip().lower().replace("_", "-")[:40]
    near = [known[word] for word in get_close_matches(asked, known, n=2)]
    if not near and len(asked) > 1:
        near = [word for lower, word in known.items() if lower.startswith(asked)][:2]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def offered(given: object, words: Iterable[str]) -> str:
    """Return the words there are, and at the end which of them the given one may stand for.

    >>> offered("lines", ["board", "line"])
    'board, line; did you mean line?'
    """
    known = list(words)
    return f"{', '.join(known)}{nearby(given, known)}"
