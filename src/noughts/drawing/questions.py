"""A small tree of questions for a page: every answer to the first, below each every answer to the second, and so on.

What is on the way to an answer has the classes of that way, such as `m-win e-line`, and `d1`, `d2`... by how many
questions it answers, so that the style sheet of the page can light one path. `t` are links, `k` knots, `w` words.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import product

__all__ = ["question_tree"]

_WIDTH, _STEP, _TOP, _LETTER = 360, 44, 8, 6.2


def question_tree(questions: Sequence[Sequence[tuple[str, str]]], label: str) -> str:
    """Return the tree as an inline SVG element; an answer is its class and its word.

    Words stand on all answers to the first question, and below it where the style sheet shows them.
    """
    height = _TOP + _STEP * len(questions) + 18
    ways = [
        way
        for depth in range(1, len(questions) + 1)
        for way in product(*(range(len(answers)) for answers in questions[:depth]))
    ]
    parts = [f'<circle class="k root" cx="{_WIDTH // 2}" cy="{_TOP}" r="3"/>']
    parts += [_branch(questions, way) for way in ways]
    parts += [_word(questions, way) for way in ways]
    return (
        f'<svg class="questions" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(label)}" fill="none">'
        + "".join(parts)
        + "</svg>"
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
    side = min(max(x, half), _WIDTH - half)
    return (
        f'<g class="said {_names(questions, way)}">'
        f'<text class="w" x="{side:g}" y="{y + 14:g}" text-anchor="middle" font-size="10">{escape(word)}</text></g>'
    )


def _place(questions: Sequence[Sequence[tuple[str, str]]], way: Sequence[int]) -> tuple[float, float]:
    left, room = 0.0, float(_WIDTH)
    for answers, chosen in zip(questions, way, strict=False):
        room /= len(answers)
        left += room * chosen
    return round(left + room / 2, 1), _TOP + _STEP * len(way)
