"""Cards to carry: small boards with the move to make on each, in parts under headings, on pages of a paper."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noughts.drawing.board import Frame, draw_cells, draw_dot, position_text
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.svg import Canvas, Svg, paper_margin, paper_size
from noughts.rules.symmetry import Shape

_SCALE = 0.26
"""Millimetres on paper for a picture unit: a cell is then 4 mm wide."""
_CELLS = (24.0, 21.0, 18.0, 15.5, 14.5, 13.5)
"""The side of a cell: the largest of those with which there are fewest pages; the last is 3.5 mm on paper."""
_CELL = 15.5
_GAP = 0.84
"""Between boards, in sides of a cell."""
_EDGE = 16.0
_TITLE, _WORDS, _HEADING = 9.5, 6.6, 7.4
_LEAD = 1.75
"""From line to line of a text, in capitals."""
_FEW = 30
"""Up to so many boards a sheet is as narrow as the smallest paper."""


@dataclass(frozen=True)
class CardBoard:
    """A board: its marks in reading order, and the cell to play."""

    marks: str
    call: int


@dataclass(frozen=True)
class CardPart:
    """Boards under a heading."""

    heading: str
    boards: Sequence[CardBoard]


@dataclass(frozen=True)
class PlayCard:
    """What is on a card: a title, how to use it, and the boards; the edges of `joined` ones are dashed."""

    shape: Shape
    title: str
    words: str
    parts: Sequence[CardPart]
    joined: bool = False


@dataclass(frozen=True)
class _CardRow:
    """A heading, or boards beside each other."""

    height: float
    heading: str = ""
    boards: Sequence[CardBoard] = ()


@dataclass(frozen=True)
class _CardPage:
    """The sizes of all pages of a card."""

    card: PlayCard
    width: float
    cell: float = _CELL

    @property
    def board(self) -> Frame:
        return self.frame(0, 0)

    @property
    def gap(self) -> float:
        return self.cell * _GAP

    def frame(self, x: float, y: float) -> Frame:
        return Frame(self.card.shape, x, y, self.cell, self.cell * 0.5)

    @property
    def columns(self) -> int:
        return max(1, int((self.width + self.gap) // (self.board.width + self.gap)))

    @property
    def step(self) -> float:
        """From the left edge of a board to that of the next: the boards fill the width."""
        if self.columns == 1:
            return 0.0
        return (self.width - self.board.width) / (self.columns - 1)

    @property
    def heading(self) -> float:
        """The height of a heading."""
        return _HEADING * _LEAD + 3

    def rows(self) -> list[_CardRow]:
        found = []
        for part in self.card.parts:
            found.append(_CardRow(self.heading, part.heading))
            for first in range(0, len(part.boards), self.columns):
                found.append(_CardRow(self.board.height + self.gap, "", part.boards[first : first + self.columns]))
        return found

    def titles(self, number: str) -> list[tuple[str, float]]:
        """Return the lines above the boards with the height of their capitals; on later pages the title only."""
        found = [(line, _TITLE) for line in wrapped(f"{self.card.title}{number}", _TITLE, self.width)]
        if not number or number.startswith(" (1 "):
            found += [(line, _WORDS) for line in wrapped(self.card.words, _WORDS, self.width)]
        return found

    def head(self, number: str) -> float:
        return sum(size * _LEAD for _, size in self.titles(number)) + 8

    def pages(self, height: float) -> list[list[_CardRow]]:
        """Return the rows of each page: none is cut, and no heading stands alone at a foot; it is said again on top."""
        found: list[list[_CardRow]] = [[]]
        rows, heading = self.rows(), ""
        for i, row in enumerate(rows):
            needed = row.height + (0 if row.boards else rows[i + 1].height) - self.gap
            room = height - self.head(" (1 of 99)" if len(found) == 1 else " (99 of 99)")
            if found[-1] and sum(done.height for done in found[-1]) + needed > room:
                again = f"{heading}, continued" if row.boards else ""
                found.append([_CardRow(self.heading, again)] if again else [])
            heading = row.heading or heading
            found[-1].append(row)
        return found


def card_sheet(card: PlayCard, theme: str = "light") -> Svg:
    """Return the whole card as one picture: as wide as a small page for few boards, else as a large one."""
    many = sum(len(part.boards) for part in card.parts)
    page = _CardPage(card, _width(card, "a6" if many <= _FEW else "a4"))
    rows = page.rows()
    return _draw(page, rows, "", page.head("") + sum(row.height for row in rows) - page.gap, theme, _EDGE)


def card_pages(card: PlayCard, paper: str = "a6", theme: str = "light") -> list[Svg]:
    """Return the card on pages of a paper in portrait: no board is cut, and no heading stands alone at the foot.

    Each page has the size of the paper within its margins. A board wider than the paper makes all pages wider, in
    proportion, so that they are scaled down when they are printed.
    """
    width, margin = _width(card, paper), paper_margin(paper)
    short, long = (side - 2 * margin for side in paper_size(paper, landscape=False))
    height = width * long / short
    sizes = [_CardPage(card, width, cell) for cell in _CELLS if _CardPage(card, width, cell).board.width <= width]
    page = min(sizes or [_CardPage(card, width)], key=lambda page: len(page.pages(height)))
    pages = page.pages(height)
    if len(pages) == 1:
        return [_draw(page, pages[0], "", height, theme)]
    return [_draw(page, held, f" ({number} of {len(pages)})", height, theme) for number, held in enumerate(pages, 1)]


def _width(card: PlayCard, paper: str) -> float:
    """Return the width of a paper within its margins, or that of a board where it is more, in picture units."""
    short, _ = paper_size(paper, landscape=False)
    return max((short - 2 * paper_margin(paper)) / _SCALE, Frame(card.shape, 0, 0, _CELL, _CELL * 0.5).width)


def _draw(page: _CardPage, rows: Sequence[_CardRow], number: str, height: float, theme: str, edge: float = 0.0) -> Svg:
    canvas, y = Canvas(theme), edge
    for line, size in page.titles(number):
        y += size
        canvas.text(edge + 0.5, y, line, size, anchor="start", bold=size == _TITLE)
        y += size * (_LEAD - 1)
    y, said = edge + page.head(number), [page.card.title, page.card.words]
    for row in rows:
        if row.heading:
            canvas.text(edge + 0.5, y + _HEADING, row.heading, _HEADING, anchor="start", bold=True)
            said.append(row.heading)
        for column, board in enumerate(row.boards):
            frame = page.frame(edge + column * page.step, y + 1)
            played = board.marks[: board.call] + "*" + board.marks[board.call + 1 :]
            canvas.open_group(position_text(page.card.shape, played))
            draw_cells(canvas, frame, board.marks, joined=page.card.joined)
            draw_dot(canvas, *frame.centre(board.call), page.cell * 1.35)
            canvas.close_group()
            said.append(position_text(page.card.shape, played))
        y += row.height
    return canvas.picture(page.width + 2 * edge, height + 2 * edge, f"{page.card.title}{number}", "\n".join(said))


# Labels to print, cut and stick on matchboxes: the board of each box, its number, and a bead on every cell to choose.
#
# A bead is drawn in its colour with its letter on it, so that the letter tells it where the colour does not.

_MM = 4.0
"""Picture units to a millimetre: pages are as large as an A4 page inside its margins, so they print at full size."""
_EDGE_MATCHBOXES = 10.0
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
    width, height = ((side - 2 * _EDGE_MATCHBOXES) * _MM for side in paper_size(paper, landscape=True))
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
