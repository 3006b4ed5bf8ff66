"""Posters: very many boards in sections on one page of a paper, as large as they fit, each in a frame that tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.domain.geometry import Shape
from noughts.drawing.board import Frame, draw_cells
from noughts.drawing.cards import outcome_frame
from noughts.drawing.files import paper_margin, paper_size
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.paper import MM
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.text import position_text

__all__ = ["PosterBoard", "PosterPart", "draw_poster"]

_TITLE, _WORDS, _HEADING = 0.030, 0.0115, 0.0135
"""The capitals of a poster, in widths of the page."""
_LEAST = 1.0 * MM
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
    low, high = _LEAST, width / (shape[1] * shape[2] + 0.5 * (shape[2] - 1) + 2 * _PAD)
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
