"""What is this number? Its readings, the simplest first, each with the page that gives it; or the nearest numbers."""

from __future__ import annotations

from typing import Any

from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.meanings.lookup import whatis
from noughts.meanings.meaning import Meaning, Meanings, written
from noughts.reports.counts.lookup import forms, report
from noughts.reports.forms import Forms
from noughts.reports.page import PIPE
from noughts.web.ask import Ask
from noughts.web.blocks import command_link
from noughts.web.links import Links
from noughts.web.page import PageAnswer, PageView

__all__ = ["answer"]

_EXAMPLES = ("255168", "26830", "31896", "5478", "765", "362880", "1145", "501/560")
"""Numbers that people ask about."""


def answer(ask: Ask) -> PageAnswer:
    """Return what a number can mean; without a number the box to ask for one. Raises InputError, InvalidBoard."""
    text = ask.given("n")
    if text is None:
        if ask.form != "html":
            raise InputError(f"no number is given: write it as /whatis.{ask.form}?n=26830")
        return PageAnswer(lambda links: PageView("whatis.html", "What is this number?", _empty(links)))
    board = ask.given("board")
    on = None if board is None else Board.parse(board)
    found = whatis(text, board=on)
    spec = on.spec if on else None
    asked = f"{spec} {text}" if spec else text
    made: Forms = forms(found, PIPE, board=spec)

    def view(links: Links) -> PageView:
        said = report(found, board=spec).headline
        return PageView(
            "whatis.html", f"What is {found.said}?", {**_empty(links), **_context(found, said, spec, text, links)}
        )

    return PageAnswer(view, made, f"noughts whatis {_quoted(asked)}")


def _quoted(text: str) -> str:
    return text if all(sign.isalnum() or sign in ",./^:+_ %" for sign in text) else f"'{text}'"


def _empty(links: Links) -> dict[str, Any]:
    examples = [(text, links.to(Ask("whatis", query=(("n", text),)))) for text in _EXAMPLES]
    return {
        "asked": None,
        "typed": "",
        "board": "",
        "headline": "",
        "examples": examples,
        "readings": [],
        "nearest": [],
    }


def _context(found: Meanings, headline: str, board: str | None, text: str, links: Links) -> dict[str, Any]:
    return {
        "asked": found.said,
        "typed": text,
        "board": board or "",
        "headline": headline,
        "readings": [_reading(meaning, links) for meaning in found.matches],
        "nearest": [] if found.matches else [_reading(meaning, links) for meaning in found.nearest],
    }


def _reading(meaning: Meaning, links: Links) -> dict[str, Any]:
    kind = "slip" if meaning.slip else "published" if meaning.published else "computed"
    command = "" if meaning.published else meaning.command
    return {
        "number": written(meaning.value),
        "what": meaning.what,
        "board": meaning.board,
        "convention": meaning.convention,
        "kind": kind,
        "command": command,
        "to": command_link(command, links) if command else None,
    }
