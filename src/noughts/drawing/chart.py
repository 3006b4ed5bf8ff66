"""Charts: numbers by ply and parts of a whole as bars, values over a count as curves; two small ones for web pages."""

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

_LEFT, _ROW, _BAR = 64.0, 13.0, 360.0


def _head(canvas: Canvas, title: str, note: str, columns: int) -> tuple[float, float]:
    """Draw a title and a note in lines of `columns` characters; return their bottom and their width."""
    lines = textwrap.wrap(note, columns)
    canvas.text(24, 36, title, 12, anchor="start", bold=True)
    for i, line in enumerate(lines):
        canvas.text(24, 54 + 14.0 * i, line, 8, role="soft", anchor="start")
    return 14.0 * len(lines), max([text_width(title, 12), *(text_width(line, 8) for line in lines)])


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
    source: str = "",
    theme: str = "light",
) -> Svg:
    """The chart of up to four series by ply, with a note under its title and a source below it, if they are given.

    Bars differ by hatching as well as by colour; the exact number is at the end of each. On a logarithmic
    scale a bar is as long as the number has digits; 0 has no bar on either scale.
    """
    canvas = Canvas(theme)
    below, widest_line = _head(canvas, title, note, 78)
    y = top = 74.0 + below + 18.0 * len(series)
    longest = max((v for s in series for v in s.values if v), default=1)
    for i, one in enumerate(series):
        base = 62 + below + 18.0 * i
        _bar(canvas, i, 24, base - 8, 30, 9)
        canvas.text(62, base, one.name, 8, anchor="start")
    canvas.text(_LEFT - 10, top - 6, "ply", 8, role="soft", anchor="end")
    widest = 0.0
    for row, ply in enumerate(plies):
        canvas.text(_LEFT - 10, y + _ROW * len(series) / 2 + 4, str(ply), 8, anchor="end")
        for i, one in enumerate(series):
            value = one.values[row]
            length = _BAR * float(Fraction(value or 0, longest))
            if value and logarithmic:
                length = _BAR * ((1 + log10(value)) / (1 + log10(longest)))
            if length:
                _bar(canvas, i, _LEFT, y + 2, max(length, 0.8), _ROW - 4)
            words = _value_text(value)
            canvas.text(_LEFT + length + 6, y + _ROW - 3.5, words, 7, anchor="start")
            widest = max(widest, length + 6 + text_width(words, 7))
            y += _ROW
        y += 7
    canvas.line([(_LEFT, top), (_LEFT, y - 5)], "ink", 1.2)
    if logarithmic:
        canvas.text(_LEFT, y + 8, "logarithmic scale", 7, role="soft", anchor="start")
        y += 14
    if source:
        canvas.text(24, y + 8, source, 7, role="soft", anchor="start")
        y += 14
    names = max(text_width(one.name, 8) for one in series) + 62
    width = max(_LEFT + widest, names, 24 + widest_line, 24 + text_width(source, 7)) + 24
    described = "\n".join(part for part in (note, chart_text(plies, series), source) if part)
    return canvas.picture(width, y + 12, title, described)


def chart_text(plies: Sequence[int], series: Sequence[Series]) -> str:
    """Return the numbers of a chart as a table in text."""
    rows = [["ply", *(one.name for one in series)]]
    rows += [[str(ply), *(_value_text(one.values[row]) for one in series)] for row, ply in enumerate(plies)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in rows)


def _value_text(value: int | None) -> str:
    return "not known" if value is None else f"{value:,}"


def _bar(canvas: Canvas, series: int, x: float, y: float, length: float, height: float) -> None:
    """A bar: plain, with slanted strokes, with upright strokes, or hollow."""
    canvas.rectangle(x, y, length, height, fill=f"series-{series + 1}" if series != 3 else None, stroke="ink", pen=0.8)
    if series in (1, 2):
        slant, at, strokes = height if series == 1 else 0.0, x + 6.0, ""
        while at + slant < x + length:
            strokes += f"M{number(at)} {number(y + height)}L{number(at + slant)} {number(y)}"
            at += 6.0
        if strokes:
            canvas.path(strokes, stroke="ink", width=0.8)


def draw_shares(
    shares: Sequence[tuple[str, Fraction]], title: str, theme: str = "light", shown: Sequence[str] = ()
) -> Svg:
    """Parts of a whole as bars, each with its name and its fraction, exact and rounded, or the words in `shown`."""
    canvas, top = Canvas(theme), 64.0
    _, widest_line = _head(canvas, title, "", 78)
    left = 36.0 + max(text_width(name, 9) for name, _ in shares)
    widest = 0.0
    for i, (name, share) in enumerate(shares):
        y, length = top + 30.0 * i, _BAR * float(share)
        canvas.text(left - 10, y + 14, name, 9, anchor="end")
        if length:
            _bar(canvas, i, left, y, max(length, 0.8), 20)
        words = shown[i] if shown else f"{share} ({float(share):.4f})" if share.denominator > 1 else str(share)
        canvas.text(left + length + 8, y + 14, words, 9, anchor="start")
        widest = max(widest, length + 8 + text_width(words, 9))
    foot = top + 30.0 * len(shares)
    canvas.line([(left, top - 4), (left, foot - 6)], "ink", 1.2)
    width = max(left + widest, 24 + widest_line) + 24
    return canvas.picture(width, foot + 14, title, "\n".join(f"{name}: {share}" for name, share in shares))


# Exact values over a count (games, generations) as curves, with a band where there are several of each.

_WIDTH, _HEIGHT = 520.0, 260.0
_STYLES = (("series-1", ""), ("series-3", "9 4"), ("series-4", "2 4"), ("second", "11 4 2 4"))
"""A colour and a dash for each curve: curves differ without colour, too."""
_TICKS = 5


@dataclass(frozen=True)
class Curve:
    """A name and its points (count, value), in ascending order of the count.

    `band` has the lowest and the highest value if the curve is a mean: (count, lowest, highest).
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
    """The chart of one to four curves: counts across, values up between two bounds. Each curve has its own dashes.

    Points are joined by straight lines.
    """
    canvas = Canvas(theme)
    below, widest_line = _head(canvas, title, note, 90)
    top = 74.0 + below + 18.0 * len(curves)
    plot = _Plot(top, max(1, *(count for curve in curves for count, _ in curve.points)), *bounds)
    plot.draw_axes(canvas, across)
    for (role, _), curve in zip(_STYLES, curves, strict=False):
        if curve.band:
            plot.draw_band(canvas, curve.band, role)
    for i, ((role, dash), curve) in enumerate(zip(_STYLES, curves, strict=False)):
        y = 60 + below + 18.0 * i
        canvas.line([(24, y - 3), (54, y - 3)], role, 2.2, dash=dash)
        canvas.text(62, y, f"{curve.name}: {_about(curve.points[-1][1])} in the end", 8, anchor="start")
        points = [plot.at(count, value) for count, value in curve.points]
        canvas.line(points if len(points) > 1 else points * 2, role, 2.2, dash=dash)
    width = max(_LEFT + _WIDTH + 40, 48 + widest_line)
    described = "\n".join([*[note] * bool(note), *(_described(curve, across) for curve in curves)])
    return canvas.picture(width, top + _HEIGHT + 52, title, described)


@dataclass(frozen=True)
class _Plot:
    """The places of counts and values on the sheet."""

    top: float
    last: int
    low: int
    high: int

    def at(self, count: int, value: Fraction | int) -> tuple[float, float]:
        """Return the place of a point."""
        up = float((self.high - value) / Fraction(self.high - self.low))
        return _LEFT + _WIDTH * count / self.last, self.top + _HEIGHT * up

    def draw_axes(self, canvas: Canvas, across: str) -> None:
        for i in range(_TICKS):
            value = self.low + Fraction((self.high - self.low) * i, _TICKS - 1)
            x, y = self.at(0, value)
            canvas.line([(x, y), (x + _WIDTH, y)], "ink" if value == 0 else "faint", 1.0 if value == 0 else 0.5)
            canvas.text(x - 8, y + 3.5, decimal(value, 2).rstrip("0").rstrip("."), 8, anchor="end")
        # 1, 2 or 5 times a power of ten that divides the axis into a few parts
        step = next(k * 10**n for n, k in product(range(99), (1, 2, 5)) if self.last <= 6 * k * 10**n)
        for count in range(0, self.last + 1, step):
            x, y = self.at(count, self.low)
            canvas.line([(x, y), (x, y + 5)], "ink", 1.0)
            canvas.text(x, y + 17, f"{count:,}", 8)
        x, y = self.at(0, self.low)
        canvas.line([(x, self.top), (x, y), (x + _WIDTH, y)], "ink", 1.2)
        canvas.text(x + _WIDTH / 2, y + 35, across, 8, role="soft")

    def draw_band(self, canvas: Canvas, band: Sequence[tuple[int, Fraction, Fraction]], role: str) -> None:
        """Draw the edges of a band, and strokes upright between them."""
        lows, highs = ([self.at(point[0], point[which]) for point in band] for which in (1, 2))
        canvas.line(lows, role, 0.8)
        canvas.line(highs, role, 0.8)
        apart = [(x, y, top) for (x, y), (_, top) in zip(lows, highs, strict=True) if y - top > 0.5]
        if apart:
            strokes = "".join(f"M{number(x)} {number(y)}L{number(x)} {number(top)}" for x, y, top in apart)
            canvas.path(strokes, stroke=role, width=0.5)


def _about(value: Fraction) -> str:
    """Return a value as text: a whole number exactly, any other to three decimals."""
    return str(value) if value.denominator == 1 else decimal(value, 3)


def _described(curve: Curve, across: str) -> str:
    """Return some points of a curve in text."""
    few = curve.points[:: max(1, len(curve.points) // 10)]
    shown = [*few, *[curve.points[-1]] * (few[-1] != curve.points[-1])]
    return f"{curve.name}, by {across}: " + ", ".join(f"{count:,}: {_about(value)}" for count, value in shown)


# The tug of war: how the value of a game went from move to move, for a web page. Shapes have classes and no colours:
# `x` where X would win, `o` where O would, `level` for a draw, `axis`, `words`.


def tug_of_war(
    values: Sequence[tuple[str, int | None] | None],
    cells: int,
    players: tuple[str, str] = ("X", "O"),
    here: int | None = None,
) -> str:
    """Return the chart: a bar for each ply from 0 on, up for X and down for O, longer for an earlier win.

    A value is the outcome of best play (X, O or draw) and the plies to the end, or None if unknown. If only the
    plies are unknown, the bar has half its length. `cells` is the length of the longest game; `players` are the names
    of X and O; `here` is the ply to frame.
    """
    step, half, left, top = 30, 60, max(62, 14 + 7 * (max(map(len, players)) + 5)), 14
    width, middle, height = left + step * len(values) + 6, top + half, top + 2 * half + 30
    parts = [
        f'<path class="axis" d="M{left} {middle}h{step * len(values)}"/>',
        f'<text class="words" x="0" y="{top + 5}">{players[0]} wins</text>',
        f'<text class="words" x="0" y="{middle + 5}">draw</text>',
        f'<text class="words" x="0" y="{middle + half + 5}">{players[1]} wins</text>',
    ]
    if here is not None:
        parts.append(f'<rect class="here" x="{left + here * step + 1}" y="2" width="28" height="{height - 4}" rx="3"/>')
    for ply, value in enumerate(values):
        x = left + ply * step + 4
        parts.append(f'<text class="words ply" x="{x + 11}" y="{middle + half + 24}">{ply}</text>')
        if value is None:
            continue
        outcome, remoteness = value
        share = _share(remoteness, cells)
        long = 8 if outcome == "draw" else max(8, round(share * half))
        y = {"draw": middle - 4, "X": middle - long}.get(outcome, middle)
        kind = "level" if outcome == "draw" else outcome.lower()
        parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="22" height="{long}" rx="2"/>')
    head = f'<svg class="tug" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
    return head + "".join(parts) + "</svg>"


def _share(remoteness: int | None, cells: int) -> float:
    """Return how much of its side a bar fills: more for an earlier win, half of it if the length is unknown."""
    return 0.5 if remoteness is None else 1 - remoteness / (cells + 1)


def evaluation_bar(outcome: str, remoteness: int | None, cells: int, players: tuple[str, str] = ("X", "O")) -> str:
    """Return one value as a bar from the middle: to the left for X, to the right for O, longer for an earlier win."""
    half, name = 100, "level" if outcome == "draw" else outcome.lower()
    long = 12 if outcome == "draw" else max(8, round(_share(remoteness, cells) * half))
    x = {"draw": half - 6, "X": half - long}.get(outcome, half)
    return (
        f'<span class="evaluation noprint" aria-hidden="true"><b class="x">{players[0]}</b>'
        f'<svg class="gauge" viewBox="0 0 {2 * half} 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="axis" d="M{half} 0v8"/>'
        f'<rect class="{name}" x="{x}" y="0" width="{long}" height="8" rx="1"/></svg>'
        f'<b class="o">{players[1]}</b></span>'
    )


# A small tree of questions for a page: every answer to the first, below each every answer to the second, and so on.
# What is on the way to an answer has the classes of that way, such as `m-win e-line`, and `d1`, `d2`... by how many
# questions it answers, so that the style sheet of the page can light one path. `t` are links, `k` knots, `w` words.

_TREE_WIDTH, _STEP, _TOP, _LETTER = 360, 44, 8, 6.2
_Questions = Sequence[Sequence[tuple[str, str]]]


def question_tree(questions: _Questions, label: str) -> str:
    """Return the tree as an inline SVG element; an answer is its class and its word.

    All answers to the first question have words; below, the style sheet decides.
    """
    height, branches, words = _TOP + _STEP * len(questions) + 18, "", ""
    for depth in range(1, len(questions) + 1):
        for way in product(*(range(len(answers)) for answers in questions[:depth])):
            names = " ".join([f"d{depth}", *(questions[level][chosen][0] for level, chosen in enumerate(way))])
            (up_x, up_y), (x, y) = _place(questions, way[:-1]), _place(questions, way)
            bend, word = (up_y + y) / 2, questions[depth - 1][way[-1]][1]
            half = len(word) * _LETTER / 2
            branches += (
                f'<g class="{names}"><path class="t" d="M{up_x:g} {up_y:g}C{up_x:g} {bend:g} {x:g} {bend:g} {x:g} '
                f'{y:g}"/><circle class="k" cx="{x:g}" cy="{y:g}" r="{4 - depth / 2:g}"/></g>'
            )
            words += (
                f'<g class="said {names}"><text class="w" x="{min(max(x, half), _TREE_WIDTH - half):g}" '
                f'y="{y + 14:g}" text-anchor="middle" font-size="10">{escape(word)}</text></g>'
            )
    return (
        f'<svg class="questions" viewBox="0 0 {_TREE_WIDTH} {height}" role="img" aria-label="{escape(label)}" '
        f'fill="none"><circle class="k root" cx="{_TREE_WIDTH // 2}" cy="{_TOP}" r="3"/>{branches}{words}</svg>'
    )


def _place(questions: _Questions, way: Sequence[int]) -> tuple[float, float]:
    left, room = 0.0, float(_TREE_WIDTH)
    for answers, chosen in zip(questions, way, strict=False):
        room /= len(answers)
        left += room * chosen
    return round(left + room / 2, 1), _TOP + _STEP * len(way)
