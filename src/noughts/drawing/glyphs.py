"""What a picture writes for signs that have no strokes: letters and their accents, plain quotes and dashes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import cache

from noughts.rules.errors import InputError

_NEAREST: Mapping[str, str] = {
    "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "″": '"',
    "‘": "’", "‚": "’", "‛": "’", "‹": "’", "›": "’", "′": "’", "´": "’",
    "—": "–", "―": "–", "‒": "–", "‐": "-", "‑": "-", "•": "·", "÷": "/", "⁄": "/", "✕": "×", "✖": "×",
    "ß": "ss", "ẞ": "SS", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D",
    "ŋ": "n", "Ŋ": "N", "ĸ": "k", "ʼ": "’",
    "þ": "th", "Þ": "Th", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T",
    "\u00ad": "", "\u200b": "", "\u200d": "", "\ufeff": "",
}  # fmt: skip
"""What stands for a sign that Unicode does not compose of others."""

ACCENTS: Mapping[str, str] = {
    "\u0300": "M0.6 0L-1 -1.8",
    "\u0301": "M-0.6 0L1 -1.8",
    "\u0302": "M-1.6 0L0 -1.6L1.6 0",
    "\u0303": "M-1.8 -0.3Q-0.9 -1.8 0 -0.9Q0.9 0 1.8 -1.4",
    "\u0304": "M-1.8 -0.8L1.8 -0.8",
    "\u0306": "M-1.5 -1.6A1.6 1.6 0 0 0 1.5 -1.6",
    "\u0307": "M0 -0.8L0 -0.7",
    "\u0308": "M-1.4 -0.8L-1.4 -0.7M1.4 -0.8L1.4 -0.7",
    "\u030a": "M0 -2.4A1.2 1.2 0 1 0 0 0A1.2 1.2 0 1 0 0 -2.4Z",
    "\u030b": "M-1.6 0L-0.4 -1.8M0.6 0L1.8 -1.8",
    "\u030c": "M-1.6 -1.6L0 0L1.6 -1.6",
}
"""Accents above a letter as strokes in font units: x from the middle of the letter, y from just above it."""

BELOW: Mapping[str, str] = {
    "\u0323": "M0 2.2L0 2.3",
    "\u0326": "M0.4 1.6L-0.4 3.2",
    "\u0327": "M0 0L0 1Q1.5 1.2 0.9 2.4L-0.7 2.7",
    "\u0328": "M0.4 0Q-1 1.6 0.9 2.6",
}
"""Accents below a letter, y from the baseline."""


def spelt(text: str, known: Collection[str]) -> tuple[str, str]:
    """Return a text in known signs and accents after their letters, and the signs that cannot be written so.

    What cannot be written stays where it is; an accent that is not known is left out.
    """
    written, missing = "", ""
    for sign in unicodedata.normalize("NFC", text):
        found = _signs(sign, known)
        written += sign if found is None else found
        missing += sign if found is None and sign not in missing else ""
    return written, missing


def _signs(sign: str, known: Collection[str]) -> str | None:
    if sign in known or sign in ACCENTS or sign in BELOW:
        return sign
    if sign in _NEAREST:
        return _NEAREST[sign]
    if sign.isspace():
        return " "
    apart = unicodedata.normalize("NFKD", sign)
    if apart == sign:
        return "" if unicodedata.combining(sign) else None
    parts = [_signs(part, known) for part in apart]
    return None if None in parts else "".join(part for part in parts if part)


# Letters, digits and signs as strokes, so that a picture needs no font on the machine that shows it.
#
# A glyph is an SVG path in font units: the baseline is y = 0, y grows downwards, capitals are 10 high, small letters
# 6.8. It is drawn with a round pen, so its weight is the width of the stroke. Accents are strokes above or below
# their letter; other signs that are not in the table show as what is nearest to them, and as a box where nothing is:
# who takes texts from people calls `require_drawable`.

PEN = 1.35
CAP_HEIGHT = 10.0
_GAP = 2.6
_SPACE = 4.2

_BOWL = "M2.9 -6.8A2.9 3.4 0 1 0 2.9 0A2.9 3.4 0 1 0 2.9 -6.8Z"
_RING = "M4 -10A4 5 0 1 0 4 0A4 5 0 1 0 4 -10Z"

# sign: (width of the ink, path)
_GLYPHS: dict[str, tuple[float, str]] = {
    "A": (7, "M0 0L3.5 -10L7 0M1.2 -3.4L5.8 -3.4"),
    "B": (5.8, "M0 0L0 -10L3.2 -10A2.4 2.4 0 0 1 3.2 -5.2L0 -5.2M3.2 -5.2A2.6 2.6 0 0 1 3.2 0L0 0"),
    "C": (7, "M7 -8.2A4.2 5 0 1 0 7 -1.8"),
    "D": (7, "M0 0L0 -10L2.5 -10A4.5 5 0 0 1 2.5 0L0 0"),
    "E": (5.6, "M5.6 0L0 0L0 -10L5.6 -10M0 -5.2L4.6 -5.2"),
    "F": (5.6, "M0 0L0 -10L5.6 -10M0 -5.2L4.6 -5.2"),
    "G": (7.4, "M7 -8.2A4.2 5 0 1 0 7.4 -2L7.4 -4.8L4.6 -4.8"),
    "H": (6.6, "M0 0L0 -10M6.6 0L6.6 -10M0 -5.2L6.6 -5.2"),
    "I": (0, "M0 0L0 -10"),
    "J": (4, "M4 -10L4 -2.6A2.1 2.6 0 0 1 0 -2.2"),
    "K": (6.2, "M0 0L0 -10M6 -10L0 -4M2.2 -6.2L6.2 0"),
    "L": (5.4, "M0 -10L0 0L5.4 0"),
    "M": (8, "M0 0L0 -10L4 -3L8 -10L8 0"),
    "N": (6.6, "M0 0L0 -10L6.6 0L6.6 -10"),
    "O": (8, _RING),
    "P": (6.1, "M0 0L0 -10L3.4 -10A2.7 2.7 0 0 1 3.4 -4.6L0 -4.6"),
    "Q": (8, _RING + "M5 -2.6L8 0.6"),
    "R": (6.2, "M0 0L0 -10L3.4 -10A2.7 2.7 0 0 1 3.4 -4.6L0 -4.6M3 -4.6L6.2 0"),
    "S": (
        5.8,
        "M5.8 -8.3A2.8 2.5 0 0 0 3 -10A2.6 2.4 0 0 0 3 -5.2A2.8 2.6 0 0 1 3 0A3 2.6 0 0 1 0 -1.9",
    ),
    "T": (7, "M0 -10L7 -10M3.5 -10L3.5 0"),
    "U": (6.4, "M0 -10L0 -3.2A3.2 3.2 0 0 0 6.4 -3.2L6.4 -10"),
    "V": (7, "M0 -10L3.5 0L7 -10"),
    "W": (10, "M0 -10L2.4 0L5 -8L7.6 0L10 -10"),
    "X": (6.4, "M0 0L6.4 -10M0 -10L6.4 0"),
    "Y": (6.6, "M0 -10L3.3 -4.8L6.6 -10M3.3 -4.8L3.3 0"),
    "Z": (6.4, "M0 -10L6.2 -10L0 0L6.4 0"),
    "a": (5.8, _BOWL + "M5.8 -6.8L5.8 0"),
    "b": (5.8, "M0 -10L0 0" + _BOWL),
    "c": (5.4, "M5.4 -5.6A3 3.4 0 1 0 5.4 -1.2"),
    "d": (5.8, _BOWL + "M5.8 -10L5.8 0"),
    "e": (5.7, "M0.1 -3.6L5.7 -3.6A2.85 3.2 0 1 0 5.2 -1.2"),
    "f": (3.8, "M3.8 -9.8A2.2 2.2 0 0 0 1.4 -7.6L1.4 0M0 -6.6L3.4 -6.6"),
    "g": (5.8, _BOWL + "M5.8 -6.8L5.8 0.4A2.8 2.5 0 0 1 0.5 1.6"),
    "h": (5.2, "M0 -10L0 0M0 -4A2.6 2.8 0 0 1 5.2 -4L5.2 0"),
    "i": (0, "M0 -6.8L0 0M0 -9.5L0 -9.4"),
    "j": (1.6, "M1.6 -6.8L1.6 1A1.8 2 0 0 1 0 2.8M1.6 -9.5L1.6 -9.4"),
    "k": (5, "M0 -10L0 0M4.6 -6.8L0 -2.6M1.8 -4.2L5 0"),
    "l": (0, "M0 -10L0 0"),
    "m": (8.4, "M0 -6.8L0 0M0 -4.3A2.1 2.5 0 0 1 4.2 -4.3L4.2 0M4.2 -4.3A2.1 2.5 0 0 1 8.4 -4.3L8.4 0"),
    "n": (5.2, "M0 -6.8L0 0M0 -4A2.6 2.8 0 0 1 5.2 -4L5.2 0"),
    "o": (5.8, _BOWL),
    "p": (5.8, _BOWL + "M0 -6.8L0 3"),
    "q": (5.8, _BOWL + "M5.8 -6.8L5.8 3"),
    "r": (3.4, "M0 -6.8L0 0M0 -3.8A2.8 3 0 0 1 3.4 -6.7"),
    "s": (
        4.4,
        "M4.4 -5.7A2.1 1.7 0 0 0 2.3 -6.8A2 1.65 0 0 0 2.3 -3.5A2.1 1.75 0 0 1 2.3 0A2.3 1.7 0 0 1 0 -1.2",
    ),
    "t": (3.6, "M1.4 -9L1.4 -1.8A1.8 1.8 0 0 0 3.6 -0.1M0 -6.6L3.4 -6.6"),
    "u": (5.2, "M0 -6.8L0 -2.8A2.6 2.8 0 0 0 5.2 -2.8M5.2 -6.8L5.2 0"),
    "v": (5.4, "M0 -6.8L2.7 0L5.4 -6.8"),
    "w": (7.8, "M0 -6.8L1.9 0L3.9 -5.6L5.9 0L7.8 -6.8"),
    "x": (5, "M0 -6.8L5 0M5 -6.8L0 0"),
    "y": (5.4, "M0 -6.8L2.8 0M5.4 -6.8L2.8 0L1.6 3"),
    "z": (5, "M0 -6.8L4.8 -6.8L0 0L5 0"),
    "0": (6, "M3 -10A3 5 0 1 0 3 0A3 5 0 1 0 3 -10Z"),
    "1": (3.2, "M0.4 -7.8L3.2 -10L3.2 0"),
    "2": (6, "M0.3 -7.6A2.8 2.6 0 1 1 5.2 -5.6L0 0L6 0"),
    "3": (
        5.6,
        "M0.5 -8.4A2.6 2.4 0 0 1 2.9 -10A2.4 2.35 0 0 1 2.9 -5.3L2 -5.3"
        "M2.9 -5.3A2.65 2.65 0 0 1 2.9 0A2.8 2.5 0 0 1 0.1 -1.8",
    ),
    "4": (6.2, "M4.6 0L4.6 -10L0 -3L6.2 -3"),
    "5": (5.8, "M5.4 -10L1 -10L0.5 -5.6A3 3.1 0 1 1 0.2 -1.4"),
    "6": (6, "M5 -9.8A6.4 8 0 0 0 0.05 -3M3 -6A2.95 3 0 1 0 3 0A2.95 3 0 1 0 3 -6Z"),
    "7": (6, "M0 -10L6 -10L2 0"),
    "8": (
        5.8,
        "M2.9 -5.3A2.4 2.35 0 1 1 2.9 -10A2.4 2.35 0 1 1 2.9 -5.3Z"
        "M2.9 -5.3A2.8 2.65 0 1 0 2.9 0A2.8 2.65 0 1 0 2.9 -5.3Z",
    ),
    "9": (6, "M1 -0.2A6.4 8 0 0 0 5.95 -7M3 -10A2.95 3 0 1 0 3 -4A2.95 3 0 1 0 3 -10Z"),
    ".": (0, "M0 -0.2L0 -0.1"),
    ",": (0.8, "M0.8 -0.2L0 2"),
    ":": (0, "M0 -6.2L0 -6.1M0 -0.8L0 -0.7"),
    ";": (0.8, "M0.8 -6.2L0.8 -6.1M0.8 -0.6L0 2"),
    "-": (3.6, "M0 -3.8L3.6 -3.8"),
    "–": (5, "M0 -3.8L5 -3.8"),
    "−": (5, "M0 -4.6L5 -4.6"),
    "+": (5.6, "M0 -4.6L5.6 -4.6M2.8 -7.4L2.8 -1.8"),
    "=": (5.6, "M0 -6L5.6 -6M0 -3L5.6 -3"),
    "/": (4.4, "M0 1.4L4.4 -11"),
    "|": (0, "M0 2L0 -11"),
    "_": (5.6, "M0 1.6L5.6 1.6"),
    "(": (2.2, "M2.2 -11A8.4 8.4 0 0 0 2.2 2"),
    ")": (2.2, "M0 -11A8.4 8.4 0 0 1 0 2"),
    "[": (2.2, "M2.2 -11L0 -11L0 2L2.2 2"),
    "]": (2.2, "M0 -11L2.2 -11L2.2 2L0 2"),
    "<": (5, "M5 -7.6L0 -4.2L5 -0.8"),
    ">": (5, "M0 -7.6L5 -4.2L0 -0.8"),
    "≤": (5, "M5 -8.4L0 -5.2L5 -2M0 -0.2L5 -0.2"),
    "≥": (5, "M0 -8.4L5 -5.2L0 -2M0 -0.2L5 -0.2"),
    "%": (
        8,
        "M0.6 0L7.4 -10M1.8 -10A1.8 2.2 0 1 0 1.8 -5.6A1.8 2.2 0 1 0 1.8 -10Z"
        "M6.2 -4.4A1.8 2.2 0 1 0 6.2 0A1.8 2.2 0 1 0 6.2 -4.4Z",
    ),
    "'": (0, "M0 -10.4L0 -8"),
    "’": (0.8, "M0.8 -10.4L0 -8"),
    '"': (2.4, "M0 -10.4L0 -8M2.4 -10.4L2.4 -8"),
    "!": (0, "M0 -10L0 -3.2M0 -0.2L0 -0.1"),
    "?": (5, "M0 -7.6A2.5 2.5 0 1 1 3.6 -5.3Q2.4 -4.6 2.4 -3M2.4 -0.2L2.4 -0.1"),
    "*": (4.4, "M2.2 -10L2.2 -5.6M0.3 -8.9L4.1 -6.7M4.1 -8.9L0.3 -6.7"),
    "^": (5, "M0 -6.6L2.5 -10L5 -6.6"),
    "#": (6.4, "M2.2 -9.4L1.2 -0.6M5.2 -9.4L4.2 -0.6M0.2 -6.6L6.4 -6.6M0 -3.4L6.2 -3.4"),
    "&": (7, "M7 0L1.4 -7.2A2.1 2.1 0 1 1 4.6 -6.6L1.2 -4.4A2.6 2.6 0 1 0 5 -1L6.8 -4"),
    "×": (4.6, "M0 -6.9L4.6 -2.3M4.6 -6.9L0 -2.3"),
    "·": (0, "M0 -4L0 -3.9"),
    "…": (6, "M0 -0.2L0 -0.1M3 -0.2L3 -0.1M6 -0.2L6 -0.1"),
    "→": (8, "M0 -4.2L8 -4.2M5 -7.2L8 -4.2L5 -1.2"),
    "~": (5, "M0 -4Q1.2 -5.8 2.5 -4.6Q3.8 -3.4 5 -5.2"),
    "\\": (4.4, "M0 -11L4.4 1.4"),
    "{": (2.8, "M2.8 -11Q1.2 -11 1.2 -9.4L1.2 -6Q1.2 -4.6 0 -4.5Q1.2 -4.4 1.2 -3L1.2 0.4Q1.2 2 2.8 2"),
    "}": (2.8, "M0 -11Q1.6 -11 1.6 -9.4L1.6 -6Q1.6 -4.6 2.8 -4.5Q1.6 -4.4 1.6 -3L1.6 0.4Q1.6 2 0 2"),
    "`": (1.4, "M0 -10.4L1.4 -8.6"),
    "$": (
        5.8,
        "M5.4 -7.4A2.6 2 0 0 0 2.9 -8.8A2.4 1.9 0 0 0 2.9 -5A2.6 2 0 0 1 2.9 -1A2.8 2 0 0 1 0.3 -2.4M2.9 -10.6L2.9 0.8",
    ),
    "@": (9, "M6.6 -6.4A2 2.2 0 1 0 6.6 -3.2M6.6 -6.8L6.6 -3.4Q7 -2.2 8 -2.6Q9 -3.4 9 -5.2A4.5 4.8 0 1 0 6.8 0.6"),
    "¿": (5, "M5 -2.4A2.5 2.5 0 1 1 1.4 -4.7Q2.6 -5.6 2.6 -7M2.6 -9.8L2.6 -9.7"),
    "¡": (0, "M0 0L0 -6.8M0 -9.6L0 -9.5"),
    "°": (3, "M1.5 -10A1.5 1.5 0 1 0 1.5 -7A1.5 1.5 0 1 0 1.5 -10Z"),
    "ı": (2, "M1 -6.8L1 0"),
    "ȷ": (1.6, "M1.6 -6.8L1.6 1A1.8 2 0 0 1 0 2.8"),
    "²": (3, "M0.1 -9.2A1.5 1.4 0 1 1 2.5 -7.9L0 -5.4L3 -5.4"),
}
_DOTLESS = {"i": "ı", "j": "ȷ"}
_NAMED = 8
_BOX = (5.6, "M0 0L0 -10L5.6 -10L5.6 0Z")
_COMMAND = re.compile(r"([MLQAZ])([^MLQAZ]*)")


_MOST_SIGNS = 2_000
"""Most signs of a text in a picture, which wraps it word by word."""


def require_drawable(what: str, text: str) -> str:
    """Return a text that pictures can show. Raises InputError for one with signs that they have no strokes for."""
    if len(text) > _MOST_SIGNS:
        raise InputError(f"{what} has {len(text):,} signs: write up to {_MOST_SIGNS:,}")
    missing = spelt(text, _GLYPHS)[1]
    if missing:
        named = ", ".join(sign if sign.isprintable() else ascii(sign) for sign in missing[:_NAMED])
        more = f" and {len(missing) - _NAMED} more signs" if len(missing) > _NAMED else ""
        raise InputError(
            f"{what} has {named}{more}, and pictures are written in Latin letters, digits and common signs: use those"
        )
    return text


def text_width(text: str, size: float) -> float:
    """Width of a text in picture units when its capitals are `size` high."""
    signs = _letters(text)
    total = sum(_advance(sign) for sign, _ in signs)
    return max(0.0, total - _GAP + PEN) * size / CAP_HEIGHT if signs else 0.0


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Return a text in lines of a width, broken at spaces; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1:] = [longer]
    return lines


def text_path(text: str) -> str:
    """The path of a text in font units, its pen starting at x = 0 on the baseline."""
    pen, parts = PEN / 2, []
    for sign, accents in _letters(text):
        if sign != " ":
            wide, path = _GLYPHS.get(sign, _BOX)
            parts.append(_shifted(path, pen))
            top = -11.8 if sign.isupper() or sign in "bdfhklt" else -8.5
            for accent in accents:
                stroke, down = (BELOW[accent], 0.0) if accent in BELOW else (ACCENTS[accent], top)
                parts.append(_shifted(stroke, pen + wide / 2, down))
        pen += _advance(sign)
    return "".join(parts)


def _letters(text: str) -> tuple[tuple[str, str], ...]:
    """Return the signs of a text, each with its accents."""
    found: list[tuple[str, str]] = []
    for sign in text if text.isascii() else spelt(text, _GLYPHS)[0]:
        if sign not in ACCENTS and sign not in BELOW:
            found.append((sign, ""))
        elif found:
            letter, accents = found[-1]
            dotless = _DOTLESS.get(letter, letter) if sign in ACCENTS else letter
            found[-1] = (dotless, accents + sign)
    return tuple(found)


def number(value: float) -> str:
    """A coordinate with at most two decimals, printed the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _advance(sign: str) -> float:
    return _SPACE if sign == " " else _GLYPHS.get(sign, _BOX)[0] + _GAP


@cache
def _commands(path: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    return tuple((name, tuple(map(float, rest.split()))) for name, rest in _COMMAND.findall(path.replace(",", " ")))


def _shifted(path: str, by: float, down: float = 0.0) -> str:
    out = []
    for name, values in _commands(path):
        moved = list(values)
        for i in [5] if name == "A" else range(0, len(moved), 2):
            moved[i] += by
            moved[i + 1] += down
        out.append(name + " ".join(map(number, moved)))
    return "".join(out)
