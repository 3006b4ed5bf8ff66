"""Sheets to print: their reports, records and pages."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from noughts.blindfold.session import how_to_read
from noughts.drawing.board import board_text
from noughts.drawing.figures import lines_of, marks_of, part_of, shape_of
from noughts.drawing.paper import GAP, TEXT, Leaf, PrintedBlock, leaf_fits, leaf_pages, leaf_room, stacked
from noughts.drawing.svg import Svg
from noughts.drawing.tasks import (
    Branch,
    PrintedTask,
    TaskBoard,
    TaskLook,
    columns_for,
    flash_pages,
    task_block,
    tree_block,
    words_block,
)
from noughts.present.forms import Forms, chart_forms, report_forms
from noughts.present.report import PIPE, Block, How, Look, Paragraph, Report, Verbatim, try_next, typed
from noughts.rules.cells import are_numbered
from noughts.rules.errors import BudgetError, InputError
from noughts.verbs.menace import alike_words, goal_words
from noughts.worksheets.exercise import Exercise, Knot, Worksheet
from noughts.worksheets.sheet import KINDS, THEMED, usual


@dataclass(frozen=True)
class Printout:
    """A sheet to print. `papers` are the possible papers, the default first; `what` names the sheet in a sentence.

    `picture` draws it without paper; None means its pages below each other.
    """

    what: str
    report: Callable[[], Report]
    record: Callable[[], object]
    pages: Callable[[str], Sequence[Svg]]
    papers: tuple[str, ...]
    picture: Callable[[], Svg] | None = None


def printout_forms(made: Printout, look: Look) -> Forms:
    """Return a sheet in every form: as pages in a PDF, below each other in a picture.

    Raises InputError for a paper that does not fit the sheet.
    """
    if look.paper is not None and look.paper not in made.papers:
        raise InputError(f"{made.what} cannot be printed on {look.paper}: choose {' or '.join(made.papers)}")
    paper = look.paper or made.papers[0]

    def picture() -> Svg:
        if made.picture is not None and look.paper is None:
            return made.picture()
        return stacked(made.pages(paper), look.theme)

    printed = chart_forms(picture, made.pages, look=replace(look, paper=paper))
    return {**report_forms(made.report, made.record, look), **printed}


# Titles of worksheets, instructions, and the commands that repeat them.

PAPERS = ("a4", "letter")
"""Papers of worksheets, the default first."""
_TITLES = {
    "win": "Find the winning move",
    "win-at-once": "Complete the line",
    "block": "Block the line",
    "fork": "Find the fork",
    "forced-win": "Win by threats",
    "only-move": "Find the only move",
    "double-trap": "Set a trap",
    "who-can-force": "Who can force a win?",
    "tree": "Finish the tree",
    "same": "Which boards are the same?",
    "count": "Count the endings",
    "possible": "Is this position possible?",
    "who-wins": "Who wins?",
    "blindfold": "Play blindfold",
    "blank": "Boards to play on",
    "flash-cards": "Flash cards",
}
assert _TITLES.keys() == KINDS.keys()


def title(sheet: Worksheet) -> str:
    """Return the title of a worksheet."""
    return _TITLES[sheet.kind]


def instructions(sheet: Worksheet) -> list[str]:
    """Return the instructions in paragraphs, with the rule of the game first if the exercises need it."""
    board, many = sheet.board, len(sheet)
    each, alike = "On each board one" if many > 1 else "One", alike_words(board)
    task = {
        "win": f"{each} move alone wins against every reply. Draw it.",
        "win-at-once": f"{each} move completes a line. Draw it.",
        "block": f"{each} move stops the line of the opponent. Draw it.",
        "fork": f"{each} move makes two threats at once, and wins. Draw it.",
        "forced-win": f"{each} move begins a win by threats alone: a threat, the block, and so on to two threats at "
        "once. Draw it.",
        "only-move": f"{each} move alone does not lose. Draw it.",
        "double-trap": f"{each} move alone does not lose, and some replies to it lose. Draw it.",
        "who-can-force": f"Who can force a win: {board.rules.either(board, 'neither')}? {each} move alone is right. "
        "Draw it.",
        "tree": "Draw the boards that can follow, one for each move, until the game is over. Below each board write "
        f"who wins with best play: {board.rules.either(board, 'draw')}.",
        "same": f"Are the two boards the same{f' when one of them is {alike}' * bool(alike)}? Tick one.",
        "count": "Continue from each board in every order of moves. How many different games are there, and how do "
        "they end?",
        "possible": f"{'X starts, t' if board.rules.alternating else 'T'}he players take turns, and "
        f"{'a line closes its board' if board.rules.boards > 1 else 'the first line ends the game'}. Can this board "
        "arise in play? Tick one, and say why.",
        "who-wins": "Both players play perfectly. Who wins? Tick one.",
        "blindfold": "X does not see the board and follows the list. With it X never loses. O sees the board, and says "
        "whether a cell that X calls is taken. Then X calls again. Write down all calls of X until the game is "
        f"over, and the result. Use the board for the marks. {how_to_read(sheet.rules)}".rstrip(),
        "blank": "",
        "flash-cards": "",
    }[sheet.kind]
    rule = [] if sheet.kind in ("same", "blank") else [goal_words(board)]
    return [*rule, *[task] * bool(task)]


def again(sheet: Worksheet, more: str = "", paper: str = PAPERS[0]) -> str:
    """Return the command for the same worksheet on this paper."""
    options = typed(
        ("number", len(sheet), usual(sheet.kind)),
        ("seed", shlex.quote(sheet.seed), shlex.quote(sheet.seed) if sheet.kind == "blank" else None),
        ("paper", paper, PAPERS[0]),
    )
    return " ".join([f"noughts sheet {sheet.board} --kind {sheet.kind}{options}", *[more] * bool(more)])


# Worksheets: exercises with room to write, and the answers on separate pages.

_KEY_TEXT = 12.5
_KEY_CELL = 24.0
_KEY_LARGER = (46.0, 36.0)
"""Larger sides of a cell in the answers, for the same number of pages; not for trees."""
_CELLS = (64.0, 56.0, 46.0)
"""Sides of a cell; the largest with the fewest pages is used."""
_LESS = (36.0, 28.0, 20.0, 14.0, 10.0)
"""Smaller sides for boards that are too high for a page."""
_CLOSE = (36.0, 28.0, 24.0)
"""Sides for a few blank boards on one page."""
_ROOMY = 28.0
"""Least side of a cell to write in, in columns: 7 mm."""
_OPEN_CELL = 84.0
"""Side of a cell of a blank board: 21 mm, less for wide boards."""
_SMALL = 12.0
"""Height of the letters of a printed strategy: 3 mm."""


def printout(sheet: Worksheet, look: Look = PIPE) -> Printout:
    """Return a worksheet to print."""
    return Printout(
        "a worksheet", lambda: report(sheet), sheet.as_dict, lambda paper: _pages(sheet, paper, look), PAPERS
    )


def report(sheet: Worksheet) -> Report:
    """Return the report: the exercises, then the answers."""
    sections: list[list[Block | str]] = []
    for number, each in enumerate(sheet.exercises, 1):
        blanks = [f"[ ] {choice}" for choice in each.choices] + [
            f"{blank}: ______" for blank in [*each.blanks, *each.below]
        ]
        drawn = Verbatim(_side_by_side(each, sheet))
        sections.append([f"{number}. {each.question}".rstrip(), drawn, *[Paragraph("   ".join(blanks))] * bool(blanks)])
    answers: list[Block | str] = [
        Paragraph(f"{n}. {each.answer}", "   ") for n, each in enumerate(sheet.exercises, 1) if each.answer
    ]
    return Report.of(
        [f"{title(sheet)}{'' if title(sheet).endswith('?') else ':'} {sheet.board}.", *instructions(sheet)],
        [Verbatim("\n".join(sheet.rules))] if sheet.rules else [],
        *sections,
        ["Answers", *answers] if answers else [],
        [*_how(sheet), try_next(again(sheet, "-o sheet.pdf"), again(sheet, "-o sheet.pdf", "letter"))],
    )


def _how(sheet: Worksheet) -> list[Block]:
    fit = "the numbers of marks fit, and " * sheet.board.rules.alternating
    known = {
        "win": "a search followed every move to the end of the game.",
        "tree": "the tree has every board after the first, valued backward from the finished games.",
        "same": "the second board was compared with every image of the first.",
        "count": "a count of the games from each board.",
        "possible": f"a board can arise if {fit}no line is complete or the last move completed every line.",
        "who-wins": "a search followed every move to the end of the game.",
        "blindfold": "the strategy is proved, and a referee played each game.",
    }
    how = known["win"] if sheet.kind in THEMED else known.get(sheet.kind)
    return [How(how)] if how else []


def _side_by_side(each: Exercise, sheet: Worksheet) -> str:
    shape = shape_of(sheet.board)
    drawn = [board_text(shape, marks_of(position), names=True).split("\n") for position in each.boards]
    wide = [max(map(len, lines)) for lines in drawn]
    rows = zip(*drawn, strict=True)
    return "\n".join(
        "     ".join(part.ljust(room) for part, room in zip(row, wide, strict=True)).rstrip() for row in rows
    )


def _pages(sheet: Worksheet, paper: str, look: Look) -> list[Svg]:
    if sheet.kind == "flash-cards":
        cards = [(_task(number, each), _solved(number, each)) for number, each in enumerate(sheet.exercises, 1)]
        return flash_pages(cards, _look(sheet, _CELLS[0], TEXT), _foot(sheet, paper), paper, look.theme)
    sides: Sequence[float] = _CELLS
    if sheet.kind == "blank":
        sides = _CELLS + _CLOSE if len(sheet) <= usual("blank") else _CELLS[:1]
    questions = _fewest(sheet, partial(_questions, link=look.link), [*sides], paper, look.theme)
    if not _is_keyed(sheet):
        return questions
    sides = [_KEY_CELL] if any(each.tree for each in sheet.exercises) else [*_KEY_LARGER, _KEY_CELL]
    return questions + _fewest(sheet, _answers, sides, paper, look.theme)


def _fewest(
    sheet: Worksheet, make: Callable[[Worksheet, str, float], Leaf], sides: Sequence[float], paper: str, theme: str
) -> list[Svg]:
    """Return the fewest pages with boards of these sides, or with the largest smaller boards that fit a page."""
    tries = [leaf for side in sides if leaf_fits(leaf := make(sheet, paper, side), paper)]
    less = (make(sheet, paper, side) for side in _LESS if side < min(sides))
    tries = tries or [leaf for leaf in less if leaf_fits(leaf, paper)][:1]
    if not tries:
        raise BudgetError(f"{sheet.board} is too high for a page of {paper}: use a board with fewer rows")
    return min((leaf_pages(leaf, paper, theme) for leaf in tries), key=len)


def _foot(sheet: Worksheet, paper: str) -> str:
    """Return the foot of the pages of answers, or of a sheet without: the command that repeats it."""
    names_option = "--cells numbers " if are_numbered() else ""
    return again(sheet, f"{names_option}-o sheet.pdf", paper)


def _is_keyed(sheet: Worksheet) -> bool:
    return any(each.answer for each in sheet.exercises)


def _look(sheet: Worksheet, cell: float, words: float, *, names: bool = True) -> TaskLook:
    return TaskLook(shape_of(sheet.board), cell, words, names, sheet.board.torus, part_of(sheet.board))


def _questions(sheet: Worksheet, paper: str, cell: float, *, link: str) -> Leaf:
    width = leaf_room(paper).width
    many = max(len(each.boards) for each in sheet.exercises)
    if sheet.kind == "blank":
        look = _look(sheet, _OPEN_CELL * cell / _CELLS[0], TEXT, names=False)
        columns = columns_for(look, 1, width, GAP)
        columns = columns if look.fitted(1, _column(width, columns)) >= _ROOMY else 1
        tasks = [PrintedTask(None, "", [TaskBoard(marks_of(at)) for at in each.boards]) for each in sheet.exercises]
        blocks = [task_block(task, look, _column(width, columns)) for task in tasks]
        return Leaf("", blocks=blocks, columns=columns, foot=_foot(sheet, paper))
    look = _look(sheet, cell, TEXT)
    columns = 1 if sheet.kind in ("tree", "blindfold") else columns_for(look, many, width, GAP)
    room = _column(width, columns)
    blocks = [words_block(sheet.rules, _SMALL, width)] if sheet.rules else []
    for number, each in enumerate(sheet.exercises, 1):
        blocks.append(_tree(number, each, look, width) if each.tree else task_block(_task(number, each), look, room))
    foot = "" if _is_keyed(sheet) else _foot(sheet, paper)  # which would give the pupils the answers
    return Leaf(title(sheet), instructions(sheet), True, foot, blocks, columns, link=link)


def _answers(sheet: Worksheet, paper: str, cell: float) -> Leaf:
    width = leaf_room(paper).width
    look = _look(sheet, cell, _KEY_TEXT)
    drawn = any(each.solved is not None for each in sheet.exercises)
    columns = columns_for(look, 1, width, GAP) if drawn else 1
    room = _column(width, columns)
    blocks = [
        _tree(number, each, _look(sheet, cell * _CELLS[-1] / _KEY_CELL, _KEY_TEXT), width, solved=True)
        if each.tree
        else task_block(_solved(number, each), look, room)
        for number, each in enumerate(sheet.exercises, 1)
    ]
    return Leaf(
        f"{title(sheet)} Answers" if title(sheet).endswith("?") else f"{title(sheet)}: answers",
        (),
        False,
        _foot(sheet, paper),
        blocks,
        columns,
        is_spread=False,
    )


def _column(width: float, columns: int) -> float:
    return (width - (columns - 1) * GAP) / columns


def _task(number: int, each: Exercise) -> PrintedTask:
    boards = [TaskBoard(marks_of(position)) for position in each.boards]
    return PrintedTask(number, each.question, boards, each.choices, each.blanks, each.below)


def _solved(number: int, each: Exercise) -> PrintedTask:
    if each.solved is None:
        return PrintedTask(number, each.answer, [TaskBoard(marks_of(position)) for position in each.boards])
    return PrintedTask(number, each.answer, [TaskBoard(marks_of(each.solved), each.last, lines_of(each.solved))])


def _tree(number: int, each: Exercise, look: TaskLook, width: float, *, solved: bool = False) -> PrintedBlock:
    branches = [_branch(knot, solved) for knot in each.tree]
    return tree_block(number, each.answer if solved else each.question, branches, look, width)


def _branch(knot: Knot, solved: bool) -> Branch:
    at = knot.position
    if solved:
        word = "draw" if knot.outcome == "draw" else f"{at.board.rules.labels[knot.outcome == 'O']} wins"
        return Branch(knot.parent, TaskBoard(marks_of(at), knot.last, lines_of(at)), word)
    marks = marks_of(at) if knot.is_given else "." * at.board.cells
    return Branch(knot.parent, TaskBoard(marks))
