"""Many small boards on one sheet, each with a caption, in rows and sections, cut into pages where asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.drawing.board import Frame, draw_cells, draw_small_names, position_text
from noughts.drawing.cards import outcome_frame
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.paper import MM
from noughts.drawing.svg import Canvas, Svg, paper_margin, paper_size
from noughts.rules.symmetry import Shape

_CELL = 14.0
_GAP = 18.0
_CAPTION = 6.6
_LINE = 10.0
_NAMES = 0.36
"""How large the names at the edges of a board are, in cells."""
_MARGIN = 24.0
_SECTION = 26.0
_TITLE_LINE = 13.0
_WIDTH = 1000.0
_LEAST = 360.0
"""How narrow a sheet of few boards may be: its title stands in lines above them."""
_SCALE = 0.26
_EDGE = 10.0


@dataclass(frozen=True)
class SheetBoard:
    """A board: marks in reading order, short lines under it, completed lines to show, and whether cells have names."""

    marks: str
    captions: Sequence[str] = ()
    lines: Sequence[Sequence[int]] = ()
    named: bool = False


@dataclass(frozen=True)
class SheetSection:
    """Boards under one heading."""

    heading: str
    boards: Sequence[SheetBoard]


@dataclass(frozen=True)
class _Grid:
    """The sizes that all pages share: of a board with its captions, and how many stand in a row."""

    shape: Shape
    title: str
    width: float
    card_width: float
    card_height: float

    @property
    def columns(self) -> int:
        return max(1, int((self.width - 2 * _MARGIN + _GAP) // (self.card_width + _GAP)))


@dataclass(frozen=True)
class _Row:
    """A heading (the text) or a row of boards, with its height."""

    height: float
    heading: str = ""
    boards: Sequence[SheetBoard] = ()


def draw_sheet(shape: Shape, sections: Sequence[SheetSection], title: str, theme: str = "light") -> Svg:
    """Return all boards on one sheet as wide as they need, up to about 1,000 units."""
    grid = _shrunk(_grid(shape, sections, title, _WIDTH), sections, _LEAST)
    rows = list(_rows(grid, sections))
    return _draw(grid, rows, theme, title)


def sheet_pages(
    shape: Shape, sections: Sequence[SheetSection], title: str, paper: str = "a4", theme: str = "light"
) -> list[Svg]:
    """Return the boards on pages of a paper in portrait; no board is cut and no heading stands alone at the foot.

    Where all fit one page that page is as large as what is on it, and so is scaled to the paper and centred on it.
    """
    width, height = ((side - 2 * _EDGE) / _SCALE for side in paper_size(paper, landscape=False))
    grid = _grid(shape, sections, title, width)
    room = height - 2 * _MARGIN - _head(grid, _numbered(title, 999, 999))
    pages: list[list[_Row]] = [[]]
    rows = list(_rows(grid, sections))
    for i, row in enumerate(rows):
        needed = row.height + (rows[i + 1].height if row.heading and i + 1 < len(rows) else 0)
        if pages[-1] and sum(done.height for done in pages[-1]) + needed > room:
            pages.append([])
        pages[-1].append(row)
    if len(pages) == 1:
        small = _shrunk(grid, sections, width / 2)
        return [_draw(small, list(_rows(small, sections)), theme, title)]
    return [
        _draw(grid, page, theme, _numbered(title, number, len(pages)), height) for number, page in enumerate(pages, 1)
    ]


def _grid(shape: Shape, sections: Sequence[SheetSection], title: str, width: float) -> _Grid:
    boards = [board for section in sections for board in section.boards]
    frame = Frame(shape, 0, 0, _CELL, _CELL * 0.5)
    words = max((text_width(text, _CAPTION) for board in boards for text in board.captions), default=0.0)
    lines = max((len(board.captions) for board in boards), default=0)
    card = max(frame.width, words)
    needed = max([card, *(text_width(section.heading, 7.5) for section in sections)]) + 2 * _MARGIN
    return _Grid(shape, title, max(width, needed), card, frame.height + lines * _LINE + 4)


def _shrunk(grid: _Grid, sections: Sequence[SheetSection], least: float) -> _Grid:
    """Return the grid no wider than its longest row of boards and its headings need, though not below the least."""
    most = min(grid.columns, max((len(section.boards) for section in sections), default=1))
    boards = most * (grid.card_width + _GAP) - _GAP
    needed = max([boards, *(text_width(section.heading, 7.5) for section in sections)]) + 2 * _MARGIN
    return replace(grid, width=min(grid.width, max(needed, least)))


def _numbered(title: str, number: int, pages: int) -> str:
    return f"{title} Page {number} of {pages}."


def _titled(grid: _Grid, title: str) -> list[str]:
    """Return the title in lines that fit the width."""
    return wrapped(title, 9, grid.width - 2 * _MARGIN) or [""]


def _head(grid: _Grid, title: str) -> float:
    """Return the height of the title."""
    return _SECTION + (len(_titled(grid, title)) - 1) * _TITLE_LINE


def _rows(grid: _Grid, sections: Sequence[SheetSection]) -> list[_Row]:
    found = []
    for section in sections:
        if section.heading:
            found.append(_Row(_SECTION, section.heading))
        for start in range(0, len(section.boards), grid.columns):
            found.append(_Row(grid.card_height + _GAP, "", section.boards[start : start + grid.columns]))
    return found


def _draw(grid: _Grid, rows: Sequence[_Row], theme: str, title: str, height: float | None = None) -> Svg:
    canvas = Canvas(theme)
    for i, line in enumerate(_titled(grid, title)):
        canvas.text(_MARGIN, _MARGIN + 8 + i * _TITLE_LINE, line, 9, anchor="start", bold=True)
    y = _MARGIN + _head(grid, title)
    said = [title]
    for row in rows:
        if row.heading:
            canvas.text(_MARGIN, y + 8, row.heading, 7.5, anchor="start", bold=True)
            said.append(row.heading)
        for column, board in enumerate(row.boards):
            _card(canvas, grid, board, _MARGIN + column * (grid.card_width + _GAP), y)
            said.append(" ".join([position_text(grid.shape, board.marks), *board.captions]))
        y += row.height
    return canvas.picture(grid.width, height or y + _MARGIN - _GAP / 2, title, "\n".join(said))


def _card(canvas: Canvas, grid: _Grid, board: SheetBoard, x: float, y: float) -> None:
    canvas.open_group(", ".join([position_text(grid.shape, board.marks), *board.captions]))
    plain = Frame(grid.shape, 0, 0, _CELL, _CELL * 0.5)
    frame = Frame(grid.shape, x + (grid.card_width - plain.width) / 2, y, _CELL, _CELL * 0.5)
    draw_cells(canvas, frame, board.marks, board.lines)
    if board.named:
        draw_small_names(canvas, frame, [cell for cell, mark in enumerate(board.marks) if mark == "."], _NAMES)
    for i, text in enumerate(board.captions):
        canvas.text(x + grid.card_width / 2, y + frame.height + (i + 1) * _LINE, text, _CAPTION)
    canvas.close_group()


# Posters: very many boards in sections on one page of a paper, as large as they fit, each in a frame that tells it.

_TITLE, _WORDS, _HEADING = 0.030, 0.0115, 0.0135
"""The capitals of a poster, in widths of the page."""
_LEAST_POSTERS = 1.0 * MM
"""The side of a cell at least: a millimetre."""
_PAD, _APART = 0.30, 0.42
"""Round a board, and between frames, in sides of a cell."""


@dataclass(frozen=True)
class PosterBoard:
    """A board: its marks in reading order, its completed lines, and for its frame X, O, draw, or none for open."""

    marks: str
    lines: Sequence[Sequence[int]] = ()
    outcome: str = ""


@dataclass(frozen=True)
class PosterPart:
    """Boards under a heading."""

    heading: str
    boards: Sequence[PosterBoard]


class _Poster:
    """The places on a page for cells of one size."""

    def __init__(self, shape: Shape, parts: Sequence[PosterPart], width: float, cell: float) -> None:
        self.shape, self.parts, self.width, self.cell = shape, parts, width, cell
        plain = Frame(shape, 0, 0, cell, cell * 0.5)
        self.card_width = plain.width + 2 * _PAD * cell
        self.card_height = plain.height + 2 * _PAD * cell
        self.gap = _APART * cell
        self.columns = int((width + self.gap) // (self.card_width + self.gap))

    @property
    def heading(self) -> float:
        """The height of a heading."""
        return self.width * _HEADING * 2.6

    @property
    def height(self) -> float:
        rows = sum(-(-len(part.boards) // max(1, self.columns)) for part in self.parts)
        return len(self.parts) * self.heading + rows * (self.card_height + self.gap)


def draw_poster(
    shape: Shape,
    parts: Sequence[PosterPart],
    title: str,
    words: str,
    keys: Sequence[tuple[str, str]],
    paper: str,
    theme: str = "light",
) -> Svg | None:
    """Return the poster as large as the paper within its margins, None where cells would be under a millimetre.

    `keys` name the frames: X, O, draw, or none for open, each with its words.
    """
    margin = paper_margin(paper)
    width, height = ((side - 2 * margin) * MM for side in paper_size(paper, landscape=False))
    titles = wrapped(title, width * _TITLE, width)
    below = wrapped(words, width * _WORDS, width)
    head = len(titles) * width * _TITLE * 1.6 + (len(below) + 2.2 * bool(keys)) * width * _WORDS * 1.9
    plan = _largest(shape, parts, width, height - head)
    if plan is None:
        return None
    canvas, y = Canvas(theme), 0.0
    for line in titles:
        canvas.text(0, y + width * _TITLE, line, width * _TITLE, anchor="start", bold=True)
        y += width * _TITLE * 1.6
    for line in below:
        canvas.text(0, y + width * _WORDS, line, width * _WORDS, anchor="start")
        y += width * _WORDS * 1.9
    if keys:
        _draw_keys(canvas, keys, y + width * _WORDS * 1.4, width * _WORDS)
    said = _draw_parts(canvas, plan, head)
    return canvas.picture(width, height, title, "\n".join([title, words, *said]))


def _largest(shape: Shape, parts: Sequence[PosterPart], width: float, height: float) -> _Poster | None:
    """Return the plan with the largest cells that fits, by halving."""
    low, high = _LEAST_POSTERS, width / (shape[1] * shape[2] + 0.5 * (shape[2] - 1) + 2 * _PAD)
    best = None
    for _ in range(40):
        middle = (low + high) / 2
        plan = _Poster(shape, parts, width, middle)
        if plan.columns and plan.height <= height:
            best, low = plan, middle
        else:
            high = middle
    return best


def _draw_keys(canvas: Canvas, keys: Sequence[tuple[str, str]], y: float, size: float) -> None:
    x = size * 0.3
    for outcome, words in keys:
        outcome_frame(canvas, outcome, x, y - size * 1.2, size * 2.2, size * 1.6, size / 10)
        canvas.text(x + size * 2.8, y, words, size, anchor="start")
        x += size * 4.6 + text_width(words, size)


def _draw_parts(canvas: Canvas, plan: _Poster, y: float) -> list[str]:
    """Draw the sections, and return what they show in words."""
    said, size = [], plan.width * _HEADING
    for part in plan.parts:
        canvas.text(0, y + size * 1.9, part.heading, size, anchor="start", bold=True)
        said.append(part.heading)
        y += plan.heading
        for place, board in enumerate(part.boards):
            row, column = divmod(place, plan.columns)
            x, top = column * (plan.card_width + plan.gap), y + row * (plan.card_height + plan.gap)
            outcome_frame(canvas, board.outcome, x, top, plan.card_width, plan.card_height, plan.cell / 22)
            pad = _PAD * plan.cell
            draw_cells(
                canvas, Frame(plan.shape, x + pad, top + pad, plan.cell, plan.cell * 0.5), board.marks, board.lines
            )
        said.append(" ".join(position_text(plan.shape, board.marks) for board in part.boards))
        y += -(-len(part.boards) // plan.columns) * (plan.card_height + plan.gap)
    return said
