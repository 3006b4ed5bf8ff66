"""Pages to print and write on: a title, instructions, blocks in columns that are never cut, a line at the foot.

Everything is measured in quarters of a millimetre on paper, as pages are as large as the paper within its margins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from noughts.drawing.board import Frame, draw_cells, draw_small_names, position_text
from noughts.drawing.glyphs import text_width, wrapped
from noughts.drawing.svg import Canvas, Svg, paper_margin, paper_size
from noughts.rules.symmetry import Shape

MM = 4.0
"""Picture units in a millimetre."""
TITLE, TEXT, FOOT = 22.0, 15.0, 8.5
"""Capitals are 5.5, 3.75 and 2.1 mm high: types of 22, 15 and 9 points."""
LEAD = 1.75
"""From line to line, in capitals."""
GAP = 26.0
"""Between blocks."""
_LOOSE = 4.0
"""How many times wider the gaps between rows may grow to fill a page."""


@dataclass(frozen=True)
class Room:
    """The room for blocks: the width of a page, and the height below its head and above its foot."""

    width: float
    height: float

    def column(self, columns: int) -> float:
        """Return how wide one of so many columns is."""
        return (self.width - (columns - 1) * GAP) / columns


@dataclass(frozen=True)
class PrintedBlock:
    """Something on a page that is never cut: how high it is, what draws it at its top left corner, and its words."""

    height: float
    draw: Callable[[Canvas, float, float], None]
    said: str = ""


@dataclass(frozen=True)
class Leaf:
    """What stands on all pages of a part: its title, what to do, whether there are lines for name and date."""

    title: str
    words: Sequence[str] = ()
    is_signed: bool = False
    foot: str = ""
    blocks: Sequence[PrintedBlock] = field(default=())
    columns: int = 1
    is_spread: bool = True
    """Whether the rows are spread over the page."""

    def head(self, width: float, *, first: bool) -> float:
        """Return how high the head of a page is: later pages have the title only."""
        height = len(wrapped(self.title, TITLE, width)) * TITLE * LEAD
        if first:
            height += sum(len(wrapped(text, TEXT, width)) * TEXT * LEAD for text in self.words)
            height += 44.0 if self.is_signed else 0.0
        return height + GAP / 2


def leaf_room(paper: str) -> Room:
    """Return the room within the margins of a paper in portrait, head and foot included."""
    margin = paper_margin(paper)
    width, height = ((side - 2 * margin) * MM for side in paper_size(paper, landscape=False))
    return Room(width, height - 2 * FOOT)


def leaf_pages(leaf: Leaf, paper: str, theme: str = "light") -> list[Svg]:
    """Return the pages of a part: blocks row by row in columns of one width."""
    room = leaf_room(paper)
    rows = [leaf.blocks[i : i + leaf.columns] for i in range(0, len(leaf.blocks), leaf.columns)]
    pages: list[list[Sequence[PrintedBlock]]] = [[]]
    for row in rows:
        used = sum(_height(done) + GAP for done in pages[-1])
        head = leaf.head(room.width, first=len(pages) == 1)
        if pages[-1] and head + used + _height(row) > room.height - GAP / 2:
            pages.append([])
        pages[-1].append(row)
    return [_page(leaf, page, number, len(pages), room, theme) for number, page in enumerate(pages, 1)]


def leaf_fits(leaf: Leaf, paper: str) -> bool:
    """Tell whether each block of a part is low enough for the first page, which has the highest head."""
    room = leaf_room(paper)
    return all(leaf.head(room.width, first=True) + block.height <= room.height - GAP / 2 for block in leaf.blocks)


def _height(row: Sequence[PrintedBlock]) -> float:
    return max(block.height for block in row)


def _page(leaf: Leaf, rows: Sequence[Sequence[PrintedBlock]], number: int, many: int, room: Room, theme: str) -> Svg:
    canvas = Canvas(theme)
    y = _head(canvas, leaf, room, first=number == 1)
    free = room.height - y - sum(_height(row) for row in rows) - GAP / 2
    most = GAP * (_LOOSE if leaf.is_spread else 0.8)
    gap = max(GAP * 0.5, min(most, free / max(1, len(rows) - 1)))
    said = [leaf.title, *leaf.words] if number == 1 else [leaf.title]
    width = room.column(leaf.columns)
    for row in rows:
        for place, block in enumerate(row):
            block.draw(canvas, place * (width + GAP), y)
            said.append(block.said)
        y += _height(row) + gap
    foot = room.height + FOOT * 1.4
    canvas.text(0, foot, leaf.foot, FOOT, role="soft", anchor="start")
    if many > 1:
        canvas.text(room.width, foot, f"{number} of {many}", FOOT, role="soft", anchor="end")
    title = leaf.title if many == 1 else f"{leaf.title}, page {number} of {many}"
    return canvas.picture(room.width, room.height + 2 * FOOT, title, "\n".join(filter(None, said)))


def _head(canvas: Canvas, leaf: Leaf, room: Room, *, first: bool) -> float:
    """Draw the head of a page and return where the blocks begin."""
    y = 0.0
    for line in wrapped(leaf.title, TITLE, room.width):
        canvas.text(0, y + TITLE, line, TITLE, anchor="start", bold=True)
        y += TITLE * LEAD
    if first:
        if leaf.is_signed:
            y += 30.0
            draw_lines(canvas, 0, y, ("Name",), room.width * 0.62, TEXT)
            draw_lines(canvas, room.width * 0.66, y, ("Date",), room.width * 0.34, TEXT)
            y += 14.0
        for text in leaf.words:
            for line in wrapped(text, TEXT, room.width):
                canvas.text(0, y + TEXT, line, TEXT, anchor="start")
                y += TEXT * LEAD
    return y + GAP / 2


def draw_lines(canvas: Canvas, x: float, y: float, words: Sequence[str], width: float, size: float) -> float:
    """Draw words, one below the other, each before a line to write on, the first on the line y; return the last y."""
    for number, word in enumerate(words):
        y += size * 2.3 * (number > 0)
        canvas.text(x, y, word, size, anchor="start")
        start = x + text_width(word, size) + size * 0.6
        canvas.line([(start, y + 2), (max(start + 20, x + width), y + 2)], "soft", 1.2)
    return y


def stacked(pages: Sequence[Svg], theme: str = "light") -> Svg:
    """Return pages as one picture, one below the other with a line between."""
    if len(pages) == 1:
        return pages[0]
    canvas, y, edge = Canvas(theme), 0.0, 10 * MM
    width = max(page.width for page in pages) + 2 * edge
    for page in pages:
        y += edge
        place: dict[str, str | float] = {"x": edge, "y": y, "width": page.width, "height": page.height}
        body = page[page.index(">") + 1 : page.rindex("</svg>")]
        canvas.parts.append(
            f"<svg {' '.join(f'{key}={chr(34)}{value:g}{chr(34)}' for key, value in place.items())}>{body}</svg>"
        )
        y += page.height + edge
        canvas.line([(0, y), (width, y)], "faint", 1.0, "6 6")
    return canvas.picture(width, y, "Pages", "")


# Exercises on a page: boards side by side, what is asked, lines to write on; and the same with the answers.

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


# A small game tree to finish: a board for each move, row by row, some to be filled in, a word or a line under each.

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


# Cards to cut out, printed on both sides: fronts on one page, backs on the next, turned over the long edge.

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
        pages.append(_page_flashcards(fronts, look, room, f"{foot}, {said}, fronts", theme, is_back=False))
        pages.append(
            _page_flashcards([card.back for card in sheet], look, room, f"{foot}, {said}, backs", theme, is_back=True)
        )
    return pages


def _page_flashcards(
    tasks: Sequence[PrintedTask], look: TaskLook, room: Room, foot: str, theme: str, *, is_back: bool
) -> Svg:
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
