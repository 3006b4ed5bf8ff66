"""Many small boards on one sheet, each with a caption, in rows and sections, cut into pages where asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.domain.geometry import Shape
from noughts.drawing.board import Frame, draw_cells, draw_small_names
from noughts.drawing.files import paper_size
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.text import position_text

__all__ = ["SheetBoard", "SheetSection", "draw_sheet", "sheet_pages"]

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
