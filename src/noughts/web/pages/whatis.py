"""What is this number? Its readings, the simplest first, each with the page that gives it; or the nearest numbers.

A number of the OEIS, or some terms, leads to the sequences that noughts has.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from noughts.analysis.explain.wording import listed
from noughts.analysis.meanings.known import is_sequence, look_up_sequence
from noughts.analysis.meanings.lookup import whatis
from noughts.analysis.meanings.meaning import Meaning, Meanings, written
from noughts.present.forms import Forms
from noughts.present.report import PIPE
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.verbs.whatis import forms, report, sequence_forms, sequence_report
from noughts.web.boards import blocks_of, command_link
from noughts.web.links import Links, PageAnswer
from noughts.web.request import SMALL_BOARD, Ask

_EXAMPLES = ("255168", "26830", "31896", "5478", "765", "362880", "1145", "501/560")
"""Numbers that people ask about."""

_SHOWN = 8
"""Number of readings shown openly; the others are folded, board by board."""


def answer_whatis(ask: Ask) -> PageAnswer:
    """Return what a number can mean; without a number, the empty form. Raises InputError, InvalidBoard."""
    text = ask.given("n")
    if text is None:
        if ask.form != "html":
            raise InputError(f"the number is missing: write it as /whatis.{ask.form}?n=26830")
        return PageAnswer("whatis.html", "What is this number?", _empty, command="")
    board = ask.given("board")
    if is_sequence(text):
        return _sequence(text, board, ask)
    on = None if board is None else Board.parse(board)
    found = whatis(text, board=on, quick=ask.given("more") is None, progress=ask.progress)
    spec = on.spec if on else None
    terms = f"{spec} {text}" if spec else text
    made: Forms = forms(found, PIPE, board=spec)

    def context(links: Links) -> dict[str, Any]:
        headline = report(replace(found, perhaps=None), board=spec).headline
        return {**_empty(links), **_context(found, headline, spec, text, links)}

    return PageAnswer(
        "whatis.html",
        f"What is {found.said}?",
        context,
        made,
        f"noughts whatis {_quoted(terms)}" + " --quick" * found.cut,
    )


def _sequence(text: str, board: str | None, ask: Ask) -> PageAnswer:
    """Return the sequences of the OEIS that match a number or some terms. Raises InputError."""
    if board is not None or ask.given("more") is not None:
        raise InputError(f"{shown(text)} is a sequence: remove board and more, which need a single number")
    found = look_up_sequence(text)

    def context(links: Links) -> dict[str, Any]:
        sections = [blocks_of(section, links) for section in sequence_report(found).sections]
        return {**_empty(links), "typed": text, "asked": text, "sequences": sections}

    return PageAnswer(
        "whatis.html",
        f"What is {found.asked}?",
        context,
        sequence_forms(found, PIPE),
        f"noughts whatis {_quoted(text)}",
    )


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
        "number": 0,
        "readings": [],
        "folded": [],
        "nearest": [],
        "looked_at": "",
        "further": None,
        "perhaps": None,
        "sequences": [],
    }


def _context(found: Meanings, headline: str, board: str | None, text: str, links: Links) -> dict[str, Any]:
    readings = found.matches
    folded: dict[str, list[Meaning]] = {}
    for meaning in readings[_SHOWN:]:
        folded.setdefault(meaning.board, []).append(meaning)
    whole = Ask("whatis", None, "", links.here.query)
    return {
        "asked": found.said,
        "typed": text,
        "board": board or "",
        "headline": headline,
        "number": len(readings),
        "readings": [_reading(meaning, links) for meaning in readings[:_SHOWN]],
        "folded": [(board, [_reading(meaning, links) for meaning in part]) for board, part in folded.items()],
        "looked_at": listed(list(found.boards)) if found.boards else "",
        "further": links.to(replace(whole, query=tuple(sorted({**dict(whole.query), "more": "1"}.items()))))
        if found.cut
        else None,
        "perhaps": None
        if found.perhaps is None or found.matches
        else (written(found.perhaps), links.to(Ask("whatis", query=(("n", str(found.perhaps)),)))),
        "nearest": [] if found.matches else [_reading(meaning, links) for meaning in found.nearest],
    }


def _reading(meaning: Meaning, links: Links) -> dict[str, Any]:
    kind = "slip" if meaning.slip else "published" if meaning.published else "computed"
    by = "A slip" if meaning.slip else meaning.by
    command = meaning.command
    return {
        "number": written(meaning.value),
        "what": meaning.what,
        "board": meaning.board,
        "convention": meaning.convention,
        "kind": kind,
        "by": by,
        "command": command,
        "to": (command_link(command, links) or _of_ply(meaning, links)) if command else None,
    }


def _of_ply(meaning: Meaning, links: Links) -> str | None:
    """Return the link to a list with the positions of a reading, if its command has no page."""
    found = re.match(r"position(s| classes) at ply ([0-9]+) ", meaning.what)
    if found is None or Board.parse(meaning.board).cells > SMALL_BOARD:
        return None
    same = (("same", "labelled"),) if found[1] == "s" else ()
    return links.to(Ask("positions", Board.parse(meaning.board), query=(("ply", found[2]), *same)))
