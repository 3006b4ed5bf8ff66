"""How many games and positions: one convention in full, or without a question all conventions side by side."""

from __future__ import annotations

from typing import Any

from noughts.reports.counts.sense import require_sense_of_count
from noughts.web.ask import Ask
from noughts.web.limits import LONG
from noughts.web.page import PageAnswer
from noughts.web.pages.census import answer_census
from noughts.web.pages.conventions import answer_conventions

__all__ = ["answer_count"]

_FORM_NAMES = {"html": "table", "md": "markdown", "tex": "latex"}
_PARTS = ("same", "moves", "x_moves", "o_moves", "end", "symmetry", "from", "starts", "to_ply", "explain", "check")


def answer_count(ask: Ask) -> PageAnswer:
    """Return the counts under one convention, or under all where nothing is asked.

    Raises InputError for parameters that contradict each other, BudgetError for what takes longer than a page may.
    """
    assert ask.board is not None
    if not ask.query:
        return answer_conventions(ask)
    given: dict[str, Any] = {name: ask.given(name) for name in _PARTS}
    given |= {
        "starts": given["starts"] or "X",
        "same": given["same"] or "labelled",
        "explain": given["explain"] is not None,
        "check": given["check"] is not None,
    }
    require_sense_of_count([name for name, _ in ask.query], given, _FORM_NAMES.get(ask.form, ask.form))
    return answer_census(ask, given, LONG)
