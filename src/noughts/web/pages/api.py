"""The page about data for programs: every address with its forms and parameters, and an example of each."""

from __future__ import annotations

from typing import Any

from noughts.domain.board import Board
from noughts.web.ask import Ask, Form
from noughts.web.commands import VERBS
from noughts.web.kind import Kind
from noughts.web.kinds import KINDS
from noughts.web.links import Links
from noughts.web.page import PageAnswer

__all__ = ["answer_api"]

_WHATS = {"position": "XO_-_X_-__O", "game": "a1-b2-c3"}


def answer_api(ask: Ask) -> PageAnswer:
    """Return the list of all data."""

    def context(links: Links) -> dict[str, Any]:
        kinds = [
            {
                "kind": kind,
                "verb": VERBS.get(kind.name),
                "examples": [(form, links.to(_example(kind, form))) for form in kind.forms],
            }
            for kind in KINDS.values()
            if kind.forms
        ]
        return {"kinds": kinds}

    return PageAnswer("api.html", "Data for programs", context)


def _example(kind: Kind, form: Form) -> Ask:
    """Return something that can be asked of a kind of page."""
    what = _WHATS.get(kind.name, kind.whats[0] if kind.whats else "")
    query = (("n", "26830"),) if kind.name == "whatis" else ()
    if kind.name == "count" and form in ("svg", "png", "pdf"):
        query = (("same", "labelled"),)  # a chart is of one convention
    return Ask(kind.name, Board.parse("3x3") if "{board}" in kind.path else None, what, query, form)
