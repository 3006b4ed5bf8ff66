"""Labels to print, cut and stick on matchboxes: the board of each box, its number, and a bead on every cell to choose.

A bead has its colour and a letter, so that readers who cannot distinguish colours can use the letter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noughts.drawing.board import Frame, draw_cells, position_text
from noughts.drawing.glyphs import text_width
from noughts.drawing.paper import MM, Leaf, PrintedBlock, draw_cutouts, finished, leaf_pages, leaf_room
from noughts.drawing.svg import Canvas, Svg
from noughts.rules.symmetry import Shape

_WIDE, _HIGH = 53.0 * MM, 36.0 * MM
"""A matchbox: 53 by 36 millimetres."""
_SMALL = 8.0
"""The size of the text beside the board of a label."""
_BEAD_INKS = {
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
    """The meaning of a bead: its letter, its colour in words, the cell, and the number of beads at the start."""

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
    notes: Sequence[str]


def label_pages(
    shape: Shape,
    labels: Sequence[BoxLabel],
    keys: Sequence[BeadKey],
    title: str,
    instructions: Sequence[str],
    paper: str = "a4",
) -> list[Svg]:
    """Return instructions with the table of beads, then pages of labels in the size of matchboxes."""
    room = leaf_room(paper)
    table = [_key_block(key, room.column(2)) for key in keys]
    pages = leaf_pages(Leaf(title, instructions, blocks=table, columns=2, is_spread=False), paper)
    words = max((text_width(line, _SMALL) for label in labels for line in label.notes), default=0.0)
    across = Frame(shape, 0, 0, 1.0, 0.5).width
    cell = max(12.0, min(30.0, (_HIGH - 42) / shape[0], (_WIDE - words - 30) / across))
    width, height = max(_WIDE, across * cell + words + 30), max(_HIGH, shape[0] * cell + 42)
    columns = max(1, int(room.width // width))
    each = columns * max(1, int(room.height // height))
    chunks = [labels[start : start + each] for start in range(0, len(labels), each)]
    for number, chunk in enumerate(chunks, 1):
        canvas, blocks = Canvas(), [_label_block(shape, label, cell) for label in chunk]
        draw_cutouts(canvas, blocks, columns, width, height)
        head = f"{title}: boxes {chunk[0].number} to {chunk[-1].number}, page {number} of {len(chunks)}"
        pages.append(finished(canvas, room, head, head, [block.text for block in blocks]))
    return pages


def _label_block(shape: Shape, label: BoxLabel, cell: float) -> PrintedBlock:
    beads = ", ".join(f"{bead.letter} {bead.colour} on {bead.cell}" for bead in label.beads.values())
    described = f"{label.number}: {position_text(shape, label.marks)}; {beads}; {', '.join(label.notes)}"

    def draw(canvas: Canvas, x: float, y: float) -> None:
        canvas.open_group(described)
        canvas.text(x + 10, y + 22, f"{label.number:,}", 11, anchor="start", bold=True)
        frame = Frame(shape, x + 10, y + 32, cell, cell * 0.5)
        draw_cells(canvas, frame, label.marks)
        for at, bead in label.beads.items():
            _draw_bead(canvas, *frame.centre(at), cell * 0.36, bead)
        for i, line in enumerate(label.notes):
            canvas.text(frame.x + frame.width + 10, y + 44 + 20 * i, line, _SMALL, anchor="start")
        canvas.close_group()

    return PrintedBlock(_HIGH, draw, described)


def _key_block(key: BeadKey, width: float) -> PrintedBlock:
    def draw(canvas: Canvas, x: float, y: float) -> None:
        _draw_bead(canvas, x + 16, y + 16, 15.0, key)
        canvas.text(x + 46, y + 21, f"{key.letter}, {key.colour}", 11, anchor="start")
        canvas.text(x + width * 0.65, y + 21, key.cell, 11, anchor="start", bold=True)
        canvas.text(x + width, y + 21, f"{key.beads:,} to begin with", 9, anchor="end")

    return PrintedBlock(32.0, draw, f"{key.letter}, {key.colour}: {key.cell}, {key.beads:,}")


def _draw_bead(canvas: Canvas, x: float, y: float, radius: float, bead: BeadKey) -> None:
    """Draw a bead with its letter; those with stripes have a number behind the letter."""
    ink = bead.colour.split()[0]
    paint: dict[str, str | float] = {"fill": _BEAD_INKS[ink], "stroke": "#1a1a1a", "stroke-width": 1.0}
    canvas.add("circle", {"cx": x, "cy": y, "r": radius, **paint})
    size = radius * (0.85 if len(bead.letter) == 1 else 0.6)
    canvas.text(x, y + size / 2, bead.letter, size, role="paper" if ink in _DARK else "ink", bold=True)
