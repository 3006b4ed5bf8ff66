"""The three questions as a tree: two answers to each, a number of games at every leaf, and one way lit."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, product

from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.svg import Canvas, Svg
from noughts.rules.values import roughly

QUESTIONS = (
    ("Which moves are allowed?", ("any", "win"), ("any cell", "a win if there is one")),
    ("When is the game over?", ("line", "decided"), ("at a line", "when decided")),
    ("When are two games the same?", ("labelled", "choices"), ("by cells", "by choices")),
)
"""Each question, the names of two answers, and the words for them."""

Way = tuple[str, ...]
"""An answer to each question, by name."""

_WIDTH, _TOP, _STEP, _LEFT, _RIGHT = 960.0, 96.0, 92.0, 250.0, 30.0
_BOX, _BOXES = 30.0, (170.0, 124.0, 78.0)
_USUAL, _LIT = 1.2, 3.0
"""Widths of lines: a lit way is thicker, and its boxes have a frame of ink."""


def ways() -> list[Way]:
    """Return every way through the questions, from left to right."""
    return list(product(*(answers for _, answers, _ in QUESTIONS)))


def draw_questions(
    numbers: Mapping[Way, int | None], title: str, note: str = "", lit: Way = (), theme: str = "light", source: str = ""
) -> Svg:
    """Return the tree with a number at each leaf, a note under the title, the `lit` way, and a source below.

    A leaf has a dash for None, and ~ before a rounded number.
    """
    canvas, lines = Canvas(theme), wrapped(note, 9, _WIDTH - 2 * _RIGHT)
    top = _TOP + 16.0 * len(lines)
    canvas.text((_LEFT + _WIDTH - _RIGHT) / 2 if not lines else _WIDTH / 2, 40, title, 13, bold=True)
    for i, line in enumerate(lines):
        canvas.text(_WIDTH / 2, 58 + 16.0 * i, line, 9, role="soft")
    for level, (upper, lower) in enumerate(pairwise(range(len(QUESTIONS) + 1))):
        y = top + _STEP * level
        for x, way in sorted(_places(lower), key=lambda place: lit[:lower] == place[1]):  # what is lit lies on top
            start = {up: place for place, up in _places(upper)}[way[:-1]]
            ends = [(start, y - _STEP / 2 + _BOX / 2 if level else top - 44), (x, y + _STEP / 2 - _BOX / 2)]
            canvas.line(ends, *_pen(way, lit))
    for level, (question, answers, words) in enumerate(QUESTIONS, 1):
        y, wide = top + _STEP * level - _STEP / 2, _BOXES[level - 1]
        canvas.text(20, y + 4, question, 8.5, anchor="start", bold=True)
        for x, way in _places(level):
            which, stroke = answers.index(way[-1]), "ink" if lit[:level] == way else "soft"
            tint = ("x-tint", "o-tint")[which]
            canvas.rectangle(x - wide / 2, y - _BOX / 2, wide, _BOX, stroke=stroke, fill=tint, radius=5)
            canvas.text(x, y + 3.2, words[which], 7.0 if level == len(QUESTIONS) else 7.5, bold=stroke == "ink")
    bottom = top + _STEP * len(QUESTIONS) + 10
    leaves = {way: _leaf(numbers.get(way)) for _, way in _places(len(QUESTIONS))}
    size = min(9.5, *(9.5 * 76 / text_width(text, 9.5) for text in leaves.values()))  # one size, with gaps between
    for x, way in _places(len(QUESTIONS)):
        canvas.line([(x, bottom - 10 - _STEP / 2 + _BOX / 2), (x, bottom - 18)], *_pen(way, lit))
        canvas.text(x, bottom, leaves[way], size, bold=True)
        if way == lit:
            canvas.rectangle(x - 43, bottom - 18, 86, 27, stroke="ink", pen=2.0, radius=5)
    if source:
        canvas.text(20, bottom + 26, source, 7.5, role="soft", anchor="start")
        bottom += 12
    described = "; ".join(
        f"{moves} moves, end {end}, {same}: "
        + ("not counted" if numbers.get(way) is None else f"{numbers[way]:,} games")
        for way in ways()
        for moves, end, same in [way]
    )
    return canvas.picture(_WIDTH, bottom + 24, title, "\n".join(part for part in (note, described, source) if part))


def _leaf(games: int | None) -> str:
    """Return the number at a leaf."""
    return "-" if games is None else "~" * (games >= 10**18) + roughly(games)


def _pen(way: Way, lit: Way) -> tuple[str, float]:
    """Return the role and the width of the line to an answer."""
    return ("ink", _LIT) if lit[: len(way)] == way else ("faint", _USUAL)


def _places(level: int) -> list[tuple[float, Way]]:
    """Return the middles of the boxes of a level, from left to right, each with the way to it."""
    some = list(product(*(answers for _, answers, _ in QUESTIONS[:level])))
    room = (_WIDTH - _LEFT - _RIGHT) / len(some)
    return [(_LEFT + room * (i + 0.5), way) for i, way in enumerate(some)]
