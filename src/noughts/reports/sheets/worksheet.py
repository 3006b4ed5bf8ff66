"""Worksheets: exercises with room to write, and the answers on pages of their own."""

from __future__ import annotations

from noughts.drawing.branches import Branch, tree_block
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.flashcards import FlashCard, flash_pages
from noughts.drawing.paper import GAP, TEXT, Leaf, PrintedBlock, leaf_pages, leaf_room
from noughts.drawing.svg import Svg
from noughts.drawing.tasks import PrintedTask, TaskBoard, TaskLook, columns_for, task_block, words_block
from noughts.drawing.text import board_text
from noughts.reports.page import Block, How, Paragraph, Report, Verbatim, try_next
from noughts.reports.sheets.printout import Printout
from noughts.reports.sheets.words import again, instructions, title
from noughts.worksheets.exercise import Exercise, Knot, Worksheet

__all__ = ["printout", "report"]

_PAPERS = ("a4", "letter")
_KEY_TEXT = 12.5
_KEY_CELL = 24.0
_CELLS = (64.0, 56.0, 46.0)
"""The side of a cell: the largest of those with which there are fewest pages."""
_OPEN_CELL = 84.0
"""The side of a cell of a blank board: 21 mm, less where boards are wide."""
_SMALL = 12.0
"""Capitals of a strategy that is printed to be followed: 3 mm."""


def printout(sheet: Worksheet, theme: str = "light") -> Printout:
    """Return a worksheet to print."""
    return Printout(
        "a worksheet", lambda: report(sheet), sheet.as_dict, lambda paper: _pages(sheet, paper, theme), _PAPERS
    )


def report(sheet: Worksheet) -> Report:
    """Return the exercises, and apart from them the answers."""
    sections: list[list[Block | str]] = []
    for number, each in enumerate(sheet.exercises, 1):
        asked = [f"[ ] {choice}" for choice in each.choices] + [
            f"{blank}: ______" for blank in [*each.blanks, *each.below]
        ]
        drawn = Verbatim(_side_by_side(each, sheet))
        sections.append([f"{number}. {each.question}".rstrip(), drawn, *[Paragraph("   ".join(asked))] * bool(asked)])
    answers: list[Block | str] = [
        Paragraph(f"{n}. {each.answer}", "   ") for n, each in enumerate(sheet.exercises, 1) if each.answer
    ]
    return Report.of(
        [f"{title(sheet)}{'' if title(sheet).endswith('?') else ':'} {sheet.board}.", *instructions(sheet)],
        [Verbatim("\n".join(sheet.rules))] if sheet.rules else [],
        *sections,
        ["Answers", *answers] if answers else [],
        [*_how(sheet), try_next(again(sheet, "-o sheet.pdf"), again(sheet, "--paper letter -o sheet.pdf"))],
    )


def _how(sheet: Worksheet) -> list[Block]:
    known = {
        "win": "every move was followed to the end of the game.",
        "tree": "every board below the first is drawn, and valued from the ends upwards.",
        "same": "the second board was compared with every image of the first.",
        "count": "the games were counted from each board.",
        "possible": "a board can arise when the marks are balanced and nobody has a line, or only the last mover has, "
        "and one mark completes all of them.",
        "who-wins": "every move was followed to the end of the game.",
        "blindfold": "the strategy was proved, and each game played by a referee.",
    }
    return [How(known[sheet.kind])] if sheet.kind in known else []


def _side_by_side(each: Exercise, sheet: Worksheet) -> str:
    shape = shape_of(sheet.board)
    drawn = [board_text(shape, marks_of(position), names=True).split("\n") for position in each.boards]
    wide = [max(map(len, lines)) for lines in drawn]
    rows = zip(*drawn, strict=True)
    return "\n".join(
        "     ".join(part.ljust(room) for part, room in zip(row, wide, strict=True)).rstrip() for row in rows
    )


def _pages(sheet: Worksheet, paper: str, theme: str) -> list[Svg]:
    if sheet.kind == "flash-cards":
        cards = [
            FlashCard(_task(number, each), _solved(number, each)) for number, each in enumerate(sheet.exercises, 1)
        ]
        return flash_pages(cards, _look(sheet, _CELLS[0], TEXT), again(sheet), paper, theme)
    tries = (leaf_pages(_questions(sheet, paper, cell), paper, theme) for cell in _CELLS)
    questions = min(tries, key=len)
    return questions + (leaf_pages(_answers(sheet, paper), paper, theme) if _is_keyed(sheet) else [])


def _is_keyed(sheet: Worksheet) -> bool:
    return any(each.answer for each in sheet.exercises)


def _look(sheet: Worksheet, cell: float, words: float, *, names: bool = True) -> TaskLook:
    return TaskLook(shape_of(sheet.board), cell, words, names, sheet.board.torus)


def _questions(sheet: Worksheet, paper: str, cell: float) -> Leaf:
    width = leaf_room(paper).width
    many = max(len(each.boards) for each in sheet.exercises)
    if sheet.kind == "blank":
        look = _look(sheet, _OPEN_CELL, TEXT, names=False)
        columns = columns_for(look, 1, width, GAP)
        blocks = [task_block(_open(each), look, _column(width, columns)) for each in sheet.exercises]
        return Leaf("", blocks=blocks, columns=columns, foot=again(sheet))
    look = _look(sheet, cell, TEXT)
    columns = 1 if sheet.kind in ("tree", "blindfold") else columns_for(look, many, width, GAP)
    room = _column(width, columns)
    blocks = [words_block(sheet.rules, _SMALL, width)] if sheet.rules else []
    for number, each in enumerate(sheet.exercises, 1):
        blocks.append(_tree(number, each, look, width) if each.tree else task_block(_task(number, each), look, room))
    return Leaf(title(sheet), instructions(sheet), True, again(sheet), blocks, columns)


def _answers(sheet: Worksheet, paper: str) -> Leaf:
    width = leaf_room(paper).width
    look = _look(sheet, _KEY_CELL, _KEY_TEXT)
    drawn = any(each.solved is not None for each in sheet.exercises)
    columns = columns_for(look, 1, width, GAP) if drawn else 1
    room = _column(width, columns)
    blocks = [
        _tree(number, each, _look(sheet, _CELLS[-1], _KEY_TEXT), width, solved=True)
        if each.tree
        else task_block(_solved(number, each), look, room)
        for number, each in enumerate(sheet.exercises, 1)
    ]
    return Leaf(
        f"{title(sheet)} Answers" if title(sheet).endswith("?") else f"{title(sheet)}: answers",
        (),
        False,
        again(sheet),
        blocks,
        columns,
        is_spread=False,
    )


def _column(width: float, columns: int) -> float:
    return (width - (columns - 1) * GAP) / columns


def _foot(sheet: Worksheet) -> str:
    return again(sheet)


def _open(each: Exercise) -> PrintedTask:
    return PrintedTask(None, "", [TaskBoard(marks_of(position)) for position in each.boards])


def _task(number: int, each: Exercise) -> PrintedTask:
    boards = [TaskBoard(marks_of(position)) for position in each.boards]
    return PrintedTask(number, each.question, boards, each.choices, each.blanks, each.below)


def _solved(number: int, each: Exercise) -> PrintedTask:
    if each.solved is None:
        return PrintedTask(number, each.answer)
    return PrintedTask(number, each.answer, [TaskBoard(marks_of(each.solved), each.last, lines_of(each.solved))])


def _tree(number: int, each: Exercise, look: TaskLook, width: float, *, solved: bool = False) -> PrintedBlock:
    branches = [_branch(knot, solved) for knot in each.tree]
    return tree_block(number, each.answer if solved else each.question, branches, look, width)


def _branch(knot: Knot, solved: bool) -> Branch:
    at = knot.position
    if solved:
        word = "draw" if knot.outcome == "draw" else f"{knot.outcome} wins"
        return Branch(knot.parent, TaskBoard(marks_of(at), knot.last, lines_of(at)), word)
    marks = marks_of(at) if knot.is_given else "." * at.board.cells
    return Branch(knot.parent, TaskBoard(marks))
