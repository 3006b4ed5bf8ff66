"""`noughts sheet`: worksheets with answers, cards, labels and posters to print."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import randbelow

from noughts.analysis.records.api import catalogue
from noughts.analysis.trees import DRAWN_NODES, tree
from noughts.drawing import sheets
from noughts.drawing.cards import draw_tree, tree_pages
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.sheets import Sheet, SheetBoard, SheetSection
from noughts.drawing.svg import Svg, paper_margin, paper_size, printed_scale
from noughts.drawing.trees import tree_picture
from noughts.machine.workers import Progress
from noughts.present.report import PIPE, How, Look, Report, many, try_next
from noughts.rules.arguments import offered
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import class_bound
from noughts.rules.position import Position
from noughts.rules.values import begun
from noughts.verbs import tree as tree_report
from noughts.verbs.menace import alike_words
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument, option
from noughts.verbs.worksheet import Printout, printout_forms
from noughts.worksheets.sheet import KINDS, sheet

POSTERS = {
    "poster-classes": "every reachable board, turned or mirrored ones counted once",
    "poster-endings": "every board of a finished game",
    "poster-tree": "the reduced tree",
}
"""The posters with their descriptions."""
_PAPERS = ("a3", "a2", "a4", "letter")
_LEGIBLE = 0.13
"""Least millimetres of a picture unit of a tree on one page; below it the tree has several pages."""
_MOST = 20_000
"""Largest bound on position classes of a board on a poster."""
_TREE_CELLS = 27
"""Most cells of a board whose reduced tree can be a poster; larger boards take long."""
_BEST = [("X", "X wins with best play"), ("O", "O wins with best play"), ("draw", "a draw with best play")]
_ENDED = {"X": "X has won", "O": "O has won", "draw": "drawn"}


def poster(board: Board, kind: str, theme: str = "light", link: str = "") -> Printout:
    """Return a poster of a board. Raises BudgetError for too many boards, InputError for a board without a shape."""
    if board.shape is None:
        raise InputError(f"{board} is a list of lines and has no shape to print: use a board such as 3x3")
    return _tree(board, theme) if kind == "poster-tree" else _boards(board, kind, theme, link)


def _boards(board: Board, kind: str, theme: str, link: str) -> Printout:
    if class_bound(Position(board)) > _MOST:
        raise BudgetError(f"{board} has too many boards for a poster, which can hold some thousands: try 3x3")
    records, alike = list(catalogue(board)), alike_words(board)
    once = f"; boards that are the same {alike} are shown once" if alike else ""
    if kind == "poster-endings":
        records = [record for record in records if record.is_terminal]
        ended = {outcome: board.rules.named(words) for outcome, words in _ENDED.items()}
        groups = {words: [each for each in records if each.outcome == outcome] for outcome, words in ended.items()}
        title, words = many(len(records), "ending"), f"Every board of a finished game{once}."
    else:
        plies = sorted({record.ply for record in records})
        groups = {many(ply, "mark"): [record for record in records if record.ply == ply] for ply in plies}
        title = many(len(records), "position")
        words = f"Every reachable board{once}. The frame shows the winner with best play."
    title = f"The {title} of {board}"
    sections = {f"{begun(name)}: {len(found):,}": found for name, found in groups.items() if found}

    def record() -> dict[str, object]:
        listed = [
            {"heading": heading, "positions": [str(each.position) for each in found]}
            for heading, found in sections.items()
        ]
        return {"board": board.spec, "kind": kind, "total": str(len(records)), "sections": listed}

    def report() -> Report:
        command = f"noughts sheet {board} --kind {kind}"
        return Report.of(
            [f"{title}. {words}"],
            [". ".join(sections) + "."],
            [How("play from the empty board reaches each; a backward pass from the finished games gives the values.")],
            [try_next(f"{command} -o poster.pdf", f"{command} --paper a2 -o poster.pdf")],
        )

    best = [(outcome, board.rules.named(words)) for outcome, words in _BEST]
    keys = [key for key in best if any(record.outcome == key[0] for record in records)]
    parts = []
    for heading, found in sections.items():
        boards = [SheetBoard(marks_of(at.position), lines=lines_of(at.position), outcome=at.outcome) for at in found]
        parts.append(SheetSection(heading, boards))
    whole = Sheet(shape_of(board), title, parts, words, keys if kind == "poster-classes" else [], link=link)
    return Printout("a poster", report, record, lambda paper: [_page(board, whole, paper, theme)], _PAPERS)


def _page(board: Board, whole: Sheet, paper: str, theme: str) -> Svg:
    found = sheets.poster(whole, paper, theme)
    if found is None:
        boards = sum(len(part.boards) for part in whole.sections)
        raise BudgetError(
            f"{boards:,} boards of {board} do not fit on one page of {paper}: use larger paper or a smaller board"
        )
    return found


def _tree(board: Board, theme: str) -> Printout:
    if board.cells > _TREE_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells, and posters of trees need at most {_TREE_CELLS}: try 3x3"
        )
    try:
        found = tree(board, limit=DRAWN_NODES)
    except BudgetError:
        raise BudgetError(
            f"the reduced tree of {board} has over {DRAWN_NODES:,} nodes or takes too long for a poster: try 3x3"
        ) from None

    def pages(paper: str) -> list[Svg]:
        width, height = (side - 2 * paper_margin(paper) for side in paper_size(paper, landscape=True))
        whole = draw_tree(tree_picture(found), theme, width / height)
        if printed_scale(whole, paper) < _LEGIBLE:
            return tree_pages(tree_picture(found), paper, theme)
        return [whole]

    return Printout("a poster", lambda: tree_report.report(found), found.as_dict, pages, _PAPERS)


# All kinds of sheets by name: worksheets, cards, labels, posters.

_CARDS = {
    "crib": "card with every board that X has to know to never lose",
    "labels": "labels for the matchboxes of a machine that learns",
}
_SEEDS = 9_999
"""How many seeds are drawn from where none is given."""
PRINTED = {**KINDS, **_CARDS, **POSTERS}
"""All kinds of sheets with their descriptions."""


@dataclass(frozen=True, kw_only=True)
class SheetRequest(VerbRequest):
    """Exercises about BOARD to print, with the answers on separate pages; -o sheet.pdf gives the pages.

    win: find the winning move; tree: finish the game tree; same: compare two boards; count: count the games that can
    follow; possible: can play lead here; who-wins: find the winner; blindfold: follow a strategy without seeing; blank:
    boards to play on. block, fork and their like are the themes of noughts puzzle. Other kinds are flash cards, the
    card of noughts crib, labels for matchboxes, and posters of all positions, all endings and the reduced tree. The
    answers name the seed of the sheet.
    """

    forms = ("table", "json", *PICTURES)
    papers = ("a4", "letter", "a3", "a2", "a6")
    paper_help = "Paper (default: a4; a3 for posters)"
    paper_wants = "--paper needs pages to print: add --format pdf, svg or png"
    is_paged = True

    board: str | Board = argument(default="3x3")
    kind: str = option("Kind of sheet", "win", choices=tuple(PRINTED))
    number: int | None = option("Number of exercises", least=1, metavar="N", usual="one or two pages")
    seed: str | None = option("Random seed", metavar="TEXT", usual="a new one each time")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the sheet."""
        seed = self.seed
        if seed is None and self.kind in KINDS and self.kind != "blank":
            seed = new_seed()
        made = printout_of(self.board, self.kind, self.number, seed, look=caller.look, progress=caller.progress)
        return VerbAnswer(made, printout_forms(made, caller.look))


def new_seed() -> str:
    """Return a random seed, short to type."""
    return str(1 + randbelow(_SEEDS))


def printout_of(
    board: Board | str,
    kind: str,
    number: int | None = None,
    seed: int | str | None = None,
    *,
    look: Look = PIPE,
    progress: Progress | None = None,
) -> Printout:
    """Return a sheet. Raises InputError and BudgetError if the board does not have that kind."""
    on = Board.parse(board)
    if kind not in PRINTED:
        raise InputError(f"unknown kind of sheet {shown(kind)}: choose {offered(kind, list(PRINTED))}")
    if kind in KINDS:
        from noughts.verbs import worksheet as pages

        return pages.printout(sheet(on, kind, number, seed=0 if seed is None else seed), look)
    if number is not None or seed is not None:
        raise InputError(
            f"--kind {kind} always gives the same sheet: remove {'--number' if number is not None else '--seed'}"
        )
    if kind in POSTERS:
        return poster(on, kind, look.theme, look.link)
    return _crib(on, look.theme, progress) if kind == "crib" else _labels(on)


def _crib(board: Board, theme: str, progress: Progress | None) -> Printout:
    from noughts.bots.crib import crib
    from noughts.verbs import crib as pages

    found = crib(board, progress=progress)
    return Printout(
        "a card",
        lambda: pages.report(found),
        found.as_dict,
        lambda paper: pages.crib_pages(found, paper, theme),
        ("a4", "letter", "a6"),
        lambda: pages.crib_sheet(found, theme),
    )


def _labels(board: Board) -> Printout:
    from noughts.bots.menace import menace
    from noughts.verbs.menace import instructions, labels_pages

    made = menace(board)

    def report() -> Report:
        boxes = len(made.cabinet.boxes)
        return Report.of(
            [f"{boxes:,} label{'s' * (boxes != 1)} for MENACE on {board} as {made.player}."],
            list(instructions(made)),
            [How("one box for each position class in which the machine has a choice.")],
            [try_next(f"noughts sheet {board} --kind labels -o labels.pdf", f"noughts menace {board}")],
        )

    return Printout("a page of labels", report, made.as_dict, lambda paper: labels_pages(made, paper), ("a4", "letter"))
