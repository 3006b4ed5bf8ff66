"""Pages to print and write on: a title, instructions, blocks in columns that are never cut, a line at the foot.

Everything is measured in quarters of a millimetre on paper, as pages are as large as the paper within its margins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from noughts.drawing.files import paper_margin, paper_size
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.svg import Canvas, Svg

__all__ = [
    "FOOT",
    "GAP",
    "LEAD",
    "MM",
    "TEXT",
    "TITLE",
    "Leaf",
    "PrintedBlock",
    "Room",
    "draw_lines",
    "leaf_fits",
    "leaf_pages",
    "leaf_room",
    "stacked",
]

MM = 4.0
"""Picture units in a millimetre."""
TITLE, TEXT, FOOT = 22.0, 15.0, 8.5
"""Capitals are 5.5, 3.75 and 2.1 mm high: types of 22, 15 and 9 points."""
LEAD = 1.75
"""From line to line, in capitals."""
GAP = 26.0
"""Between blocks."""
_LOOSE = 4.0
"""How many times wider the gaps between rows may grow to fill a page."""


@dataclass(frozen=True)
class Room:
    """The room for blocks: the width of a page, and the height below its head and above its foot."""

    width: float
    height: float

    def column(self, columns: int) -> float:
        """Return how wide one of so many columns is."""
        return (self.width - (columns - 1) * GAP) / columns


@dataclass(frozen=True)
class PrintedBlock:
    """Something on a page that is never cut: how high it is, what draws it at its top left corner, and its words."""

    height: float
    draw: Callable[[Canvas, float, float], None]
    said: str = ""


@dataclass(frozen=True)
class Leaf:
    """What stands on all pages of a part: its title, what to do, whether there are lines for name and date."""

    title: str
    words: Sequence[str] = ()
    is_signed: bool = False
    foot: str = ""
    blocks: Sequence[PrintedBlock] = field(default=())
    columns: int = 1
    is_spread: bool = True
    """Whether the rows are spread over the page."""

    def head(self, width: float, *, first: bool) -> float:
        """Return how high the head of a page is: later pages have the title only."""
        height = len(wrapped(self.title, TITLE, width)) * TITLE * LEAD
        if first:
            height += sum(len(wrapped(text, TEXT, width)) * TEXT * LEAD for text in self.words)
            height += 44.0 if self.is_signed else 0.0
        return height + GAP / 2


def leaf_room(paper: str) -> Room:
    """Return the room within the margins of a paper in portrait, head and foot included."""
    margin = paper_margin(paper)
    width, height = ((side - 2 * margin) * MM for side in paper_size(paper, landscape=False))
    return Room(width, height - 2 * FOOT)


def leaf_pages(leaf: Leaf, paper: str, theme: str = "light") -> list[Svg]:
    """Return the pages of a part: blocks row by row in columns of one width."""
    room = leaf_room(paper)
    rows = [leaf.blocks[i : i + leaf.columns] for i in range(0, len(leaf.blocks), leaf.columns)]
    pages: list[list[Sequence[PrintedBlock]]] = [[]]
    for row in rows:
        used = sum(_height(done) + GAP for done in pages[-1])
        head = leaf.head(room.width, first=len(pages) == 1)
        if pages[-1] and head + used + _height(row) > room.height - GAP / 2:
            pages.append([])
        pages[-1].append(row)
    return [_page(leaf, page, number, len(pages), room, theme) for number, page in enumerate(pages, 1)]


def leaf_fits(leaf: Leaf, paper: str) -> bool:
    """Tell whether each block of a part is low enough for the first page, which has the highest head."""
    room = leaf_room(paper)
    return all(leaf.head(room.width, first=True) + block.height <= room.height - GAP / 2 for block in leaf.blocks)


def _height(row: Sequence[PrintedBlock]) -> float:
    return max(block.height for block in row)


def _page(leaf: Leaf, rows: Sequence[Sequence[PrintedBlock]], number: int, many: int, room: Room, theme: str) -> Svg:
    canvas = Canvas(theme)
    y = _head(canvas, leaf, room, first=number == 1)
    free = room.height - y - sum(_height(row) for row in rows) - GAP / 2
    most = GAP * (_LOOSE if leaf.is_spread else 0.8)
    gap = max(GAP * 0.5, min(most, free / max(1, len(rows) - 1)))
    said = [leaf.title, *leaf.words] if number == 1 else [leaf.title]
    width = room.column(leaf.columns)
    for row in rows:
        for place, block in enumerate(row):
            block.draw(canvas, place * (width + GAP), y)
            said.append(block.said)
        y += _height(row) + gap
    foot = room.height + FOOT * 1.4
    canvas.text(0, foot, leaf.foot, FOOT, role="soft", anchor="start")
    if many > 1:
        canvas.text(room.width, foot, f"{number} of {many}", FOOT, role="soft", anchor="end")
    title = leaf.title if many == 1 else f"{leaf.title}, page {number} of {many}"
    return canvas.picture(room.width, room.height + 2 * FOOT, title, "\n".join(filter(None, said)))


def _head(canvas: Canvas, leaf: Leaf, room: Room, *, first: bool) -> float:
    """Draw the head of a page and return where the blocks begin."""
    y = 0.0
    for line in wrapped(leaf.title, TITLE, room.width):
        canvas.text(0, y + TITLE, line, TITLE, anchor="start", bold=True)
        y += TITLE * LEAD
    if first:
        if leaf.is_signed:
            y += 30.0
            draw_lines(canvas, 0, y, ("Name",), room.width * 0.62, TEXT)
            draw_lines(canvas, room.width * 0.66, y, ("Date",), room.width * 0.34, TEXT)
            y += 14.0
        for text in leaf.words:
            for line in wrapped(text, TEXT, room.width):
                canvas.text(0, y + TEXT, line, TEXT, anchor="start")
                y += TEXT * LEAD
    return y + GAP / 2


def draw_lines(canvas: Canvas, x: float, y: float, words: Sequence[str], width: float, size: float) -> float:
    """Draw words, one below the other, each before a line to write on, the first on the line y; return the last y."""
    for number, word in enumerate(words):
        y += size * 2.3 * (number > 0)
        canvas.text(x, y, word, size, anchor="start")
        start = x + text_width(word, size) + size * 0.6
        canvas.line([(start, y + 2), (max(start + 20, x + width), y + 2)], "soft", 1.2)
    return y


def stacked(pages: Sequence[Svg], theme: str = "light") -> Svg:
    """Return pages as one picture, one below the other with a line between."""
    if len(pages) == 1:
        return pages[0]
    canvas, y, edge = Canvas(theme), 0.0, 10 * MM
    width = max(page.width for page in pages) + 2 * edge
    for page in pages:
        y += edge
        place: dict[str, str | float] = {"x": edge, "y": y, "width": page.width, "height": page.height}
        body = page[page.index(">") + 1 : page.rindex("</svg>")]
        canvas.parts.append(
            f"<svg {' '.join(f'{key}={chr(34)}{value:g}{chr(34)}' for key, value in place.items())}>{body}</svg>"
        )
        y += page.height + edge
        canvas.line([(0, y), (width, y)], "faint", 1.0, "6 6")
    return canvas.picture(width, y, "Pages", "")
