"""Numbers by ply as a bar chart, one row a ply, the exact number at the end of each bar."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import product
from math import log10

from noughts.drawing.glyphs import number, text_width
from noughts.drawing.svg import Canvas, Svg
from noughts.rules.values import decimal

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


# Exact values over a count (games, generations) as curves, with a band where there are several of each.

_WIDTH, _HEIGHT = 520.0, 260.0
_NOTE_CURVES = 90
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
    said = textwrap.wrap(note, _NOTE_CURVES)
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


# The tug of war: how the value of a game went from move to move, as some lines of SVG for a web page.
#
# Shapes have classes and no colours: `x` where X would win, `o` where O would, `level` for a draw, `axis`, `words`.

_STEP, _HALF, _LEFT, _TOP = 30, 60, 62, 14


def tug_of_war(values: Sequence[tuple[str, int | None] | None], cells: int) -> str:
    """Return the chart: a bar for each ply from 0 on, up for X and down for O, the longer the sooner it is won.

    A value is who wins under best play, X, O or draw, and the plies to the end; None where it was not found. Where
    the plies were not found a bar has half its length. `cells` is the length of the longest game.
    """
    width, middle = _LEFT + _STEP * len(values) + 6, _TOP + _HALF
    parts = [
        f'<path class="axis" d="M{_LEFT} {middle}h{_STEP * len(values)}"/>',
        f'<text class="words" x="0" y="{_TOP + 5}">X wins</text>',
        f'<text class="words" x="0" y="{middle + 5}">draw</text>',
        f'<text class="words" x="0" y="{middle + _HALF + 5}">O wins</text>',
    ]
    for ply, value in enumerate(values):
        x = _LEFT + ply * _STEP + 4
        parts.append(f'<text class="words ply" x="{x + 11}" y="{middle + _HALF + 24}">{ply}</text>')
        if value is not None:
            parts.append(_bar_tug(x, middle, *value, cells))
    height = middle + _HALF + 30
    head = f'<svg class="tug" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
    return head + "".join(parts) + "</svg>"


def _bar_tug(x: int, middle: int, outcome: str, remoteness: int | None, cells: int) -> str:
    if outcome == "draw":
        return f'<rect class="level" x="{x}" y="{middle - 4}" width="22" height="8" rx="2"/>'
    share = 0.5 if remoteness is None else 1 - remoteness / (cells + 1)
    length = max(8, round(share * _HALF))
    top = middle - length if outcome == "X" else middle
    return f'<rect class="{outcome.lower()}" x="{x}" y="{top}" width="22" height="{length}" rx="2"/>'


# A small tree of questions for a page: every answer to the first, below each every answer to the second, and so on.
#
# What is on the way to an answer has the classes of that way, such as `m-win e-line`, and `d1`, `d2`... by how many
# questions it answers, so that the style sheet of the page can light one path. `t` are links, `k` knots, `w` words.

_WIDTH_QUESTIONS, _STEP_QUESTIONS, _TOP_QUESTIONS, _LETTER = 360, 44, 8, 6.2


def question_tree(questions: Sequence[Sequence[tuple[str, str]]], label: str) -> str:
    """Return the tree as an inline SVG element; an answer is its class and its word.

    Words stand on all answers to the first question, and below it where the style sheet shows them.
    """
    height = _TOP_QUESTIONS + _STEP_QUESTIONS * len(questions) + 18
    ways = [
        way
        for depth in range(1, len(questions) + 1)
        for way in product(*(range(len(answers)) for answers in questions[:depth]))
    ]
    parts = [f'<circle class="k root" cx="{_WIDTH_QUESTIONS // 2}" cy="{_TOP_QUESTIONS}" r="3"/>']
    parts += [_branch(questions, way) for way in ways]
    parts += [_word(questions, way) for way in ways]
    return (
        f'<svg class="questions" viewBox="0 0 {_WIDTH_QUESTIONS} {height}" role="img" aria-label="{escape(label)}"'
        ' fill="none">' + "".join(parts) + "</svg>"
    )


def _names(questions: Sequence[Sequence[tuple[str, str]]], way: Sequence[int]) -> str:
    return " ".join([f"d{len(way)}", *(questions[level][chosen][0] for level, chosen in enumerate(way))])


def _branch(questions: Sequence[Sequence[tuple[str, str]]], way: Sequence[int]) -> str:
    """Return the link to one knot, and the knot."""
    x, y = _place(questions, way)
    up_x, up_y = _place(questions, way[:-1])
    bend = (up_y + y) / 2
    path = f"M{up_x:g} {up_y:g}C{up_x:g} {bend:g} {x:g} {bend:g} {x:g} {y:g}"
    return (
        f'<g class="{_names(questions, way)}"><path class="t" d="{path}"/>'
        f'<circle class="k" cx="{x:g}" cy="{y:g}" r="{4 - len(way) / 2:g}"/></g>'
    )


def _word(questions: Sequence[Sequence[tuple[str, str]]], way: Sequence[int]) -> str:
    """Return the word of a knot; words stand over all links."""
    x, y = _place(questions, way)
    word = questions[len(way) - 1][way[-1]][1]
    half = len(word) * _LETTER / 2
    side = min(max(x, half), _WIDTH_QUESTIONS - half)
    return (
        f'<g class="said {_names(questions, way)}">'
        f'<text class="w" x="{side:g}" y="{y + 14:g}" text-anchor="middle" font-size="10">{escape(word)}</text></g>'
    )


def _place(questions: Sequence[Sequence[tuple[str, str]]], way: Sequence[int]) -> tuple[float, float]:
    left, room = 0.0, float(_WIDTH_QUESTIONS)
    for answers, chosen in zip(questions, way, strict=False):
        room /= len(answers)
        left += room * chosen
    return round(left + room / 2, 1), _TOP_QUESTIONS + _STEP_QUESTIONS * len(way)
