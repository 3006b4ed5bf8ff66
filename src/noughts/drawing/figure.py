"""A board as a figure for a page: what it is, who is to move, the board, and a key of what is drawn on it.

Any finished picture can be given a caption below and another size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from noughts.domain.arguments import integer, text_of
from noughts.domain.errors import InputError
from noughts.drawing.board import (
    CELL,
    GAP,
    BoardPicture,
    Frame,
    board_margins,
    draw_brackets,
    draw_note_shape,
    draw_on,
    draw_threat_mark,
)
from noughts.drawing.glyphs import number, require_drawable, text_width, wrapped
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.text import board_text

__all__ = ["LARGEST", "SMALLEST", "captioned", "draw_figure", "resized"]

SMALLEST, LARGEST = 40, 10_000
"""The widths that a picture may be asked for in."""
_EDGE = 20.0
_TITLE, _TURN, _KEY = 11.0, 9.0, 7.5
_ROW = 18.0
_SAMPLE = 20.0
_HEAD = re.compile(r'width="[0-9.]+" height="[0-9.]+" viewBox="0 0 [0-9.]+ [0-9.]+"')
_SHEET = re.compile(r'<rect width="[0-9.]+" height="[0-9.]+"')
_NARROWEST = 240.0


@dataclass(frozen=True)
class _Entry:
    """A line of the key: its words, and what draws the sample at a centre."""

    words: str
    sample: Callable[[Canvas, float, float], None]

    @property
    def width(self) -> float:
        return _SAMPLE + 6 + text_width(self.words, _KEY)


def draw_figure(picture: BoardPicture, title: str, turn: str, theme: str = "light") -> Svg:
    """Return the board under its title and who is to move, with a key of what is drawn on it."""
    left, top = board_margins(picture)
    board = Frame(picture.shape, 0, 0, CELL, GAP)
    room = max(board.width + left + _EDGE, _NARROWEST)
    title = require_drawable("the title", title)
    titles, turns = wrapped(title, _TITLE, room - 2 * _EDGE), wrapped(turn, _TURN, room - 2 * _EDGE)
    canvas, y = Canvas(theme), _EDGE
    for size, lines, bold in ((_TITLE, titles, True), (_TURN, turns, False)):
        for line in lines:
            y += size
            canvas.text(_EDGE, y, line, size, anchor="start", bold=bold)
            y += size * 0.7
    frame = Frame(picture.shape, left + (room - board.width - left - _EDGE) / 2, y + top - 8, CELL, GAP)
    draw_on(canvas, frame, picture)
    height = _key(canvas, _entries(picture), room, frame.y + board.height + 18)
    said = f"{title}\n{turn}\n{board_text(picture.shape, picture.marks)}"
    return canvas.picture(room, height, f"{title}: {turn}", said)


def _entries(picture: BoardPicture) -> list[_Entry]:
    """Return what the key must explain: the last move, completed lines, threats and verdicts that are drawn."""
    side = _SAMPLE
    found = []
    if picture.last is not None:
        found.append(_Entry("last move", lambda canvas, x, y: draw_brackets(canvas, x, y, side, 0.8)))
    if picture.lines:
        words = "completed line" + "s" * (len(picture.lines) > 1)
        found.append(_Entry(words, lambda canvas, x, y: canvas.line([(x - 6, y), (x + 6, y)], "mark-line", 9)))
    for player, cells in sorted(picture.threats.items()):
        if cells:
            found.append(_Entry(f"completes a line of {player}", _threat_sample(player)))
    kinds = {note.kind: note.text.split()[0] for note in picture.notes.values() if note.kind}
    found += [
        _Entry(f"a move here {kinds[kind]}", _note_sample(kind)) for kind in ("win", "draw", "loss") if kind in kinds
    ]
    return found


def _threat_sample(player: str) -> Callable[[Canvas, float, float], None]:
    return lambda canvas, x, y: draw_threat_mark(canvas, player, x, y, 6.0, 40.0)


def _note_sample(kind: str) -> Callable[[Canvas, float, float], None]:
    return lambda canvas, x, y: draw_note_shape(canvas, kind, x, y, 6.0)


def _key(canvas: Canvas, entries: Sequence[_Entry], room: float, y: float) -> float:
    """Draw the key in rows as wide as there is room; return the height of the whole figure."""
    x = _EDGE
    for entry in entries:
        if x > _EDGE and x + entry.width > room - _EDGE:
            x, y = _EDGE, y + _ROW + 4
        entry.sample(canvas, x + _SAMPLE / 2, y + _ROW / 2)
        canvas.text(x + _SAMPLE + 6, y + _ROW / 2 + _KEY * 0.4, entry.words, _KEY, anchor="start")
        x += entry.width + 18
    return y + (_ROW + 14 if entries else 2)


def captioned(picture: Svg, caption: str, theme: str) -> Svg:
    """Return a picture with a caption below it, wrapped to its width; wider only for a word that does not fit."""
    lines = wrapped(require_drawable("the caption", text_of("the caption", caption)), _TURN, picture.width - 2 * _EDGE)
    if not lines:
        return picture
    canvas, step = Canvas(theme), _TURN * 1.7
    for i, line in enumerate(lines):
        canvas.text(_EDGE, picture.height + (i + 0.7) * step, line, _TURN, anchor="start")
    width = float(ceil(max(picture.width, *(text_width(line, _TURN) + 2 * _EDGE for line in lines))))
    height = float(ceil(picture.height + len(lines) * step + _EDGE * 0.6))
    text = _HEAD.sub(_box(width, height, width, height), str(picture), count=1)
    text = _SHEET.sub(f'<rect width="{number(width)}" height="{number(height)}"', text, count=1)
    return Svg(text.removesuffix("</svg>\n") + "\n".join(canvas.parts) + "\n</svg>\n", width, height)


def resized(picture: Svg, size: int) -> Svg:
    """Return a picture so many units wide, its height in proportion. Raises InputError for a width out of bounds."""
    if not SMALLEST <= integer("the size", size) <= LARGEST:
        raise InputError(f"a picture {size:,} wide cannot be drawn: give a size from {SMALLEST} to {LARGEST:,}")
    height = round(size * picture.height / picture.width, 2)
    text = _HEAD.sub(_box(size, height, picture.width, picture.height), str(picture), count=1)
    return Svg(text, float(size), height)


def _box(width: float, height: float, inner_width: float, inner_height: float) -> str:
    drawn = f'viewBox="0 0 {number(inner_width)} {number(inner_height)}"'
    return f'width="{number(width)}" height="{number(height)}" {drawn}'
