"""Cards to cut out, printed on both sides: fronts on one page, backs on the next, turned over the long edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.drawing.paper import FOOT, MM, PrintedBlock, Room, leaf_room
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.tasks import PrintedTask, TaskLook, task_block

__all__ = ["FlashCard", "flash_pages"]

_COLUMNS, _ROWS = 2, 4
_INSIDE = 5 * MM
"""Between the edge of a card and what is on it."""


@dataclass(frozen=True)
class FlashCard:
    """What is on the front of a card and what on its back."""

    front: PrintedTask
    back: PrintedTask


def flash_pages(cards: Sequence[FlashCard], look: TaskLook, foot: str, paper: str, theme: str = "light") -> list[Svg]:
    """Return pages of eight cards, the fronts and then their backs with the columns exchanged."""
    room = leaf_room(paper)
    sheets = [cards[start : start + _COLUMNS * _ROWS] for start in range(0, len(cards), _COLUMNS * _ROWS)]
    pages = []
    for number, sheet in enumerate(sheets, 1):
        said = f"sheet {number} of {len(sheets)}"
        fronts = [card.front for card in sheet]
        pages.append(_page(fronts, look, room, f"{foot}, {said}, fronts", theme, is_back=False))
        pages.append(_page([card.back for card in sheet], look, room, f"{foot}, {said}, backs", theme, is_back=True))
    return pages


def _page(tasks: Sequence[PrintedTask], look: TaskLook, room: Room, foot: str, theme: str, *, is_back: bool) -> Svg:
    canvas, width, height = Canvas(theme), room.width / _COLUMNS, room.height / _ROWS
    said = [foot]
    for place, task in enumerate(tasks):
        row, column = divmod(place, _COLUMNS)
        x, y = (_COLUMNS - 1 - column if is_back else column) * width, row * height
        canvas.rectangle(x, y, width, height, stroke="faint", pen=0.8, dash="5 3")
        block = _fitted(task, look, width - 2 * _INSIDE, height - 2 * _INSIDE)
        block.draw(canvas, x + _INSIDE, y + _INSIDE)
        said.append(block.said)
    canvas.text(0, room.height + FOOT * 1.6, foot, FOOT, role="soft", anchor="start")
    return canvas.picture(room.width, room.height + 2 * FOOT, foot, "\n".join(said))


def _fitted(task: PrintedTask, look: TaskLook, width: float, height: float) -> PrintedBlock:
    """Return a side of a card with the largest cells that fit it, its words smaller only where no cells do."""
    sizes = [(look.cell * part / 100, look.words * size) for size in (1, 0.8) for part in range(100, 35, -5)]
    blocks = (task_block(task, replace(look, cell=cell, words=words), width) for cell, words in sizes)
    return next((block for block in blocks if block.height <= height), task_block(task, replace(look, cell=8.0), width))
