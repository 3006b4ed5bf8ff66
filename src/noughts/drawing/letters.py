"""What a picture writes for signs that have no strokes: letters and their accents, plain quotes and dashes."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping

__all__ = ["ACCENTS", "BELOW", "spelt"]

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
