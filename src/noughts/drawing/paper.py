"""Pages to print and write on: a title, instructions, blocks in columns that are never cut, a line at the foot.

The unit is a quarter of a millimetre on paper; pages are as large as the paper within its margins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from noughts.drawing.glyphs import number, text_width, wrapped
from noughts.drawing.svg import Canvas, Svg, paper_margin, paper_size

MM = 4.0
"""Picture units in a millimetre."""
TITLE, TEXT, FOOT = 22.0, 15.0, 8.5
"""Capitals are 5.5, 3.75 and 2.1 mm high: types of 22, 15 and 9 points."""
LEAD = 1.75
"""The distance of lines, in heights of capitals."""
GAP = 26.0
"""Between blocks."""
_CODE = 22 * MM
"""The side of a code to scan."""
_LOOSE = 4.0
"""Maximum factor by which gaps between rows may grow to fill a page."""


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
    """A part of a page that is never cut: its height, a function that draws it, and its words."""

    height: float
    draw: Callable[[Canvas, float, float], None]
    text: str = ""


def text_block(text: str, size: float, width: float, *, bold: bool = False, hanging: float = 0.0) -> PrintedBlock:
    """Return a text in lines of a width, all but the first indented."""
    lines = wrapped(text, size, width)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for i, line in enumerate(lines):
            canvas.text(x + hanging * (i > 0), y + size + i * size * LEAD, line, size, anchor="start", bold=bold)

    return PrintedBlock(len(lines) * size * LEAD, draw, text)


def lines_block(words: Sequence[str], size: float, width: float, step: float) -> PrintedBlock:
    """Return words, one below the other, each before a line to write on."""

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for i, word in enumerate(words):
            base = y + size * 1.4 + i * step
            canvas.text(x, base, word, size, anchor="start")
            start = x + text_width(word, size) + size * 0.6
            canvas.line([(start, base + 2), (max(start + 20, x + width), base + 2)], "soft", 1.2)

    return PrintedBlock(len(words) * step, draw, " ".join(words))


def code_block(link: str, size: float = _CODE) -> PrintedBlock:
    """Return a QR code of an address."""
    import segno  # only here: most pages have no code

    rows = [list(row) for row in segno.make_qr(link, error="m").matrix]
    side = size / len(rows)
    dark = [(column, row) for row, line in enumerate(rows) for column, is_dark in enumerate(line) if is_dark]

    def draw(canvas: Canvas, x: float, y: float) -> None:
        squares = (f"M{number(x + column * side)} {number(y + row * side)}" for column, row in dark)
        square = f"h{number(side)}v{number(side)}h-{number(side)}z"
        canvas.path("".join(start + square for start in squares), fill="ink")

    return PrintedBlock(size, draw, link)


def above(*blocks: PrintedBlock) -> PrintedBlock:
    """Return blocks below each other."""

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for block in blocks:
            block.draw(canvas, x, y)
            y += block.height

    return PrintedBlock(sum(block.height for block in blocks), draw, _description(blocks))


def beside(*blocks: tuple[float, PrintedBlock]) -> PrintedBlock:
    """Return blocks beside each other, each with its distance from the left."""

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for left, block in blocks:
            block.draw(canvas, x + left, y)

    only = [block for _, block in blocks]
    return PrintedBlock(max(block.height for block in only), draw, _description(only))


def space(height: float) -> PrintedBlock:
    """Return so much room."""
    return PrintedBlock(height, lambda canvas, x, y: None)


def _description(blocks: Sequence[PrintedBlock]) -> str:
    return " ".join(block.text for block in blocks if block.text)


@dataclass(frozen=True)
class Leaf:
    """The common head of pages: their title, instructions, and whether they have lines for name and date."""

    title: str
    words: Sequence[str] = ()
    is_signed: bool = False
    foot: str = ""
    blocks: Sequence[PrintedBlock] = field(default=())
    columns: int = 1
    is_spread: bool = True
    """Whether the rows are spread over the page."""
    link: str = ""
    """Where a code in the head of the first page leads."""

    def head(self, width: float, *, first: bool) -> PrintedBlock:
        """Return the head of a page: later pages have the title only."""
        if first and self.link:
            plain = replace(self, link="").head(width - _CODE - GAP, first=True)
            return beside((0.0, plain), (width - _CODE, code_block(self.link)))
        parts = [text_block(self.title, TITLE, width, bold=True)]
        if first:
            name, date = (lines_block([word], TEXT, width * part, 44.0) for word, part in _SIGNED)
            parts += [beside((0.0, name), (width * 0.66, date))] * self.is_signed
            parts += [text_block(text, TEXT, width) for text in self.words]
        return above(*parts, space(GAP / 2))


_SIGNED = (("Name", 0.62), ("Date", 0.34))


def leaf_room(paper: str) -> Room:
    """Return the room within the margins of a paper in portrait, head and foot included."""
    margin = paper_margin(paper)
    width, height = ((side - 2 * margin) * MM for side in paper_size(paper, landscape=False))
    return Room(width, height - 2 * FOOT)


def leaf_fits(leaf: Leaf, paper: str) -> bool:
    """Tell whether each block of a part is low enough for the first page, which has the highest head."""
    room = leaf_room(paper)
    head = leaf.head(room.width, first=True).height
    return all(head + block.height <= room.height - GAP / 2 for block in leaf.blocks)


def leaf_pages(leaf: Leaf, paper: str, theme: str = "light") -> list[Svg]:
    """Return the pages of a part: blocks row by row in columns of one width."""
    room = leaf_room(paper)
    step = room.column(leaf.columns) + GAP
    pages: list[list[PrintedBlock]] = [[]]
    for i in range(0, len(leaf.blocks), leaf.columns):
        row = beside(*((place * step, block) for place, block in enumerate(leaf.blocks[i : i + leaf.columns])))
        used = sum(done.height + GAP for done in pages[-1])
        head = leaf.head(room.width, first=len(pages) == 1).height
        if pages[-1] and head + used + row.height > room.height - GAP / 2:
            pages.append([])
        pages[-1].append(row)
    return [_page(leaf, page, at, len(pages), room, theme) for at, page in enumerate(pages, 1)]


def _page(leaf: Leaf, rows: Sequence[PrintedBlock], at: int, many: int, room: Room, theme: str) -> Svg:
    canvas = Canvas(theme)
    head = leaf.head(room.width, first=at == 1)
    head.draw(canvas, 0, 0)
    y = head.height
    free = room.height - y - sum(row.height for row in rows) - GAP / 2
    most = GAP * (_LOOSE if leaf.is_spread else 0.8)
    gap = max(GAP * 0.5, min(most, free / max(1, len(rows) - 1)))
    for row in rows:
        row.draw(canvas, 0, y)
        y += row.height + gap
    if many > 1:
        canvas.text(room.width, room.height + FOOT * 1.4, f"{at} of {many}", FOOT, role="soft", anchor="end")
    title = leaf.title if many == 1 else f"{leaf.title}, page {at} of {many}"
    return finished(canvas, room, leaf.foot, title, [head.text, *(row.text for row in rows)])


def finished(canvas: Canvas, room: Room, foot: str, title: str, text: Sequence[str]) -> Svg:
    """Return a page as large as a paper within its margins, with a line at its foot."""
    canvas.text(0, room.height + FOOT * 1.4, foot, FOOT, role="soft", anchor="start")
    return canvas.picture(room.width, room.height + 2 * FOOT, title, "\n".join(filter(None, text)))


def draw_cutouts(
    canvas: Canvas, blocks: Sequence[PrintedBlock], columns: int, width: float, height: float, *, mirrored: bool = False
) -> None:
    """Draw blocks in rows of one size with dashed edges to cut along, the columns from the right where `mirrored`."""
    for place, block in enumerate(blocks):
        row, column = divmod(place, columns)
        x, y = (columns - 1 - column if mirrored else column) * width, row * height
        canvas.rectangle(x, y, width, height, stroke="faint", pen=0.8, dash="5 3")
        block.draw(canvas, x, y)


def stacked(pages: Sequence[Svg], theme: str = "light") -> Svg:
    """Return pages as one picture, one below the other with a line between."""
    if len(pages) == 1:
        return pages[0]
    canvas, y, edge = Canvas(theme), 0.0, 10 * MM
    width = max(page.width for page in pages) + 2 * edge
    for page in pages:
        body = page[page.index(">") + 1 : page.rindex("</svg>")]
        place = f'x="{edge:g}" y="{y + edge:g}" width="{page.width:g}" height="{page.height:g}"'
        canvas.parts.append(f"<svg {place}>{body}</svg>")
        y += page.height + 2 * edge
        canvas.line([(0, y), (width, y)], "faint", 1.0, "6 6")
    return canvas.picture(width, y, "Pages", "")
