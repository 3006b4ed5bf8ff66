"""Cards to carry: small boards with the move to make on each, in parts under headings, on pages of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.domain.geometry import Shape
from noughts.drawing.board import Frame, draw_cells, draw_dot
from noughts.drawing.files import paper_margin, paper_size
from noughts.drawing.glyphs import wrapped
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.text import position_text

__all__ = ["CardBoard", "CardPart", "PlayCard", "card_pages", "card_sheet"]

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
