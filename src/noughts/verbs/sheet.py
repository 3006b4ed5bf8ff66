"""`noughts sheet`: worksheets with their answers, cards, labels and posters to print."""

from __future__ import annotations

from collections.abc import Sequence
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
from noughts.present.report import How, Report, try_next
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
    return _tree(board, theme) if kind == "poster-tree" else _boards(board, kind, theme).printout(theme)


@dataclass(frozen=True)
class _BoardPoster:
    """The boards of a poster, in sections."""

    board: Board
    kind: str
    title: str
    words: str
    sections: Sequence[tuple[str, Sequence[Record]]]

    def printout(self, theme: str) -> Printout:
        return Printout("a poster", self.report, self.as_dict, lambda paper: [self.page(paper, theme)], _PAPERS)

    def as_dict(self) -> dict[str, object]:
        return {
            "board": self.board.spec,
            "kind": self.kind,
            "total": str(sum(len(records) for _, records in self.sections)),
            "sections": [
                {"heading": heading, "positions": [str(record.position) for record in records]}
                for heading, records in self.sections
            ],
        }

    def report(self) -> Report:
        command = f"noughts sheet {self.board} --kind {self.kind}"
        return Report.of(
            [f"{self.title}. {self.words}"],
            [". ".join(heading for heading, _ in self.sections) + "."],
            [How("play from the empty board reaches each; values go back from the ends.")],
            [try_next(f"{command} -o poster.pdf", f"{command} --paper a2 -o poster.pdf")],
        )

    def page(self, paper: str, theme: str) -> Svg:
        parts = [SheetSection(heading, [_drawn(record) for record in records]) for heading, records in self.sections]
        met = {record.outcome for _, records in self.sections for record in records}
        keys = [key for key in _BEST if key[0] in met] if self.kind == "poster-classes" else []
        found = sheets.poster(Sheet(shape_of(self.board), self.title, parts, self.words, keys), paper, theme)
        if found is None:
            many = sum(len(records) for _, records in self.sections)
            raise BudgetError(
                f"{many:,} boards of {self.board} do not fit one page of {paper} with cells of a millimetre: ask for a "
                "larger paper or a smaller board"
            )
        return found


def _drawn(record: Record) -> SheetBoard:
    return SheetBoard(marks_of(record.position), lines=lines_of(record.position), outcome=record.outcome)


def _boards(board: Board, kind: str, theme: str) -> _BoardPoster:
    if class_bound(Position(board)) > _MOST:
        raise BudgetError(f"{board} has too many boards for a poster, which holds some thousands: try 3x3")
    records = list(catalogue(board))
    alike = alike_words(board)
    once = f"; boards that are the same {alike} are shown once" if alike else ""
    if kind == "poster-endings":
        ended = [record for record in records if record.is_terminal]
        sections = [
            (f"{words[0].upper()}{words[1:]}: {len(found):,}", found)
            for outcome, words in _ENDED.items()
            if (found := [record for record in ended if record.outcome == outcome])
        ]
        title = f"The {len(ended):,} ending{'s' * (len(ended) != 1)} of {board}"
        return _BoardPoster(board, kind, title, f"Every board at which the game is over{once}.", sections)
    plies = sorted({record.ply for record in records})
    sections = [
        (f"{ply} mark{'s' * (ply != 1)}: {len(found):,}", found)
        for ply in plies
        if (found := [record for record in records if record.ply == ply])
    ]
    title = f"The {len(records):,} position{'s' * (len(records) != 1)} of {board}"
    words = f"Every board that play leads to{once}. The frame says who wins with best play."
    return _BoardPoster(board, kind, title, words, sections)


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
