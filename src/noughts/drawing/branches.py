"""A small game tree to finish: a board for each move, row by row, some to be filled in, a word or a line under each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.drawing.paper import LEAD, PrintedBlock
from noughts.drawing.svg import Canvas
from noughts.drawing.tasks import TaskBoard, TaskLook, draw_task_board

__all__ = ["Branch", "tree_block"]

_APART = 0.16
"""Between boards of a row, in widths of a board."""
_LINK = 24.0


@dataclass(frozen=True)
class Branch:
    """A board of the tree: the number of the one above it, its marks, and the word under it; no word is a line."""

    parent: int | None
    board: TaskBoard
    word: str = ""


def tree_block(number: int, words: str, branches: Sequence[Branch], look: TaskLook, width: float) -> PrintedBlock:
    """Return a tree as wide as a page, its root first and each board after the one above it."""
    tree = _Layout(branches, look, width)
    head = look.words * LEAD * 1.3

    def draw(canvas: Canvas, x: float, y: float) -> None:
        canvas.text(x, y + look.words, f"{number}. {words}", look.words, anchor="start", bold=True)
        tree.draw(canvas, x, y + head)

    return PrintedBlock(head + tree.height, draw, f"{number}. {words}")


class _Layout:
    """Leaves side by side, each other board over the middle of those below it; a row for each move."""

    def __init__(self, branches: Sequence[Branch], look: TaskLook, width: float) -> None:
        self.branches = branches
        below: dict[int, list[int]] = {}
        for i, branch in enumerate(branches):
            if branch.parent is not None:
                below.setdefault(branch.parent, []).append(i)
        self.below = below
        self.rows = [self._depth(i) for i in range(len(branches))]
        self.middles: dict[int, float] = {}
        self._place(0, 0.0)
        leaves = sum(i not in below for i in range(len(branches)))
        self.look = TaskLook(look.shape, look.cell, look.words, names=False, joined=look.joined)
        room = width / max(leaves, 3)
        self.cell = min(look.cell, room / (1 + _APART) / self.look.across(1))
        self.wide = self.look.across(1) * self.cell
        self.slot = self.wide * (1 + _APART)
        self.left = (width - leaves * self.slot) / 2
        self.word = min(look.words, self.wide / 5.2)
        layered = 0.5 if look.shape[2] > 1 else 0.0
        self.card = (look.shape[0] + layered) * self.cell + self.word * 2.1
        self.height = (max(self.rows) + 1) * (self.card + _LINK) - _LINK

    def _depth(self, i: int) -> int:
        parent = self.branches[i].parent
        return 0 if parent is None else 1 + self._depth(parent)

    def _place(self, i: int, start: float) -> float:
        """Give a board and those below it their places, in leaves from the left, and return where they end."""
        if i not in self.below:
            self.middles[i] = start + 0.5
            return start + 1
        end = start
        for child in self.below[i]:
            end = self._place(child, end)
        first, last = self.below[i][0], self.below[i][-1]
        self.middles[i] = (self.middles[first] + self.middles[last]) / 2
        return end

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw links, boards and words."""
        for i, branch in enumerate(self.branches):
            middle = x + self.left + self.middles[i] * self.slot
            top = y + self.rows[i] * (self.card + _LINK)
            if branch.parent is not None:
                above = x + self.left + self.middles[branch.parent] * self.slot
                canvas.line([(above, top - _LINK + 3), (middle, top - 4)], "soft", 1.2)
            draw_task_board(canvas, self.look, branch.board, middle - self.wide / 2, top, self.cell)
            base = top + self.card - self.word * 0.5
            if branch.word:
                canvas.text(middle, base, branch.word, self.word)
            else:
                canvas.line([(middle - self.wide * 0.42, base + 2), (middle + self.wide * 0.42, base + 2)], "soft", 1.2)
