"""The page of sheets: what is to be printed, its pages as they will be on paper, and the file to print."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.lots import drawn
from noughts.drawing.svg import Svg
from noughts.reports.page import PIPE
from noughts.reports.sheets.api import PRINTED, printout_of
from noughts.reports.sheets.printout import Printout, printout_forms
from noughts.reports.text import as_text
from noughts.strategy.puzzles.finding import is_listed
from noughts.web.ask import Ask
from noughts.web.errors import Unreachable
from noughts.web.links import Links
from noughts.web.page import PageAnswer
from noughts.web.reach import require_reach
from noughts.worksheets.api import KINDS

__all__ = ["answer_sheets"]

_MOST, _MOST_DRAWN = 60, 12
"""Exercises that a page waits for: on boards all of whose positions are listed, and on larger ones."""
_SHOWN = 4
"""Pages that are shown before they are printed."""
_SEEDS = 10**6
_PAPER_NAMES = {"a4": "A4", "letter": "US Letter", "a3": "A3", "a2": "A2", "a6": "A6"}
_NEEDS = {"crib": "crib", "labels": "menace"}
"""Sheets that are had of a board where another page is."""
_OTHERS = {
    "crib": "the card that never loses",
    "labels": "labels for matchboxes",
    "poster-classes": "a poster of all boards",
    "poster-endings": "a poster of all endings",
    "poster-tree": "a poster of the reduced tree",
}
"""Cards, labels and posters, one and the same each time, in short."""
assert _OTHERS.keys() == PRINTED.keys() - KINDS.keys()


def answer_sheets(ask: Ask) -> PageAnswer:
    """Return something to print. Raises Unreachable where a board has no such thing, BudgetError for much."""
    board = ask.board
    assert board is not None
    kind, given = ask.given("kind") or "win", ask.given("number")
    if kind in _NEEDS:
        require_reach(_NEEDS[kind], board)
    most = _MOST if is_listed(board) else _MOST_DRAWN
    if given is not None and int(given) > most:
        raise BudgetError(
            f"{int(given):,} exercises are more than the {most} that a page waits for: ask the command line"
        )
    number = None if given is None else int(given)
    try:
        made = printout_of(board, kind, number, ask.given("seed"), progress=ask.progress)
    except InputError as error:
        raise Unreachable(str(error), _ways(ask, board)) from None
    forms = printout_forms(made, replace(PIPE, paper=ask.given("paper")))

    return PageAnswer("sheets.html", "Sheets to print", lambda links: _context(ask, made, links), forms)


def _ways(ask: Ask, board: Board) -> list[tuple[str, Ask]]:
    """Return what can be had instead: blank boards, which every board has, and what is one and the same each time."""
    asked = ask.given("kind") if ask.given("kind") in _OTHERS else None
    return [(PRINTED[kind], Ask("sheets", board, "", (("kind", kind),))) for kind in (asked, "blank") if kind]


def _context(ask: Ask, made: Printout, links: Links) -> dict[str, Any]:
    kind, paper = ask.given("kind") or "win", ask.given("paper") or made.papers[0]
    pages = made.pages(paper)
    seed = ask.given("seed") or "0"
    kept = {name: text for name, text in ask.query if name in ("kind", "number", "paper")}
    is_drawn = kind in KINDS and kind != "blank"
    return {
        "headline": f"{PRINTED[kind][0].upper()}{PRINTED[kind][1:]}{'' if PRINTED[kind].endswith('?') else '.'}",
        "pages": [_shown(page) for page in pages[:_SHOWN]],
        "total": len(pages),
        "pdf": links.twin("pdf"),
        "papers": [
            (_PAPER_NAMES[each], _to(links, kind, each if each != made.papers[0] else None, ask), each == paper)
            for each in made.papers
        ],
        "words": as_text(made.report(), PIPE),
        "kind": kind,
        "keyed": is_drawn,
        "worksheets": list(KINDS.items()),
        "others": [(words, _to(links, name, None, None), name == kind) for name, words in _OTHERS.items()],
        "number": ask.given("number") or "",
        "seed": seed,
        "paper": paper,
        "more": links.page("sheets", seed=drawn(_SEEDS, f"after {seed}"), **kept) if is_drawn else None,  # type: ignore[arg-type]
    }


def _to(links: Links, kind: str, paper: str | None, ask: Ask | None) -> str | None:
    """Return the link to a kind of sheet on a paper; with the number and seed of what is asked for, if anything is."""
    rest = {name: text for name, text in ask.query if name in ("number", "seed")} if ask else {}
    return links.page("sheets", kind=kind if kind != "win" else None, paper=paper, **rest)  # type: ignore[arg-type]


def _shown(page: Svg) -> tuple[str, float, float]:
    """Return a page as the address of a picture that stands in the page itself, its width and its height."""
    return f"data:image/svg+xml;base64,{b64encode(page.encode()).decode()}", page.width, page.height
