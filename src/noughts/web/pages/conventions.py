"""All conventions of a board on one page: games by the three questions, positions from naive to exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.counting.conventions.matrix import Entry
from noughts.counting.offers import Run
from noughts.counting.question import SAMENESSES
from noughts.counting.words import end_words, moves_words, sameness_words
from noughts.domain.errors import InputError
from noughts.machine.budget import Limits, format_duration
from noughts.reports.counts.conventions import NO_CHART, Conventions, bots_words, forms, report, survey
from noughts.reports.counts.leftout import left_out
from noughts.reports.page import PIPE, How
from noughts.web.ask import Ask
from noughts.web.bars import bar_of, longest_of
from noughts.web.blocks import blocks_of, command_link
from noughts.web.limits import LONG, REQUEST, SMALL_BOARD
from noughts.web.links import Links
from noughts.web.page import PageAnswer

__all__ = ["answer_conventions"]

_WHOLE_DATA = 12
"""Cells of a board whose data take the time that the command line takes; the page leaves out what takes long."""
_FOR_TERMINALS = (
    ("; --format json has every digit", ""),
    ("; add --check to a question for a second engine, and see noughts verify for the published numbers", ""),
    ("; see noughts verify for the published numbers", ""),
)
"""What reports say of commands, which readers of pages do not type."""


def answer_conventions(ask: Ask) -> PageAnswer:
    """Return the page of all conventions. Raises BudgetError for a board too large to say anything about."""
    assert ask.board is not None
    if ask.form in ("svg", "png", "pdf"):
        raise InputError(NO_CHART)
    as_data = ask.form != "html" and ask.board.cells <= _WHOLE_DATA
    limits = Limits(LONG.memory) if ask.board.cells <= SMALL_BOARD or as_data else REQUEST
    found = survey(ask.board, limits, Run(progress=ask.progress))
    whole = all(entry.finished is not None for entry in found.games)
    command = f"noughts count {ask.board}" + (
        "" if limits is not REQUEST else f" --time {format_duration(limits.seconds)}"
    )

    return PageAnswer(
        "conventions.html",
        "How many games?",
        lambda links: _context(found, links),
        forms(found, PIPE),
        command,
        exact=whole,
    )


def _context(found: Conventions, links: Links) -> dict[str, Any]:
    said = report(found)
    known = [entry for entry in found.games if entry.finished is not None]
    hows = [block.text for part in said.sections for block in part if isinstance(block, How)]
    longest = longest_of([rung.count for rung in found.positions])
    return {
        "headline": said.headline,
        "rules": [_rule(entries, links) for entries in _by_rule(found.games)],
        "sames": [(same, sameness_words(same)) for same in SAMENESSES],
        "known": [(entry, command_link(entry.command, links)) for entry in known],
        "rungs": [(rung, bar_of([("all", rung.count or 0)], longest)) for rung in found.positions],
        "bots": [_for_readers(words) for words in bots_words(found.positions)],
        "digits": links.twin("json"),
        "left_out": [blocks_of(part, links) for part in left_out(found.games, found.positions)],
        "hows": [_for_readers(how) for how in hows],
        "whatis": links.to(Ask("whatis")),
    }


def _for_readers(words: str) -> str:
    """Return what a report says, without its advice on commands."""
    for given, instead in _FOR_TERMINALS:
        words = words.replace(given, instead)
    return words


def _by_rule(games: Sequence[Entry]) -> list[list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in games:
        found.setdefault(entry.question.x_moves, []).append(entry)
    return list(found.values())


def _rule(entries: Sequence[Entry], links: Links) -> dict[str, Any]:
    """Return the rows of one rule of moving: for each end of the game the entries by sameness."""
    rule = entries[0].question.x_moves
    ends: dict[str, list[tuple[Entry, str | None]]] = {}
    for entry in entries:
        ends.setdefault(entry.question.end, []).append((entry, command_link(entry.command, links)))
    board = entries[0].question.board
    lines = board.cells > 1000 or bool(board.lines)
    rows = [
        (end, end_words(cells[0][0].question.end, misere=board.misere, lines=lines), cells)
        for end, cells in ends.items()
    ]
    return {"name": rule, "words": moves_words(rule, rule), "rows": rows}
