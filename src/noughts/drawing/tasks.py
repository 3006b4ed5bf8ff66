"""Exercises on a page: boards side by side, what is asked, lines to write on; and the same with the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.domain.geometry import Shape
from noughts.drawing.board import Frame, draw_cells, draw_small_names
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.paper import LEAD, TEXT, PrintedBlock, draw_lines
from noughts.drawing.svg import Canvas
from noughts.drawing.text import position_text

__all__ = ["PrintedTask", "TaskBoard", "TaskLook", "columns_for", "draw_task_board", "task_block", "words_block"]

_CHOICE = 13.0
"""The side of a square to tick."""
_BESIDE = 150.0
"""What stands beside a board has so much room at least, else it stands below."""


@dataclass(frozen=True)
class TaskBoard:
    """A board of an exercise: its marks in reading order, the cell of the last move, completed lines."""

    marks: str
    last: int | None = None
    lines: Sequence[Sequence[int]] = ()


@dataclass(frozen=True)
class PrintedTask:
    """An exercise or its answer: a number unless it is None, words, boards, choices to tick, words to write after.

    The lines after `below` are as wide as the exercise and stand below it.
    """

    number: int | None
    words: str
    boards: Sequence[TaskBoard] = ()
    choices: Sequence[str] = ()
    blanks: Sequence[str] = ()
    below: Sequence[str] = ()


@dataclass(frozen=True)
class TaskLook:
    """How exercises are set: the board's shape, the largest side of a cell, the size of words, names of cells, edges.

    `joined` draws the edges of boards dashed, as they are joined to each other.
    """

    shape: Shape
    cell: float = 46.0
    words: float = TEXT
    names: bool = True
    joined: bool = False

    def across(self, boards: int) -> float:
        """Return how many cells wide so many boards are, with their names and the gaps between them."""
        columns, layers = self.shape[1], self.shape[2]
        one = columns * layers + (layers - 1) * 0.6 + (0.6 if self.names else 0.0)
        return boards * one + (boards - 1) * 0.7

    def fitted(self, boards: int, width: float) -> float:
        """Return the side of a cell with which so many boards fit a width."""
        return min(self.cell, width / self.across(boards)) if boards else self.cell


def columns_for(look: TaskLook, boards: int, width: float, gap: float, most: int = 2) -> int:
    """Return in how many columns exercises are set: as many as leave a cell two thirds of its size."""
    for columns in range(most, 1, -1):
        if look.fitted(boards, (width - (columns - 1) * gap) / columns) >= look.cell * 0.66:
            return columns
    return 1


def words_block(lines: Sequence[str], size: float, width: float) -> PrintedBlock:
    """Return lines of text one below the other, indented as they begin."""
    laid: list[tuple[float, str]] = []
    for line in lines:
        indent = (len(line) - len(line.lstrip())) * size * 0.55
        laid += [(indent + (size if i else 0.0), part) for i, part in enumerate(wrapped(line, size, width - indent))]

    def draw(canvas: Canvas, x: float, y: float) -> None:
        for i, (indent, text) in enumerate(laid):
            canvas.text(x + indent, y + size + i * size * LEAD, text, size, anchor="start")

    return PrintedBlock(len(laid) * size * LEAD, draw, "\n".join(lines))


def task_block(task: PrintedTask, look: TaskLook, width: float) -> PrintedBlock:
    """Return an exercise, or the answer to one, as wide as a column."""
    task_drawn = _DrawnTask(task, look, width)
    said = [f"{task.number}." if task.number is not None else "", task.words]
    said += [position_text(look.shape, board.marks) for board in task.boards]
    return PrintedBlock(
        task_drawn.height, task_drawn.draw, " ".join(filter(None, [*said, *task.choices, *task.blanks]))
    )


class _DrawnTask:
    """The places of all parts of an exercise."""

    def __init__(self, task: PrintedTask, look: TaskLook, width: float) -> None:
        self.task, self.look, self.width = task, look, width
        self.cell = look.fitted(len(task.boards), width)
        self.step = look.words * LEAD
        number = f"{task.number}." if task.number is not None else ""
        self.number, self.indent = number, text_width(number, look.words) + look.words * 0.7 if number else 0.0
        boards = look.across(len(task.boards)) * self.cell if task.boards else 0.0
        self.is_beside = bool(task.boards) and width - boards - GAP_BESIDE >= _BESIDE
        self.side = boards + GAP_BESIDE if self.is_beside else 0.0
        room = width - self.side if self.is_answer and self.is_beside else width - self.indent
        self.lines = wrapped(task.words, look.words, room)

    @property
    def is_answer(self) -> bool:
        """Whether there is nothing to write: the words then stand beside a board that leaves room for them."""
        return not (self.task.choices or self.task.blanks or self.task.below)

    @property
    def board_height(self) -> float:
        if not self.task.boards:
            return 0.0
        layered = 0.5 if self.look.shape[2] > 1 else 0.0
        return (self.look.shape[0] + layered + (0.5 if self.look.names else 0.0)) * self.cell

    @property
    def asked_height(self) -> float:
        """The height of choices and lines to write on."""
        return len(self.task.choices) * self.look.words * 2.0 + len(self.task.blanks) * self.look.words * 2.3

    @property
    def below_height(self) -> float:
        return len(self.task.below) * self.look.words * 2.6

    @property
    def words_height(self) -> float:
        return max(len(self.lines), 1 if self.number else 0) * self.step

    @property
    def height(self) -> float:
        if self.is_answer and self.is_beside:
            return max(self.board_height, self.words_height + (self.step if self.number else 0.0))
        if self.is_beside:
            return self.words_height + max(self.board_height, self.asked_height) + self.below_height
        below = self.look.words * 1.2 if self.asked_height and self.task.boards else 0.0
        return self.words_height + self.board_height + below + self.asked_height + self.below_height

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the exercise with its top left corner here."""
        size = self.look.words
        if self.is_answer and self.is_beside:
            self._boards(canvas, x, y)
            left, top = x + self.side, y
            if self.number:
                canvas.text(left, top + size, self.number, size, anchor="start", bold=True)
                top += self.step
            self._words(canvas, left, top)
            return
        if self.number:
            canvas.text(x, y + size, self.number, size, anchor="start", bold=True)
        self._words(canvas, x + self.indent, y)
        top = y + self.words_height
        self._boards(canvas, x, top)
        if self.is_beside:
            self._asked(canvas, x + self.side, top + size * 1.4, self.width - self.side)
        else:
            self._asked(canvas, x + self.indent, top + self.board_height + size * 1.8, self.width - self.indent)
        foot = y + self.height - self.below_height + size * 2.2
        draw_lines(canvas, x + self.indent, foot, self.task.below, self.width - self.indent, size)

    def _words(self, canvas: Canvas, x: float, y: float) -> None:
        for i, line in enumerate(self.lines):
            canvas.text(x, y + self.look.words + i * self.step, line, self.look.words, anchor="start")

    def _asked(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        size = self.look.words
        for choice in self.task.choices:
            canvas.rectangle(x, y - _CHOICE + 1, _CHOICE, _CHOICE, stroke="ink", pen=1.2)
            canvas.text(x + _CHOICE + 9, y, choice, size, anchor="start")
            y += size * 2.0
        draw_lines(canvas, x, y + (size * 0.4 if self.task.choices else 0.0), self.task.blanks, width, size)

    def _boards(self, canvas: Canvas, x: float, y: float) -> None:
        for place, board in enumerate(self.task.boards):
            left = x + place * (self.look.across(1) + 0.7) * self.cell
            draw_task_board(canvas, self.look, board, left, y, self.cell)


GAP_BESIDE = 22.0
"""Between a board and what stands beside it."""


def draw_task_board(canvas: Canvas, look: TaskLook, board: TaskBoard, x: float, y: float, cell: float) -> None:
    """Draw a board, the names of its cells included, with its top left corner here."""
    rows, columns, layers = look.shape
    named = 0.5 * cell if look.names else 0.0
    frame = Frame(look.shape, x + named, y + named * 0.9, cell, cell * 0.6)
    canvas.open_group(position_text(look.shape, board.marks))
    draw_cells(canvas, frame, board.marks, board.lines, board.last, joined=look.joined)
    if look.names:
        draw_small_names(canvas, frame, [i for i, mark in enumerate(board.marks) if mark == "."])
    if layers > 1:
        for layer in range(layers):
            middle = frame.left(layer) + columns * cell / 2
            canvas.text(
                middle, frame.y + rows * cell + cell * 0.4, f"layer {layer + 1}", min(11.0, cell * 0.3), role="soft"
            )
    canvas.close_group()
