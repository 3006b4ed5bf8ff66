"""The page of puzzles: positions with one right move, hints to be opened one by one, then the answer and why."""

from __future__ import annotations

from datetime import date
from typing import Any

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.lots import drawn
from noughts.reports.page import PIPE
from noughts.reports.play.puzzles import forms, headline, how
from noughts.strategy.puzzles.api import puzzles, theme_named
from noughts.strategy.puzzles.finding import is_listed
from noughts.strategy.puzzles.puzzle import Puzzle, Puzzles
from noughts.strategy.puzzles.setting import ENOUGH_BLANKS
from noughts.strategy.puzzles.themes import THEMES
from noughts.web.ask import Ask
from noughts.web.boards import named_picture, spoken
from noughts.web.errors import Unreachable
from noughts.web.links import Links
from noughts.web.page import PageAnswer
from noughts.web.reach import is_in_reach

__all__ = ["answer_puzzles"]

_MOST, _MOST_DRAWN = 60, 12
"""Puzzles that a page waits for: where all are listed, and where they are drawn by lot."""
_SEEDS = 10**6


def answer_puzzles(ask: Ask) -> PageAnswer:
    """Return puzzles. Raises InputError where there are none such, BudgetError for large boards and for many."""
    board = ask.board
    assert board is not None
    _require_some(board)
    daily, given, grade = ask.given("daily"), ask.given("number"), ask.given("grade")
    number = None if given is None else int(given)
    most = _MOST if is_listed(board) else _MOST_DRAWN
    if number is not None and number > most:
        raise BudgetError(f"{number:,} puzzles are more than the {most} that a page waits for: ask the command line")
    about = ask.given("about")
    found = puzzles(
        board,
        number,
        seed=ask.given("seed") or "0",
        theme=None if about is None else theme_named(about),
        grade=None if grade is None else int(grade),
        daily=date.today() if daily == "today" else daily,
        progress=ask.progress,
    )

    return PageAnswer(
        "puzzles.html", "Puzzles", lambda links: _context(ask, found, links), forms(found, PIPE), exact=daily != "today"
    )


def _require_some(board: Board) -> None:
    """Raise where a board has no puzzles, in the words of the command; a link goes to one that has."""
    try:
        if not is_in_reach("puzzles", board):
            puzzles(board, 1)
    except InputError as error:
        usual = Board.parse("3x3")
        raise Unreachable(str(error), [(f"Puzzles on {usual}", Ask("puzzles", usual))]) from None


def _context(ask: Ask, found: Puzzles, links: Links) -> dict[str, Any]:
    kept = {name: text for name, text in ask.query if name in ("number", "about", "grade")}
    seed = ask.given("seed") or "0"
    return {
        "headline": headline(found),
        "blanks": ENOUGH_BLANKS,
        "how": how(found),
        "puzzles": [_shown(number, each, links) for number, each in enumerate(found, 1)],
        "seed": seed,
        "number": ask.given("number") or "",
        "grade": ask.given("grade") or "",
        "about": ask.given("about") or "",
        "themes": [(theme.rstrip("?").replace(" ", "-"), theme) for theme in THEMES],
        "more": links.page("puzzles", seed=drawn(_SEEDS, f"after {seed}"), **kept),  # type: ignore[arg-type]
        "today": links.page("puzzles", daily="today"),
        "sheet": links.twin("pdf"),
    }


def _shown(number: int, puzzle: Puzzle, links: Links) -> dict[str, Any]:
    after = puzzle.position.play(puzzle.cell)
    return {
        "number": number,
        "picture": named_picture(puzzle.position),
        "said": spoken(puzzle.position),
        "question": puzzle.question,
        "grade": puzzle.grade,
        "hints": puzzle.hints,
        "solved": named_picture(after, [puzzle.cell]),
        "explanation": puzzle.explanation,
        "themes": puzzle.themes,
        "try": links.position(puzzle.position, quiz="1"),
        "explain": links.position(puzzle.position),
    }
