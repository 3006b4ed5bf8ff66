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
    parts = [f'<circle class="k root" cx="{_WIDTH // 2}" cy="{_TOP}" r="3"/>']
    for depth in range(1, len(questions) + 1):
        for way in product(*(range(len(answers)) for answers in questions[:depth])):
            parts.append(_branch(questions, way))
    return (
        f'<svg class="questions" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(label)}" fill="none">'
        + "".join(parts)
        + "</svg>"
    )


def _branch(questions: Sequence[Sequence[tuple[str, str]]], way: Sequence[int]) -> str:
    """Return the link to one knot, the knot, and its word."""
    depth = len(way)
    x, y = _place(questions, way)
    up_x, up_y = _place(questions, way[:-1])
    names = " ".join(questions[level][chosen][0] for level, chosen in enumerate(way))
    bend = (up_y + y) / 2
    word = questions[depth - 1][way[-1]][1]
    half = len(word) * _LETTER / 2
    side = min(max(x, half), _WIDTH - half)
    path = f"M{up_x:g} {up_y:g}C{up_x:g} {bend:g} {x:g} {bend:g} {x:g} {y:g}"
    return (
        f'<g class="d{depth} {names}"><path class="t" d="{path}"/>'
        f'<circle class="k" cx="{x:g}" cy="{y:g}" r="{4 - depth / 2:g}"/>'
        f'<text class="w" x="{side:g}" y="{y + 14:g}" text-anchor="middle" font-size="10">{escape(word)}</text></g>'
    )


def _place(questions: Sequence[Sequence[tuple[str, str]]], way: Sequence[int]) -> tuple[float, float]:
    left, room = 0.0, float(_WIDTH)
    for answers, chosen in zip(questions, way, strict=False):
        room /= len(answers)
        left += room * chosen
    return round(left + room / 2, 1), _TOP + _STEP * len(way)
