"""Exact values over a count (games, generations) as curves, with a band where there are several of each."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from noughts.domain.decimals import decimal
from noughts.drawing.glyphs import number, text_width
from noughts.drawing.svg import Canvas, Svg

__all__ = ["Curve", "draw_curves"]

_WIDTH, _HEIGHT = 520.0, 260.0
_NOTE = 90
"""Characters in a line of the note."""
_STYLES = (("series-1", ""), ("series-3", "9 4"), ("series-4", "2 4"), ("second", "11 4 2 4"))
"""A colour and a dash for each curve: they are told apart without colour."""
_TICKS = 5


@dataclass(frozen=True)
class Curve:
    """A name and its points, in rising order of the count: (count, value).

    `band` has the lowest and the highest value where the curve is a mean of several: (count, lowest, highest).
    """

    name: str
    points: Sequence[tuple[int, Fraction]]
    band: Sequence[tuple[int, Fraction, Fraction]] = ()


def draw_curves(
    curves: Sequence[Curve],
    title: str,
    across: str,
    note: str = "",
    *,
    bounds: tuple[int, int] = (-1, 1),
    theme: str = "light",
) -> Svg:
    """The chart of one to four curves: counts across, values up between two bounds. Each curve has a dash of its own.

    Points are joined by straight lines. Raises ValueError for none or more than four.
    """
    if not 1 <= len(curves) <= len(_STYLES):
        raise ValueError(f"a chart shows one to four curves, not {len(curves)}")
    said = textwrap.wrap(note, _NOTE)
    canvas = Canvas(theme)
    last = max(1, *(count for curve in curves for count, _ in curve.points))
    left, top = 64.0, 74.0 + 14.0 * len(said) + 18.0 * len(curves)
    canvas.text(24, 36, title, 12, anchor="start", bold=True)
    for i, line in enumerate(said):
        canvas.text(24, 54 + 14.0 * i, line, 8, role="soft", anchor="start")
    plot = _Plot(left, top, last, *bounds)
    _axes(canvas, plot, across)
    for style, curve in zip(_STYLES, curves, strict=False):
        if curve.band:
            _draw_band(canvas, plot, curve.band, style[0])
    for i, (style, curve) in enumerate(zip(_STYLES, curves, strict=False)):
        y = 60 + 14.0 * len(said) + 18.0 * i
        canvas.line([(24, y - 3), (54, y - 3)], style[0], 2.2, dash=style[1])
        canvas.text(62, y, f"{curve.name}: {_about(curve.points[-1][1])} in the end", 8, anchor="start")
        points = [plot.at(count, value) for count, value in curve.points]
        canvas.line(points if len(points) > 1 else points * 2, style[0], 2.2, dash=style[1])
    widest = max(text_width(line, 8) for line in [*said, ""])
    width = max(left + _WIDTH + 40, 24 + text_width(title, 12) + 24, 48 + widest)
    return canvas.picture(
        width, top + _HEIGHT + 52, title, "\n".join([*[note] * bool(note), *_described(curves, across)])
    )


@dataclass(frozen=True)
class _Plot:
    """Where counts and values lie on the sheet."""

    left: float
    top: float
    last: int
    low: int
    high: int

    def at(self, count: int, value: Fraction | int) -> tuple[float, float]:
        """Return the place of a point."""
        up = float((self.high - value) / Fraction(self.high - self.low))
        return self.left + _WIDTH * count / self.last, self.top + _HEIGHT * up


def _axes(canvas: Canvas, plot: _Plot, across: str) -> None:
    steps = _TICKS - 1
    for i in range(_TICKS):
        value = plot.low + Fraction((plot.high - plot.low) * i, steps)
        x, y = plot.at(0, value)
        canvas.line([(x, y), (x + _WIDTH, y)], "ink" if value == 0 else "faint", 1.0 if value == 0 else 0.5)
        canvas.text(x - 8, y + 3.5, decimal(value, 2).rstrip("0").rstrip("."), 8, anchor="end")
    whole = _step(plot.last)
    for count in range(0, plot.last + 1, whole):
        x, y = plot.at(count, plot.low)
        canvas.line([(x, y), (x, y + 5)], "ink", 1.0)
        canvas.text(x, y + 17, f"{count:,}", 8)
    x, y = plot.at(0, plot.low)
    canvas.line([(x, plot.top), (x, y), (x + _WIDTH, y)], "ink", 1.2)
    canvas.text(x + _WIDTH / 2, y + 35, across, 8, role="soft")


def _step(last: int) -> int:
    """Return 1, 2 or 5 times a power of ten that divides the axis into a few parts."""
    power = 1
    while True:
        for each in (1, 2, 5):
            if last <= 6 * each * power:
                return each * power
        power *= 10


def _draw_band(canvas: Canvas, plot: _Plot, band: Sequence[tuple[int, Fraction, Fraction]], role: str) -> None:
    """Draw the edges of a band, and strokes upright between them."""
    for which in (1, 2):
        canvas.line([plot.at(point[0], point[which]) for point in band], role, 0.8)
    strokes = []
    for count, low, high in band:
        (x, y), (_, top) = plot.at(count, low), plot.at(count, high)
        if y - top > 0.5:
            strokes.append(f"M{number(x)} {number(y)}L{number(x)} {number(top)}")
    if strokes:
        canvas.path("".join(strokes), stroke=role, width=0.5)


def _about(value: Fraction) -> str:
    """Return a value as read: exact where it is whole, else to three decimals."""
    return str(value) if value.denominator == 1 else decimal(value, 3)


def _described(curves: Sequence[Curve], across: str) -> list[str]:
    """Return some points of each curve in text."""
    lines = []
    for curve in curves:
        few = curve.points[:: max(1, len(curve.points) // 10)]
        shown = [*few, *[curve.points[-1]] * (few[-1] != curve.points[-1])]
        lines.append(
            f"{curve.name}, by {across}: " + ", ".join(f"{count:,}: {_about(value)}" for count, value in shown)
        )
    return lines
