"""Posters: all position classes, all endings, the reduced tree, each on one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.extent import class_bound
from noughts.domain.position import Position
from noughts.drawing.cards import draw_tree
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.files import paper_margin, paper_size, printed_scale
from noughts.drawing.gametree import tree_picture
from noughts.drawing.pages import tree_pages
from noughts.drawing.posters import PosterBoard, PosterPart, draw_poster
from noughts.drawing.svg import Svg
from noughts.records.api import catalogue
from noughts.records.record import Record
from noughts.reports.bots.matchboxes import alike_words
from noughts.reports.page import How, Report, try_next
from noughts.reports.play import tree as tree_report
from noughts.reports.sheets.printout import Printout
from noughts.strategy.gametree import DRAWN_NODES
from noughts.strategy.trees import tree

__all__ = ["POSTERS", "poster"]

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
        parts = [PosterPart(heading, [_drawn(record) for record in records]) for heading, records in self.sections]
        met = {record.outcome for _, records in self.sections for record in records}
        keys = [key for key in _BEST if key[0] in met] if self.kind == "poster-classes" else []
        found = draw_poster(shape_of(self.board), parts, self.title, self.words, keys, paper, theme)
        if found is None:
            many = sum(len(records) for _, records in self.sections)
            raise BudgetError(
                f"{many:,} boards of {self.board} do not fit one page of {paper} with cells of a millimetre: ask for a "
                "larger paper or a smaller board"
            )
        return found


def _drawn(record: Record) -> PosterBoard:
    return PosterBoard(marks_of(record.position), lines_of(record.position), record.outcome)


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
