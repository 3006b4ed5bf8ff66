"""Labels to print, cut and stick on matchboxes: the board of each box, its number, and a bead on every cell to choose.

A bead is drawn in its colour with its letter on it, so that the letter tells it where the colour does not.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noughts.domain.geometry import Shape
from noughts.drawing.board import Frame, draw_cells
from noughts.drawing.files import paper_size
from noughts.drawing.glyphs import text_width
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.text import position_text

__all__ = ["BEAD_INKS", "BeadKey", "BoxLabel", "label_pages", "label_sheet"]

_MM = 4.0
"""Picture units to a millimetre: pages are as large as an A4 page inside its margins, so they print at full size."""
_EDGE = 10.0
_WIDE, _HIGH = 53.0, 36.0
"""A matchbox in millimetres."""
_HEAD = 9.0
_SMALL = 8.0
"""The size of what is written beside the board of a label."""
_LINE = 66
BEAD_INKS = {
    "red": "#d7191c",
    "yellow": "#ffd92f",
    "green": "#1a9850",
    "blue": "#2166ac",
    "white": "#ffffff",
    "black": "#1a1a1a",
    "pink": "#f7a8c8",
    "violet": "#7b3294",
    "tan": "#d2a679",
}
"""The colour of a bead by the word for it."""
_DARK = ("red", "green", "blue", "black", "violet")
"""Beads on which a letter is white."""


@dataclass(frozen=True)
class BeadKey:
    """What a bead means: its letter, its colour in words, the cell, and how many there are to begin with."""

    letter: str
    colour: str
    cell: str
    beads: int


@dataclass(frozen=True)
class BoxLabel:
    """A label: the number of the box, the marks in reading order, the bead on each cell to choose, lines beside it."""

    number: int
    marks: str
    beads: Mapping[int, BeadKey]
    said: Sequence[str]


def label_sheet(shape: Shape, labels: Sequence[BoxLabel], title: str) -> Svg:
    """All labels on one sheet, in rows of five, with the title above."""
    grid = _LabelGrid.of(shape, labels)
    columns = max(1, min(5, len(labels)))
    rows = -(-len(labels) // columns)
    canvas = Canvas()
    canvas.text(4, 20, title, 11, anchor="start", bold=True)
    _draw_labels(canvas, grid, labels, columns)
    width = max(columns * grid.width, text_width(title, 11)) + 4
    described = "\n".join(_described(shape, label) for label in labels)
    return canvas.picture(width, _HEAD * _MM + rows * grid.height + 4, title, described)


def label_pages(
    shape: Shape,
    labels: Sequence[BoxLabel],
    keys: Sequence[BeadKey],
    title: str,
    instructions: Sequence[str],
    paper: str = "a4",
) -> list[Svg]:
    """Return pages in landscape: what to do and the table of beads, then the labels, in the size of matchboxes."""
    width, height = ((side - 2 * _EDGE) * _MM for side in paper_size(paper, landscape=True))
    grid = _LabelGrid.of(shape, labels)
    columns = max(1, int(width // grid.width))
    rows = max(1, int((height - _HEAD * _MM) // grid.height))
    chunks = [labels[start : start + columns * rows] for start in range(0, len(labels), columns * rows)]
    pages = [_first(keys, title, instructions, width, height)]
    for number, chunk in enumerate(chunks, 1):
        canvas = Canvas()
        head = f"{title}: boxes {chunk[0].number} to {chunk[-1].number}, page {number} of {len(chunks)}"
        canvas.text(4, 20, head, 9, anchor="start", bold=True)
        _draw_labels(canvas, grid, chunk, columns)
        described = "\n".join(_described(shape, label) for label in chunk)
        pages.append(canvas.picture(width, height, head, described))
    return pages


@dataclass(frozen=True)
class _LabelGrid:
    """The size of a label, and of the cells of the board on it."""

    shape: Shape
    cell: float
    width: float
    height: float

    @classmethod
    def of(cls, shape: Shape, labels: Sequence[BoxLabel]) -> _LabelGrid:
        rows, columns, layers = shape
        words = max((text_width(line, _SMALL) for label in labels for line in label.said), default=0.0)
        across = columns * layers + 0.5 * (layers - 1)
        high = (_HIGH * _MM - 42) / rows
        cell = max(min(30.0, high), min(high, (_WIDE * _MM - words - 30) / across))
        wide = across * cell
        if wide + words + 30 > 2 * _WIDE * _MM:
            cell = max(12.0, cell * (2 * _WIDE * _MM - words - 30) / wide)
            wide = across * cell
        return cls(shape, cell, max(_WIDE * _MM, wide + words + 30), max(_HIGH * _MM, rows * cell + 42))


def _draw_labels(canvas: Canvas, grid: _LabelGrid, labels: Sequence[BoxLabel], columns: int) -> None:
    for place, label in enumerate(labels):
        row, column = divmod(place, columns)
        x, y = column * grid.width + 2, _HEAD * _MM + row * grid.height
        canvas.open_group(_described(grid.shape, label))
        canvas.rectangle(x, y, grid.width, grid.height, stroke="faint", pen=0.8, dash="5 3")
        canvas.text(x + 10, y + 22, f"{label.number:,}", 11, anchor="start", bold=True)
        frame = Frame(grid.shape, x + 10, y + 32, grid.cell, grid.cell * 0.5)
        draw_cells(canvas, frame, label.marks)
        for cell, bead in label.beads.items():
            _draw_bead(canvas, *frame.centre(cell), grid.cell * 0.36, bead)
        for i, line in enumerate(label.said):
            canvas.text(frame.x + frame.width + 10, y + 44 + 20 * i, line, _SMALL, anchor="start")
        canvas.close_group()


def _draw_bead(canvas: Canvas, x: float, y: float, radius: float, bead: BeadKey) -> None:
    """Draw a bead with its letter; those with stripes have a number behind the letter."""
    ink = bead.colour.split()[0]
    canvas.add(
        "circle",
        {"cx": x, "cy": y, "r": radius, "fill": BEAD_INKS[ink], "stroke": "#1a1a1a", "stroke-width": 1.0},
    )
    size = radius * (0.85 if len(bead.letter) == 1 else 0.6)
    canvas.text(x, y + size / 2, bead.letter, size, role="paper" if ink in _DARK else "ink", bold=True)


def _first(keys: Sequence[BeadKey], title: str, instructions: Sequence[str], width: float, height: float) -> Svg:
    canvas = Canvas()
    canvas.text(4, 26, title, 16, anchor="start", bold=True)
    y = 72.0
    for paragraph in instructions:
        for i, line in enumerate(textwrap.wrap(paragraph, _LINE)):
            canvas.text(4 if i == 0 else 24, y, line, 12, anchor="start")
            y += 24
        y += 14
    left, top = width - 300, 72.0
    canvas.text(left, top, "Beads and cells", 11, anchor="start", bold=True)
    canvas.text(left + 294, top, "to begin with", 9, anchor="end")
    step = min(44.0, (height - top - 40) / max(1, len(keys)))
    for i, key in enumerate(keys):
        row = top + 22 + step * (i + 0.5)
        _draw_bead(canvas, left + 22, row, min(17.0, step * 0.42), key)
        canvas.text(left + 56, row + 4, f"{key.letter}, {key.colour}", 9, anchor="start")
        canvas.text(left + 200, row + 4, key.cell, 9, anchor="start", bold=True)
        canvas.text(left + 294, row + 4, f"{key.beads:,}", 9, anchor="end")
    described = "\n".join([*instructions, *(f"{key.letter}, {key.colour}: {key.cell}, {key.beads:,}" for key in keys)])
    return canvas.picture(width, height, title, described)


def _described(shape: Shape, label: BoxLabel) -> str:
    beads = ", ".join(f"{bead.letter} {bead.colour} on {bead.cell}" for bead in label.beads.values())
    return f"{label.number}: {position_text(shape, label.marks)}; {beads}; {', '.join(label.said)}"
