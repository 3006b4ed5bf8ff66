"""Numbers by ply as a bar chart, one row a ply, the exact number at the end of each bar."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10

from noughts.drawing.glyphs import number, text_width
from noughts.drawing.svg import Canvas, Svg

__all__ = ["Series", "chart_text", "draw_chart", "draw_shares"]

_ROW = 13.0
_BAR = 360.0
_NOTE = 78
"""Characters in a line of the note."""


@dataclass(frozen=True)
class Series:
    """A name and one number for each ply; None where the number is not known."""

    name: str
    values: Sequence[int | None]


def draw_chart(
    plies: Sequence[int],
    series: Sequence[Series],
    title: str,
    note: str = "",
    *,
    logarithmic: bool = False,
    theme: str = "light",
) -> Svg:
    """The chart of up to four series, with a note under its title if one is given.

    Bars are told apart by hatching as well as by colour.

    On a logarithmic scale a bar is as long as the number has digits; 0 has no bar on either scale.
    Raises ValueError for none or more than four.
    """
    if not 1 <= len(series) <= 4:
        raise ValueError(f"a chart shows one to four series, not {len(series)}")
    said = textwrap.wrap(note, _NOTE)
    below = 14.0 * len(said)
    canvas, left, top = Canvas(theme), 64.0, 74.0 + below + 18.0 * len(series)
    longest = max((v for s in series for v in s.values if v), default=1)
    canvas.text(24, 36, title, 12, anchor="start", bold=True)
    for i, line in enumerate(said):
        canvas.text(24, 54 + 14.0 * i, line, 8, role="soft", anchor="start")
    for i, one in enumerate(series):
        y = 62 + below + 18.0 * i
        _bar(canvas, i, 24, y - 8, 30, 9)
        canvas.text(62, y, one.name, 8, anchor="start")
    canvas.text(left - 10, top - 6, "ply", 8, role="soft", anchor="end")
    y, widest = top, 0.0
    for row, ply in enumerate(plies):
        band = _ROW * len(series)
        canvas.text(left - 10, y + band / 2 + 4, str(ply), 8, anchor="end")
        for i, one in enumerate(series):
            value = one.values[row]
            length = _BAR * _share(value, longest, logarithmic) if value else 0.0
            if length:
                _bar(canvas, i, left, y + 2, max(length, 0.8), _ROW - 4)
            words = "not known" if value is None else f"{value:,}"
            canvas.text(left + length + 6, y + _ROW - 3.5, words, 7, anchor="start")
            widest = max(widest, length + 6 + text_width(words, 7))
            y += _ROW
        y += 7
    canvas.line([(left, top), (left, y - 5)], "ink", 1.2)
    if logarithmic:
        canvas.text(left, y + 8, "logarithmic scale", 7, role="soft", anchor="start")
        y += 14
    names = max(text_width(one.name, 8) for one in series) + 62
    lines = [text_width(title, 12), *(text_width(line, 8) for line in said)]
    width = max(left + widest, names, 24 + max(lines)) + 24
    described = "\n".join(part for part in (note, chart_text(plies, series)) if part)
    return canvas.picture(width, y + 12, title, described)


def draw_shares(
    shares: Sequence[tuple[str, Fraction]], title: str, theme: str = "light", said: Sequence[str] = ()
) -> Svg:
    """Parts of a whole as bars, each with its name, its exact fraction and about what that is, or what is `said` of it.

    Raises ValueError for none or more than four.
    """
    if not 1 <= len(shares) <= 4:
        raise ValueError(f"a chart shows one to four shares, not {len(shares)}")
    canvas, top = Canvas(theme), 64.0
    left = 36.0 + max(text_width(name, 9) for name, _ in shares)
    canvas.text(24, 36, title, 12, anchor="start", bold=True)
    widest = 0.0
    for i, (name, share) in enumerate(shares):
        y = top + 30.0 * i
        canvas.text(left - 10, y + 14, name, 9, anchor="end")
        length = _BAR * share.numerator / share.denominator
        if length:
            _bar(canvas, i, left, y, max(length, 0.8), 20)
        words = said[i] if said else _exactly(share)
        canvas.text(left + length + 8, y + 14, words, 9, anchor="start")
        widest = max(widest, length + 8 + text_width(words, 9))
    foot = top + 30.0 * len(shares)
    canvas.line([(left, top - 4), (left, foot - 6)], "ink", 1.2)
    width = max(left + widest, 24 + text_width(title, 12)) + 24
    return canvas.picture(width, foot + 14, title, "\n".join(f"{name}: {share}" for name, share in shares))


def _exactly(share: Fraction) -> str:
    return f"{share} ({share.numerator / share.denominator:.4f})" if share.denominator > 1 else str(share)


def chart_text(plies: Sequence[int], series: Sequence[Series]) -> str:
    """The numbers of a chart as a table in text."""
    rows = [["ply", *(one.name for one in series)]]
    for row, ply in enumerate(plies):
        values = [one.values[row] for one in series]
        rows.append([str(ply), *("not known" if v is None else f"{v:,}" for v in values)])
    widths = [max(len(line[i]) for line in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in rows)


def _share(value: int, longest: int, logarithmic: bool) -> float:
    if logarithmic:
        return (1 + log10(value)) / (1 + log10(longest))
    return float(value / longest) if longest < 10**15 else float((value * 10**6 // longest) / 10**6)


def _bar(canvas: Canvas, series: int, x: float, y: float, length: float, height: float) -> None:
    """A bar: plain, with slanted strokes, with upright strokes, or hollow."""
    role = f"series-{series + 1}"
    canvas.rectangle(x, y, length, height, fill=role if series != 3 else None, stroke="ink", pen=0.8)
    step, strokes = 6.0, []
    if series in (1, 2):
        slant = height if series == 1 else 0.0
        at = x + step
        while at + slant < x + length:
            strokes.append(f"M{number(at)} {number(y + height)}L{number(at + slant)} {number(y)}")
            at += step
    if strokes:
        canvas.path("".join(strokes), stroke="ink", width=0.8)
