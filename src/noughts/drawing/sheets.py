"""Many small boards under headings: as one picture, on pages of a paper, on cards to carry, or as a poster on one page.

All share one layout, rows of boards that are never cut. The sizes of boards and words differ. A card has the cell size
that needs fewest pages; a poster has the largest cells that fit one page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from noughts.drawing.board import Frame, draw_arrow, draw_cells, draw_dot, draw_small_names, position_text
from noughts.drawing.cards import outcome_frame
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.paper import code_block
from noughts.drawing.svg import Canvas, Svg, paper_margin, paper_size
from noughts.rules.symmetry import Shape

SCALE = 0.26
"""Millimetres on paper for a picture unit."""
_LEAD = 1.75
"""From line to line of a text, in capitals."""
_CAPTION, _CAPTION_LINE = 6.6, 10.0
_CARD_CELLS = (24.0, 21.0, 18.0, 15.5, 14.5, 13.5)
"""The sides of cells that a card may have: the last is 3.5 mm on paper."""
_CODE, _BESIDE = 60.0, 10.0
"""The side of a code to scan, and its distance from the words; a larger size of words makes both larger."""
_FEW = 30
"""Up to so many boards the picture of a card is as narrow as the smallest paper."""


@dataclass(frozen=True)
class SheetBoard:
    """A board: its marks in reading order, short lines under it, completed lines, and the cell to play, a dot.

    `named` cells have their names at the edges. `outcome` draws a frame that tells it: X, O, draw, or "" for open.
    `arrows` are pairs of cells.
    """

    marks: str
    captions: Sequence[str] = ()
    lines: Sequence[Sequence[int]] = ()
    named: bool = False
    call: int | None = None
    outcome: str | None = None
    arrows: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True)
class SheetSection:
    """Boards under one heading."""

    heading: str
    boards: Sequence[SheetBoard]


@dataclass(frozen=True)
class Sheet:
    """Boards of one shape in sections, under a title and words.

    `keys` say what frames mean: an outcome, and its words. `joined` draws the edges of boards dashed. A code beside the
    title leads to `link`.
    """

    shape: Shape
    title: str
    sections: Sequence[SheetSection]
    words: str = ""
    keys: Sequence[tuple[str, str]] = ()
    joined: bool = False
    link: str = ""


def draw_sheet(shape: Shape, sections: Sequence[SheetSection], title: str, theme: str = "light") -> Svg:
    """Return all boards in one picture as wide as they need, up to about 1,000 units."""
    return _Plan(Sheet(shape, title, sections), 952.0, margin=24.0).shrunk(312.0).whole(theme)


def sheet_pages(
    shape: Shape, sections: Sequence[SheetSection], title: str, paper: str = "a4", theme: str = "light"
) -> list[Svg]:
    """Return the boards on pages of a paper in portrait; no board is cut and no heading stands alone at the foot.

    Where all boards fit one page, that page is as large as its content. Printing scales it to the paper and centres it.
    """
    margin = 24.0
    width, height = ((side - 20.0) / SCALE - 2 * margin for side in paper_size(paper, landscape=False))
    plan = _Plan(Sheet(shape, title, sections), width, margin=margin)
    pages = plan.pages(height)
    return [plan.shrunk(width / 2).whole(theme)] if len(pages) == 1 else plan.drawn(pages, height, theme)


def card_picture(card: Sheet, theme: str = "light") -> Svg:
    """Return a card to carry as one picture: as wide as a small page for few boards, else as a large one."""
    many = sum(len(section.boards) for section in card.sections)
    return _card(card, "a6" if many <= _FEW else "a4", 15.5, margin=16.0).whole(theme)


def card_pages(card: Sheet, paper: str = "a6", theme: str = "light") -> list[Svg]:
    """Return a card on as few pages of a paper as there can be, with the largest boards that these hold.

    Each page has the size of the paper within its margins. A board wider than the paper makes all pages wider, in
    proportion, so that they are scaled down when they are printed.
    """
    short, long = (side - 2 * paper_margin(paper) for side in paper_size(paper, landscape=False))
    plans = [_card(card, paper, cell) for cell in _CARD_CELLS]
    narrowest = min(plan.width for plan in plans)
    plan = min((p for p in plans if p.width == narrowest), key=lambda plan: len(plan.pages(plan.width * long / short)))
    height = plan.width * long / short
    return plan.drawn(plan.pages(height), height, theme)


def _card(card: Sheet, paper: str, cell: float, margin: float = 0.0) -> _Plan:
    width = (paper_size(paper, landscape=False)[0] - 2 * paper_margin(paper)) / SCALE
    return _Plan(card, max(width, Frame(card.shape, 0, 0, cell, cell * 0.5).width), cell, 0.84, margin=margin)


def poster(sheet: Sheet, paper: str, theme: str = "light") -> Svg | None:
    """Return the boards on one page as large as they fit, each in its frame; None where cells would be under 1 mm."""
    margin = paper_margin(paper)
    width, height = ((side - 2 * margin) / SCALE for side in paper_size(paper, landscape=False))
    low, high, best = 1 / SCALE, width / (sheet.shape[1] * sheet.shape[2] + 0.5 * (sheet.shape[2] - 1) + 0.6), None
    for _ in range(40):
        plan = _Plan(sheet, width, (low + high) / 2, 0.42, pad=0.3, size=width / 600, title=2.0)
        if len(plan.pages(height)) == 1:
            best, low = plan, plan.cell
        else:
            high = plan.cell
    return None if best is None else best.drawn(best.pages(height), height, theme)[0]


@dataclass(frozen=True)
class _Row:
    """A heading, or boards beside each other."""

    height: float
    heading: str = ""
    boards: Sequence[SheetBoard] = ()


@dataclass(frozen=True)
class _Plan:
    """The places of boards on pages of one width: `gap` between boards and `pad` round them are in sides of a cell.

    `size` is how many times larger than usual the words are, and `title` how many times larger the title besides.
    """

    sheet: Sheet
    width: float
    cell: float = 14.0
    gap: float = 1.25
    margin: float = 0.0
    pad: float = 0.0
    size: float = 1.0
    title: float = 1.0

    def frame(self, x: float, y: float) -> Frame:
        return Frame(self.sheet.shape, x, y, self.cell, self.cell * 0.5)

    @cached_property
    def card(self) -> tuple[float, float]:
        """Width and height of a board with its frame and its captions."""
        boards, plain = [board for section in self.sheet.sections for board in section.boards], self.frame(0, 0)
        lines = max((len(board.captions) for board in boards), default=0)
        widest = max((text_width(text, _CAPTION) for board in boards for text in board.captions), default=0.0)
        around = 2 * self.pad * self.cell
        return max(plain.width, widest) + around, plain.height + lines * _CAPTION_LINE + around

    @cached_property
    def columns(self) -> int:
        gap = self.gap * self.cell
        return max(1, int((self.width + gap) // (self.card[0] + gap)))

    @property
    def heading(self) -> float:
        return 7.4 * self.size

    def shrunk(self, least: float) -> _Plan:
        """Return the plan no wider than its longest row of boards and its headings need, though not below the least."""
        sections, gap = self.sheet.sections, self.gap * self.cell
        most = min(self.columns, max((len(section.boards) for section in sections), default=1))
        headings = [text_width(section.heading, self.heading) for section in sections]
        return replace(self, width=max(least, most * (self.card[0] + gap) - gap, *headings))

    @cached_property
    def rows(self) -> list[_Row]:
        found = []
        for section in self.sheet.sections:
            if section.heading:
                found.append(_Row(self.heading * 2.4, section.heading))
            for first in range(0, len(section.boards), self.columns):
                boards = section.boards[first : first + self.columns]
                found.append(_Row(self.card[1] + self.gap * self.cell, "", boards))
        return found

    def head(self, number: str) -> list[tuple[str, float]]:
        """Return the lines above the boards with the height of their capitals; on later pages the title only."""
        title, words = 9.5 * self.size * self.title, 6.6 * self.size
        width = self.width - bool(self.sheet.link) * (_CODE + _BESIDE) * self.size
        found = [(line, title) for line in wrapped(f"{self.sheet.title}{number}", title, width)]
        if not number or number.startswith(" (1 "):
            found += [(line, words) for line in wrapped(self.sheet.words, words, width)]
            found += [("", words * 1.5)] * bool(self.sheet.keys)
        return found

    def top(self, number: str) -> float:
        words = sum(size * _LEAD for _, size in self.head(number))
        return max(words, bool(self.sheet.link) * _CODE * self.size) + 8

    def pages(self, height: float) -> list[list[_Row]]:
        """Return the rows of each page: no heading stands alone at a foot, and on the next page it is said again."""
        found: list[list[_Row]] = [[]]
        heading, used = "", self.top(" (1 of 99)")
        for row, after in zip(self.rows, [*self.rows, _Row(0.0)][1:], strict=True):
            needed = row.height + (0 if row.boards else after.height) - self.gap * self.cell
            if found[-1] and used + needed > height:
                found.append([_Row(self.heading * 2.4, f"{heading}, continued")] if row.boards and heading else [])
                used = self.top(" (99 of 99)") + sum(again.height for again in found[-1])
            heading = row.heading or heading
            found[-1].append(row)
            used += row.height
        return found

    def whole(self, theme: str) -> Svg:
        """Return all rows as one picture, as high as they are."""
        height = self.top("") + sum(row.height for row in self.rows) - self.gap * self.cell
        return self._draw(self.rows, "", height, theme)

    def drawn(self, pages: Sequence[Sequence[_Row]], height: float, theme: str) -> list[Svg]:
        """Return pages of one height."""
        many = len(pages)
        numbers = [f" ({number} of {many})" if many > 1 else "" for number in range(1, many + 1)]
        return [self._draw(rows, number, height, theme) for rows, number in zip(pages, numbers, strict=True)]

    def _draw(self, rows: Sequence[_Row], number: str, height: float, theme: str) -> Svg:
        canvas, left, y = Canvas(theme), self.margin + 0.5, self.margin or 1.5 * self.size  # the pen is within the page
        for line, size in self.head(number):
            canvas.text(left, y + size, line, size, anchor="start", bold=size > self.heading)
            y += size * _LEAD
            if not line:
                self._keys(canvas, left, y - size * 0.5, size / 1.5)
        if self.sheet.link:
            side = _CODE * self.size
            code_block(self.sheet.link, side).draw(canvas, self.margin + self.width - side, self.margin)
        y, texts = self.margin + self.top(number), [self.sheet.title, self.sheet.words]
        step = (self.width - self.card[0]) / max(1, self.columns - 1)
        for row in rows:
            if row.heading:
                canvas.text(left, y + self.heading, row.heading, self.heading, anchor="start", bold=True)
                texts.append(row.heading)
            for column, board in enumerate(row.boards):
                self._board(canvas, board, self.margin + column * step, y)
                texts.append(self._description(board))
            y += row.height
        title = f"{self.sheet.title}{number}"
        return canvas.picture(
            self.width + 2 * self.margin, height + 2 * self.margin, title, "\n".join(filter(None, texts))
        )

    def _description(self, board: SheetBoard) -> str:
        marks = board.marks if board.call is None else board.marks[: board.call] + "*" + board.marks[board.call + 1 :]
        return ", ".join([position_text(self.sheet.shape, marks), *board.captions])

    def _keys(self, canvas: Canvas, x: float, y: float, size: float) -> None:
        for outcome, words in self.sheet.keys:
            outcome_frame(canvas, outcome, x, y - size * 1.2, size * 2.2, size * 1.6, size / 10)
            canvas.text(x + size * 2.8, y, words, size, anchor="start")
            x += size * 4.6 + text_width(words, size)

    def _board(self, canvas: Canvas, board: SheetBoard, x: float, y: float) -> None:
        canvas.open_group(self._description(board))
        width, height = self.card
        if board.outcome is not None:
            outcome_frame(canvas, board.outcome, x, y, width, height, self.cell / 22)
        frame = self.frame(x + (width - self.frame(0, 0).width) / 2, y + self.pad * self.cell)
        draw_cells(canvas, frame, board.marks, board.lines, joined=self.sheet.joined)
        for start, end in board.arrows:
            draw_arrow(canvas, frame, start, end, None, taken=board.marks[end] in "XO")
        if board.named:
            draw_small_names(canvas, frame, [cell for cell, mark in enumerate(board.marks) if mark == "."], 0.36)
        if board.call is not None:
            draw_dot(canvas, *frame.centre(board.call), self.cell * 1.35)
        for i, text in enumerate(board.captions):
            canvas.text(x + width / 2, frame.y + frame.height + (i + 1) * _CAPTION_LINE, text, _CAPTION)
        canvas.close_group()
