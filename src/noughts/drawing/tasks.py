"""Exercises on a page: boards, what is asked, lines to write on; small trees to finish; and cards with two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.drawing.board import Frame, draw_cells, draw_small_names, position_text
from noughts.drawing.glyphs import text_width
from noughts.drawing.layout import Forest, Measures, arrange
from noughts.drawing.paper import (
    LEAD,
    MM,
    TEXT,
    PrintedBlock,
    above,
    beside,
    draw_cutouts,
    finished,
    leaf_room,
    lines_block,
    space,
    text_block,
)
from noughts.drawing.svg import Canvas, Svg
from noughts.rules.symmetry import Shape

_CHOICE = 13.0
"""The side of a square to tick."""
_BESIDE = 150.0
"""What stands beside a board has so much room at least, else it stands below."""
_GAP_BESIDE = 22.0
"""Between a board and what stands beside it."""


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

    `joined` draws the edges of boards dashed, as they are joined to each other. `part` is what a layer is called.
    """

    shape: Shape
    cell: float = 46.0
    words: float = TEXT
    names: bool = True
    joined: bool = False
    part: str = "layer"

    def across(self, boards: int) -> float:
        """Return how many cells wide so many boards are, with their names and the gaps between them."""
        columns, layers = self.shape[1], self.shape[2]
        one = columns * layers + (layers - 1) * 0.6 + (0.6 if self.names else 0.0)
        return boards * one + (boards - 1) * 0.7

    @property
    def down(self) -> float:
        """How many cells high a board is, with the names of its cells and layers."""
        return self.shape[0] + (0.5 if self.shape[2] > 1 else 0.0) + (0.5 if self.names else 0.0)

    def fitted(self, boards: int, width: float) -> float:
        """Return the side of a cell with which so many boards fit a width."""
        return min(self.cell, width / self.across(boards)) if boards else self.cell


def columns_for(look: TaskLook, boards: int, width: float, gap: float) -> int:
    """Return in how many columns exercises are set: two where they leave a cell two thirds of its size."""
    return 2 if look.fitted(boards, (width - gap) / 2) >= look.cell * 0.66 else 1


def words_block(lines: Sequence[str], size: float, width: float) -> PrintedBlock:
    """Return lines of text one below the other, indented as they begin."""
    indents = [(len(line) - len(line.lstrip())) * size * 0.55 for line in lines]
    return above(
        *(
            beside((indent, text_block(line, size, width - indent, hanging=size)))
            for indent, line in zip(indents, lines, strict=True)
        )
    )


def task_block(task: PrintedTask, look: TaskLook, width: float) -> PrintedBlock:
    """Return an exercise, or the answer to one, as wide as a column: an answer stands beside its board."""
    size, many = look.words, len(task.boards)
    cell = look.fitted(many, width)
    boards = _boards_block(task.boards, look, cell)
    side = look.across(many) * cell + _GAP_BESIDE
    is_beside = bool(many) and width - side >= _BESIDE
    number_text = "" if task.number is None else f"{task.number}."
    number = text_block(number_text, size, width, bold=True)
    indent = text_width(number_text, size) + size * 0.7 if number_text else 0.0
    if is_beside and not (task.choices or task.blanks or task.below):
        return beside((0.0, boards), (side, above(number, text_block(task.words, size, width - side))))
    head = beside((0.0, number), (indent, text_block(task.words, size, width - indent)))
    left = side if is_beside else indent
    choices = [_choice_block(choice, size) for choice in task.choices]
    answers = above(*choices, lines_block(task.blanks, size, (width - left) * 0.9, size * 2.3))
    below = lines_block(task.below, size, width - indent, size * 2.6)
    apart = space(size * 0.4 if answers.height and many else 0.0)
    middle = beside((0.0, boards), (left, answers)) if is_beside else above(boards, apart, beside((left, answers)))
    return above(head, middle, beside((indent, below)))


def _choice_block(words: str, size: float) -> PrintedBlock:
    def draw(canvas: Canvas, x: float, y: float) -> None:
        base = y + size * 1.4
        canvas.rectangle(x, base - _CHOICE + 1, _CHOICE, _CHOICE, stroke="ink", pen=1.2)
        canvas.text(x + _CHOICE + 9, base, words, size, anchor="start")

    return PrintedBlock(size * 2.0, draw, words)


def _boards_block(boards: Sequence[TaskBoard], look: TaskLook, cell: float) -> PrintedBlock:
    def draw(canvas: Canvas, x: float, y: float) -> None:
        for i, board in enumerate(boards):
            draw_task_board(canvas, look, board, x + i * (look.across(1) + 0.7) * cell, y, cell)

    text = " ".join(position_text(look.shape, board.marks) for board in boards)
    return PrintedBlock(look.down * cell if boards else 0.0, draw, text)


def draw_task_board(canvas: Canvas, look: TaskLook, board: TaskBoard, x: float, y: float, cell: float) -> None:
    """Draw a board, the names of its cells included, with its top left corner here."""
    rows, columns, layers = look.shape
    named = 0.5 * cell if look.names else 0.0
    frame = Frame(look.shape, x + named, y + named * 0.9, cell, cell * 0.6)
    canvas.open_group(position_text(look.shape, board.marks))
    draw_cells(canvas, frame, board.marks, board.lines, board.last, joined=look.joined)
    if look.names:
        draw_small_names(canvas, frame, [i for i, mark in enumerate(board.marks) if mark == "."])
    for layer in range(layers * (layers > 1)):
        middle, base = frame.left(layer) + columns * cell / 2, frame.y + rows * cell + cell * 0.4
        canvas.text(middle, base, f"{look.part} {layer + 1}", min(11.0, cell * 0.3), role="soft")
    canvas.close_group()


_UNIT = 20.0
"""The side of a cell with which trees are laid out, before they are scaled to a width."""


@dataclass(frozen=True)
class Branch:
    """A board of a tree: the number of the one above it, its marks, and the word under it; no word is a line."""

    parent: int | None
    board: TaskBoard
    word: str = ""


def tree_block(number: int, words: str, branches: Sequence[Branch], look: TaskLook, width: float) -> PrintedBlock:
    """Return a tree as wide as a page, its root first and each board after the one above it."""
    look = replace(look, names=False)
    children: dict[int, list[int]] = {}
    for i, branch in enumerate(branches):
        if branch.parent is not None:
            children.setdefault(branch.parent, []).append(i)
    across, word = look.across(1) * _UNIT, look.across(1) * _UNIT / 5.2
    size = Measures(across, look.down * _UNIT + word * 2.1, beside=across * 0.16, below=12.0)
    placed = arrange(Forest([0], children), size, 1)
    scale = min(look.cell / _UNIT, width / placed.width)

    def draw(canvas: Canvas, x: float, y: float) -> None:
        x += (width - placed.width * scale) / 2
        for bar in placed.bars:
            canvas.line([(x + scale * left, y + scale * top) for left, top in bar], "soft", 1.2)
        for i, branch in enumerate(branches):
            left, top = x + scale * placed.corners[i][0], y + scale * placed.corners[i][1]
            draw_task_board(canvas, look, branch.board, left, top, _UNIT * scale)
            middle, base = left + across * scale / 2, top + (size.card_height - word * 0.5) * scale
            if branch.word:
                canvas.text(middle, base, branch.word, min(look.words, word * scale))
            else:
                half = across * scale * 0.42
                canvas.line([(middle - half, base + 2), (middle + half, base + 2)], "soft", 1.2)

    head = text_block(f"{number}. {words}", look.words, width, bold=True)
    return above(head, space(look.words * LEAD * 0.3), PrintedBlock(placed.height * scale, draw))


FlashCard = tuple[PrintedTask, PrintedTask]
"""What is on the front of a card and what on its back."""

_COLUMNS, _ROWS = 2, 4
_INSIDE = 5 * MM
"""Between the edge of a card and what is on it."""


def flash_pages(cards: Sequence[FlashCard], look: TaskLook, foot: str, paper: str, theme: str = "light") -> list[Svg]:
    """Return pages of eight cards: fronts, and then their backs with the columns exchanged, to be turned over the long
    edge."""
    room, each = leaf_room(paper), _COLUMNS * _ROWS
    sheets, pages = [cards[start : start + each] for start in range(0, len(cards), each)], []
    width, height = room.width / _COLUMNS, room.height / _ROWS
    for number, sheet in enumerate(sheets, 1):
        for side, tasks in zip(("fronts", "backs"), zip(*sheet, strict=True), strict=True):
            canvas, heading = Canvas(theme), f"{foot}, sheet {number} of {len(sheets)}, {side}"
            fitted = [_fitted(task, look, width - 2 * _INSIDE, height - 2 * _INSIDE) for task in tasks]
            blocks = [above(space(_INSIDE), beside((_INSIDE, block))) for block in fitted]
            draw_cutouts(canvas, blocks, _COLUMNS, width, height, mirrored=side == "backs")
            pages.append(finished(canvas, room, heading, heading, [block.text for block in blocks]))
    return pages


def _fitted(task: PrintedTask, look: TaskLook, width: float, height: float) -> PrintedBlock:
    """Return a side of a card with the largest cells that fit it, its words smaller only where no cells do."""
    sizes = [(look.cell * part / 100, look.words * size) for size in (1, 0.8) for part in range(100, 35, -5)]
    blocks = (task_block(task, replace(look, cell=cell, words=words), width) for cell, words in sizes)
    return next((block for block in blocks if block.height <= height), task_block(task, replace(look, cell=8.0), width))
