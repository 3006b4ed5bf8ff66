"""Characters that a terminal or a pipe cannot write: each is shown by what is nearest to it in ASCII."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

__all__ = ["nearest", "write_everywhere"]

_NAME = "noughts.nearest"
_NEAREST = {
    "×": "x", "✕": "x", "✖": "x", "·": ".", "•": "*", "…": "...", "→": "->", "←": "<-", "↑": "^", "↓": "v",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    "‘": "'", "’": "'", "“": '"', "”": '"', "÷": "/", "∞": "inf", "○": "O", "●": "O", "✓": "yes",
}  # fmt: skip
"""What stands for a character; those that Unicode composes of others are taken apart instead."""
_BOXES = ("─━═╌╍┄┅┈┉╴╶", "│┃║╎╏┆┇┊┋╵╷", "█▓▒░■▪▇▆▅▄▃▂▁")
"""Strokes across, strokes down, and filled places; every other character of a box is a corner or a crossing."""


def nearest(character: str) -> str:
    """Return what is nearest to a character in ASCII, a question mark where nothing is."""
    if character in _NEAREST:
        return _NEAREST[character]
    for strokes, plain in zip(_BOXES, "-|#", strict=True):
        if character in strokes:
            return plain
    if "\u2500" <= character <= "\u257f":
        return "+"
    apart = unicodedata.normalize("NFKD", character).replace("\u2044", "/")
    return "".join(part for part in apart if part.isascii()) or "?"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(nearest, error.object[error.start : error.end])), error.end


def write_everywhere() -> None:
    """Let standard output and standard error write every character in their encoding, or what is nearest to it.

    What standard input holds is read in any encoding. A way of replacing chosen by PYTHONIOENCODING is kept.
    """
    codecs.register_error(_NAME, _replace)
    for stream, usual in ((sys.stdout, ("strict", "surrogateescape")), (sys.stderr, ("backslashreplace",))):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in usual:
            stream.reconfigure(errors=_NAME)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="surrogateescape")
