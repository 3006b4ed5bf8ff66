"""A small board for web pages: some hundred bytes of SVG, its colours left to the style sheet of the page.

Shapes have classes: `g` the grid, `x` and `o` the marks, `l` completed lines, `n` the cell of the last move, `c`
a dot on the cell to play, `t` the names of cells. Without a
style sheet they are outlines in the colour of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape

from noughts.domain.cells import are_numbered, column_name
from noughts.domain.geometry import Shape
from noughts.drawing.board import Frame

__all__ = ["named_thumbnail", "shapes", "thumbnail"]

_CELL = 10
_WIDEST = 192
"""Pixels that a picture is wide at most; a cell has 24 where there is room."""
_NAME = 5.0
"""The height of the names of cells, and nearly the room for one."""


def thumbnail(
    shape: Shape,
    marks: str,
    label: str,
    *,
    lines: Sequence[Sequence[int]] = (),
    last: Sequence[int] = (),
    call: int | None = None,
) -> str:
    """Return a board as an inline SVG element with a label for those who do not see it.

    `lines` are completed lines, `last` cells to point out, `call` one to play; cells are counted in reading order.
    """
    inside = shapes(shape, marks, lines=lines, last=last) + ("" if call is None else _dot(shape, call))
    return (
        f'<svg class="b" {_size(shape)} role="img" aria-label="{escape(label)}" fill="none" stroke="currentColor">'
        f"{inside}</svg>"
    )


def _frame(shape: Shape) -> Frame:
    return Frame(shape, 0, 0, _CELL, _CELL // 2)


def named_thumbnail(
    shape: Shape,
    marks: str,
    label: str,
    *,
    lines: Sequence[Sequence[int]] = (),
    last: Sequence[int] = (),
    numbered: bool = False,
    joined: bool = False,
) -> str:
    """Return a board as `thumbnail` does, with letters and numbers at its edges, and the number of each layer.

    Where cells are spelt as numbers, or the board is `numbered`, the number of each blank one stands in it instead.
    `joined` draws the edges dashed, as those of a torus are joined to each other.
    """
    frame, in_cells = _frame(shape), numbered or are_numbered()
    left = 0.0 if in_cells else 3.0 + 3.4 * len(str(shape[0]))
    top = 0.0 if in_cells else 7.0
    foot = 9.0 if shape[2] > 1 else 0.0
    width, height = frame.width + left + 2, frame.height + top + foot + 2
    scale = min(3.6, 2 * _WIDEST / width)
    box = f'viewBox="{-1 - left:g} {-1 - top:g} {width:g} {height:g}" width="{scale * width:.0f}"'
    names = _cell_numbers(frame, marks) if in_cells else _edge_names(frame)
    names += [
        _written(frame.left(layer) + shape[1] * _CELL / 2, frame.height + 7.5, f"layer {layer + 1}")
        for layer in range(shape[2] * (shape[2] > 1))
    ]
    dashed = "".join(
        f'<rect class="g" x="{frame.left(layer):g}" y="0" width="{shape[1] * _CELL}" height="{shape[0] * _CELL}" '
        'stroke-dasharray="2.5 1.5"/>'
        for layer in range(shape[2] * joined)
    )
    return (
        f'<svg class="b" {box} height="{scale * height:.0f}" role="img" aria-label="{escape(label)}" fill="none" '
        f'stroke="currentColor">{dashed}{shapes(shape, marks, lines=lines, last=last)}'
        f'<g class="t" fill="currentColor" stroke="none" font-size="{_NAME:g}" text-anchor="middle">'
        f"{''.join(names)}</g></svg>"
    )


def _written(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{text}</text>'


def _edge_names(frame: Frame) -> list[str]:
    """Return the letters above each layer, and the numbers left of the first."""
    rows, columns, layers = frame.shape
    letters = [
        _written(frame.left(layer) + (column + 0.5) * _CELL, -2.5, column_name(column))
        for layer in range(layers)
        for column in range(columns)
    ]
    beside = -2.2 - 1.7 * len(str(rows))
    return letters + [_written(beside, (row + 0.5) * _CELL + 2, str(row + 1)) for row in range(rows)]


def _cell_numbers(frame: Frame, marks: str) -> list[str]:
    middles = [(cell + 1, frame.centre(cell)) for cell, mark in enumerate(marks) if mark == "."]
    return [_written(x, y + 2, str(number)) for number, (x, y) in middles]


@lru_cache(maxsize=16)
def _size(shape: Shape) -> str:
    frame = _frame(shape)
    width, height = int(frame.width) + 2, int(frame.height) + 2
    scale = min(2.4, _WIDEST / width)
    return f'viewBox="-1 -1 {width} {height}" width="{scale * width:.0f}" height="{scale * height:.0f}"'


def shapes(shape: Shape, marks: str, *, lines: Sequence[Sequence[int]] = (), last: Sequence[int] = ()) -> str:
    """Return the shapes of a board, its cells ten units wide, to stand in a picture of several."""
    parts = _grid(shape)
    if lines:
        frame = _frame(shape)
        parts = f'<path class="l" d="{"".join(_line(frame, line) for line in lines)}"/>{parts}'
    if last:
        frame = _frame(shape)
        parts += f'<path class="n" d="{"".join(_corner(frame, cell) for cell in last)}"/>'
    for mark, draw in (("X", _cross), ("O", _ring)):
        if mark in marks:
            drawn = [draw(shape, cell) for cell, found in enumerate(marks) if found == mark]
            parts += f'<path class="{mark.lower()}" d="{"".join(drawn)}"/>'
    return parts


@lru_cache(maxsize=16)
def _grid(shape: Shape) -> str:
    """Return the lines between the cells; nothing for a board of one cell."""
    frame = _frame(shape)
    if frame.width + frame.height <= 2 * _CELL:
        return ""
    rows, columns, layers = frame.shape
    parts = []
    for layer in range(layers):
        left, width = int(frame.left(layer)), columns * _CELL
        parts += [f"M{left} {row * _CELL}h{width}" for row in range(1, rows)]
        parts += [f"M{left + column * _CELL} 0v{rows * _CELL}" for column in range(1, columns)]
        if layers > 1 or min(rows, columns) == 1:
            parts.append(f"M{left} 0h{width}v{rows * _CELL}h-{width}z")
    return f'<path class="g" d="{"".join(parts)}"/>'


def _middle(frame: Frame, cell: int) -> tuple[int, int]:
    x, y = frame.centre(cell)
    return int(x), int(y)


@lru_cache(maxsize=1024)
def _cross(shape: Shape, cell: int) -> str:
    x, y = _middle(_frame(shape), cell)
    return f"M{x - 3} {y - 3}l6 6m0-6l-6 6"


@lru_cache(maxsize=1024)
def _ring(shape: Shape, cell: int) -> str:
    x, y = _middle(_frame(shape), cell)
    return f"M{x + 3} {y}a3 3 0 1 0-6 0a3 3 0 1 0 6 0"


def _dot(shape: Shape, cell: int) -> str:
    x, y = _middle(_frame(shape), cell)
    return f'<circle class="c" cx="{x}" cy="{y}" r="2" fill="currentColor"/>'


def _corner(frame: Frame, cell: int) -> str:
    x, y = _middle(frame, cell)
    return f"M{x - 4} {y - 2}v-2h2m4 0h2v2m0 4v2h-2m-4 0h-2v-2"


def _line(frame: Frame, line: Sequence[int]) -> str:
    points = [_middle(frame, cell) for cell in line]
    return "M" + "L".join(f"{x} {y}" for x, y in points) + ("h.1" if len(points) == 1 else "")
