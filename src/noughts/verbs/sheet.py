"""`noughts sheet`: worksheets with their answers, cards, labels and posters to print."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.analysis.records.api import catalogue
from noughts.analysis.records.record import Record
from noughts.analysis.trees import DRAWN_NODES, tree
from noughts.drawing import sheets
from noughts.drawing.cards import draw_tree, tree_pages
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.sheets import Sheet, SheetBoard, SheetSection
from noughts.drawing.svg import Svg, paper_margin, paper_size, printed_scale
from noughts.drawing.trees import tree_picture
from noughts.machine.workers import Progress
from noughts.present.report import How, Report, many, try_next
from noughts.rules.arguments import offered
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import class_bound
from noughts.rules.position import Position
from noughts.verbs import tree as tree_report
from noughts.verbs.menace import alike_words
from noughts.verbs.request import (
    PICTURES,
    Caller,
    VerbAnswer,
    VerbRequest,
    argument,
    option,
)
from noughts.verbs.worksheet import Printout, printout_forms
from noughts.worksheets.sheet import KINDS, sheet

POSTERS = {
    "poster-classes": "every board that play leads to, turned or mirrored ones counted once",
    "poster-endings": "every board at which the game is over",
    "poster-tree": "the reduced tree",
}
"""The posters, and what is on each."""
_PAPERS = ("a3", "a2", "a4", "letter")
_LEGIBLE = 0.13
"""Millimetres on paper for a picture unit of a tree: captions are a millimetre high. Below it has several pages."""
_MOST = 20_000
"""Position classes, by the bound, of a board that is put on a poster."""
_TREE_CELLS = 27
"""Cells of a board whose reduced tree is put on a poster, at most: on larger ones its values alone take long."""
_BEST = [("X", "X wins with best play"), ("O", "O wins with best play"), ("draw", "a draw with best play")]
_ENDED = {"X": "X has won", "O": "O has won", "draw": "drawn"}


def poster(board: Board, kind: str, theme: str = "light") -> Printout:
    """Return a poster of a board. Raises BudgetError where it has too many boards, InputError where there are none."""
    if board.shape is None:
        raise InputError(f"{board} is given by its lines and has no shape to print: ask for a board such as 3x3")
    return _tree(board, theme) if kind == "poster-tree" else _boards(board, kind, theme)


def _boards(board: Board, kind: str, theme: str) -> Printout:
    if class_bound(Position(board)) > _MOST:
        raise BudgetError(f"{board} has too many boards for a poster, which holds some thousands: try 3x3")
    records, alike = list(catalogue(board)), alike_words(board)
    once = f"; boards that are the same {alike} are shown once" if alike else ""
    if kind == "poster-endings":
        records = [record for record in records if record.is_terminal]
        groups = {words: [each for each in records if each.outcome == outcome] for outcome, words in _ENDED.items()}
        title, words = many(len(records), "ending"), f"Every board at which the game is over{once}."
    else:
        plies = sorted({record.ply for record in records})
        groups = {many(ply, "mark"): [record for record in records if record.ply == ply] for ply in plies}
        title = many(len(records), "position")
        words = f"Every board that play leads to{once}. The frame says who wins with best play."
    title = f"The {title} of {board}"
    sections = {f"{name[0].upper()}{name[1:]}: {len(found):,}": found for name, found in groups.items() if found}

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
            [How("play from the empty board reaches each; values go back from the ends.")],
            [try_next(f"{command} -o poster.pdf", f"{command} --paper a2 -o poster.pdf")],
        )

    keys = [key for key in _BEST if any(record.outcome == key[0] for record in records)]
    parts = [SheetSection(heading, list(map(_drawn, found))) for heading, found in sections.items()]
    whole = Sheet(shape_of(board), title, parts, words, keys if kind == "poster-classes" else [])
    return Printout("a poster", report, record, lambda paper: [_page(board, whole, paper, theme)], _PAPERS)


def _drawn(record: Record) -> SheetBoard:
    return SheetBoard(marks_of(record.position), lines=lines_of(record.position), outcome=record.outcome)


def _page(board: Board, whole: Sheet, paper: str, theme: str) -> Svg:
    found = sheets.poster(whole, paper, theme)
    if found is None:
        boards = sum(len(part.boards) for part in whole.sections)
        raise BudgetError(
            f"{boards:,} boards of {board} do not fit one page of {paper} with cells of a millimetre: ask for a larger "
            "paper or a smaller board"
        )
    return found


def _tree(board: Board, theme: str) -> Printout:
    if board.cells > _TREE_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells, and posters of trees are made for boards of up to {_TREE_CELLS}: "
            "try 3x3"
        )
    try:
        found = tree(board, limit=DRAWN_NODES)
    except BudgetError:
        raise BudgetError(
            f"no poster holds the reduced tree of {board}: it has over {DRAWN_NODES:,} nodes, or values that take too "
            "long; try 3x3"
        ) from None

    def pages(paper: str) -> list[Svg]:
        width, height = (side - 2 * paper_margin(paper) for side in paper_size(paper, landscape=True))
        whole = draw_tree(tree_picture(found), theme, width / height)
        if printed_scale(whole, paper) < _LEGIBLE:
            return tree_pages(tree_picture(found), paper, theme)
        return [whole]

    return Printout("a poster", lambda: tree_report.report(found), found.as_dict, pages, _PAPERS)


# Everything that is printed by one name: worksheets, cards, labels, posters.

_CARDS = {
    "crib": "the card with every board that X has to know so as never to lose",
    "labels": "labels for the matchboxes of a machine that learns",
}
PRINTED = {**KINDS, **_CARDS, **POSTERS}
"""All that can be printed, and what it is."""


@dataclass(frozen=True, kw_only=True)
class SheetRequest(VerbRequest):
    """Exercises about BOARD to print, with the answers on pages of their own; -o sheet.pdf makes the pages.

    win: find the winning move; tree: finish the game tree; same: which boards are the same; count: how many games can
    follow; possible: can play lead here; who-wins; blindfold: follow a strategy without seeing; blank: boards to play
    on. Then cards with two sides, the card that never loses, labels for matchboxes, and posters of all positions, all
    endings and the reduced tree.
    """

    forms = ("table", "json", *PICTURES)
    papers = ("a4", "letter", "a3", "a2", "a6")
    paper_help = "Paper to print on (a4; posters a3)."
    paper_wants = "--paper is about pages to print: add --format pdf, svg or png"
    is_paged = True

    board: str | Board = argument(default="3x3")
    kind: str = option("What to print.", "win", choices=tuple(PRINTED))
    number: int | None = option("How many exercises (a page or two).", least=1, metavar="N")
    seed: str | None = option("The same seed gives the same sheet.", metavar="TEXT", usual="0")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return what is to be printed."""
        theme = caller.look.theme
        made = printout_of(self.board, self.kind, self.number, self.seed, theme=theme, progress=caller.progress)
        return VerbAnswer(made, printout_forms(made, caller.look))


def printout_of(
    board: Board | str,
    kind: str,
    number: int | None = None,
    seed: int | str | None = None,
    *,
    theme: str = "light",
    progress: Progress | None = None,
) -> Printout:
    """Return what is to be printed. Raises InputError and BudgetError where a board has no such thing."""
    on = Board.parse(board)
    if kind not in PRINTED:
        raise InputError(f"there is no sheet {shown(kind)}: choose {offered(kind, list(PRINTED))}")
    if kind in KINDS:
        from noughts.verbs import worksheet as pages

        return pages.printout(sheet(on, kind, number, seed=0 if seed is None else seed), theme)
    if number is not None or seed is not None:
        raise InputError(
            f"--kind {kind} gives the same sheet each time: leave out {'--number' if number is not None else '--seed'}"
        )
    if kind in POSTERS:
        return poster(on, kind, theme)
    return _crib(on, theme, progress) if kind == "crib" else _labels(on)


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
            [f"{boxes:,} label{'s' * (boxes != 1)} for MENACE on {board}, who plays {made.player}."],
            list(instructions(made)),
            [How("one box for each position class in which the machine has a choice.")],
            [try_next(f"noughts sheet {board} --kind labels -o labels.pdf", f"noughts menace {board}")],
        )

    return Printout("a page of labels", report, made.as_dict, lambda paper: labels_pages(made, paper), ("a4", "letter"))
