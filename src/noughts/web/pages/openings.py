"""The page of opening theory: first moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

from typing import Any

from noughts.domain.bits import cells_of
from noughts.domain.cells import cell_name
from noughts.reports.page import PIPE, How, Paragraph
from noughts.reports.play.openings import forms, report
from noughts.strategy.lengths import counted
from noughts.strategy.openingadvice import errors
from noughts.strategy.openings import OpeningTheory, openings
from noughts.strategy.replies import Opening, ValuedMove
from noughts.web.ask import Ask
from noughts.web.boards import picture
from noughts.web.links import Links
from noughts.web.page import PageAnswer
from noughts.web.reach import require_reach
from noughts.web.recorded import Drawn, plural

__all__ = ["answer_openings"]


def answer_openings(ask: Ask) -> PageAnswer:
    """Return opening theory. Raises InputError for a finished game, BudgetError where values cost too much."""
    assert ask.board is not None
    require_reach(ask.page, ask.board)
    theory = openings(ask.board, ask.given("from"))

    return PageAnswer("openings.html", "Openings", lambda links: _context(theory, links), forms(theory, PIPE))


def _context(theory: OpeningTheory, links: Links) -> dict[str, Any]:
    told = [block for part in report(theory).sections for block in part]
    where = {"from_": str(theory.start)} if theory.start.ply else {}
    return {
        "headline": next(block.text for block in told if isinstance(block, Paragraph)),
        "advice": theory.advice,
        "counted": counted(theory.board),
        "start": theory.start if theory.start.ply else None,
        "openings": [_opening(theory, opening, links) for opening in theory.openings],
        "hows": [block.text for block in told if isinstance(block, How)],
        "trees": [
            (words, links.page("tree", kind, **where))  # type: ignore[arg-type]
            for kind, words in (("openings", "Openings as a tree"), ("forced-wins", "How mistakes are punished"))
        ],
        "misere": theory.board.misere,
    }


def _opening(theory: OpeningTheory, opening: Opening, links: Links) -> dict[str, Any]:
    replies = [_drawn(theory, reply, links, opening) for reply in opening.replies]
    said = f"{plural(len(replies), 'reply', 'replies')} up to symmetry: {errors(opening.replies)}" if replies else ""
    return {
        "name": theory.name(opening.cell),
        "board": _drawn(theory, opening, links),
        "said": said,
        "replies": replies,
    }


def _drawn(theory: OpeningTheory, move: ValuedMove, links: Links, opening: Opening | None = None) -> dict[str, Any]:
    names = ", ".join(cell_name(theory.board, cell) for cell in cells_of(move.cells))
    verdict = theory.verdict(move, opening)
    return {
        "drawn": Drawn(picture(move.position, [move.cell]), links.position(move.position), names),
        "verdict": verdict,
        "errs": bool(move.loses or move.gives_up_win),
        "label": move.label or "not found",
    }
