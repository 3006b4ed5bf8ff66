"""A small board for web pages: some hundred bytes of SVG, its colours left to the style sheet of the page.

Shapes have classes: `g` the grid, `x` and `o` the marks, `l` completed lines, `n` the cell of the last move. Without a
style sheet they are outlines in the colour of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from noughts.domain.geometry import Shape
from noughts.drawing.board import Frame

__all__ = ["shapes", "thumbnail"]

_CELL = 10
_WIDEST = 192
"""Pixels that a picture is wide at most; a cell has 24 where there is room."""


def thumbnail(
    shape: Shape, marks: str, label: str, *, lines: Sequence[Sequence[int]] = (), last: Sequence[int] = ()
) -> str:
    """Return a board as an inline SVG element with a label for those who do not see it.

    `lines` are completed lines, `last` cells to point out; cells are counted in reading order.
    """
    frame = Frame(shape, 0, 0, _CELL, _CELL // 2)
    width, height = int(frame.width), int(frame.height)
    scale = min(2.4, _WIDEST / (width + 2))
    head = (
        f'<svg class="b" viewBox="-1 -1 {width + 2} {height + 2}" width="{scale * (width + 2):.0f}" '
        f'height="{scale * (height + 2):.0f}" role="img" aria-label="{escape(label)}" '
        'fill="none" stroke="currentColor">'
    )
    return head + shapes(shape, marks, lines=lines, last=last) + "</svg>"


def shapes(shape: Shape, marks: str, *, lines: Sequence[Sequence[int]] = (), last: Sequence[int] = ()) -> str:
    """Return the shapes of a board, its cells ten units wide, to stand in a picture of several."""
    frame = Frame(shape, 0, 0, _CELL, _CELL // 2)
    parts = [f'<path class="g" d="{_grid(frame)}"/>'] if frame.width + frame.height > 2 * _CELL else []
    if lines:
        parts.insert(0, f'<path class="l" d="{"".join(_line(frame, line) for line in lines)}"/>')
    if last:
        parts.append(f'<path class="n" d="{"".join(_corner(frame, cell) for cell in last)}"/>')
    for mark, draw in (("X", _cross), ("O", _ring)):
        cells = [cell for cell, found in enumerate(marks) if found == mark]
        if cells:
            parts.append(f'<path class="{mark.lower()}" d="{"".join(draw(frame, cell) for cell in cells)}"/>')
    return "".join(parts)


def _grid(frame: Frame) -> str:
    rows, columns, layers = frame.shape
    parts = []
    for layer in range(layers):
        left, width = int(frame.left(layer)), columns * _CELL
        parts += [f"M{left} {row * _CELL}h{width}" for row in range(1, rows)]
        parts += [f"M{left + column * _CELL} 0v{rows * _CELL}" for column in range(1, columns)]
        if layers > 1 or min(rows, columns) == 1:
            parts.append(f"M{left} 0h{width}v{rows * _CELL}h-{width}z")
    return "".join(parts)


def _middle(frame: Frame, cell: int) -> tuple[int, int]:
    x, y = frame.centre(cell)
    return int(x), int(y)


def _cross(frame: Frame, cell: int) -> str:
    x, y = _middle(frame, cell)
    return f"M{x - 3} {y - 3}l6 6m0-6l-6 6"


def _ring(frame: Frame, cell: int) -> str:
    x, y = _middle(frame, cell)
    return f"M{x + 3} {y}a3 3 0 1 0-6 0a3 3 0 1 0 6 0"


def _corner(frame: Frame, cell: int) -> str:
    x, y = _middle(frame, cell)
    return f"M{x - 4} {y - 2}v-2h2m4 0h2v2m0 4v2h-2m-4 0h-2v-2"


def _line(frame: Frame, line: Sequence[int]) -> str:
    points = [_middle(frame, cell) for cell in line]
    return "M" + "L".join(f"{x} {y}" for x, y in points) + ("h.1" if len(points) == 1 else "")
