"""All endings of a board up to symmetry, by outcome and ply, as small boards; and the draws that can be forced."""

from __future__ import annotations

from typing import Any

from noughts.counting.words import play_words
from noughts.domain.errors import NoughtsError
from noughts.records.positions import Positions, positions
from noughts.records.record import Record
from noughts.reports.catalogue.listing import forms
from noughts.reports.page import PIPE
from noughts.strategy.patterns import Patterns, patterns
from noughts.strategy.sentences import listed
from noughts.web.ask import Ask
from noughts.web.links import Links
from noughts.web.listed import BoardGroup, drawn_records, grouped_by, rules_of
from noughts.web.page import PageAnswer
from noughts.web.reach import require_reach
from noughts.web.recorded import ended, plural

__all__ = ["answer_endings"]

_HEADINGS = {"X": "X has won", "O": "O has won", "draw": "Drawn"}
_KINDS = {"X": "won by X", "O": "won by O", "draw": "drawn"}
_DECIDED_HEADINGS = {"X": "Decided for X", "O": "Decided for O", "draw": "Decided as a draw"}
_DECIDED_KINDS = {"X": "decided for X", "O": "decided for O", "draw": "decided as draws"}


def answer_endings(ask: Ask) -> PageAnswer:
    """Return the endings. Raises InvalidQuestion, BudgetError for boards of too many classes."""
    assert ask.board is not None
    if not rules_of(ask):
        require_reach(ask.page, ask.board)
    found = positions(ask.board, terminal=True, **rules_of(ask))  # type: ignore[arg-type]

    return PageAnswer(
        "endings.html", "Endings", lambda links: _context(found, links, rules_of(ask)), forms(found, PIPE)
    )


def _context(found: Positions, links: Links, rules: dict[str, str]) -> dict[str, Any]:
    decided = found.question.end == "decided"
    kinds = _DECIDED_KINDS if decided else _KINDS
    parts = {who: [record for record in found if record.outcome == who] for who in kinds}
    split = listed([f"{len(part):,} {kinds[who]}" for who, part in parts.items()])
    sections = []
    for who, heading in (_DECIDED_HEADINGS if decided else _HEADINGS).items():
        groups = [
            BoardGroup(ply, len(records), drawn_records(records, links, rules, ended if decided else _nothing))
            for ply, records in grouped_by(parts[who], lambda record: f"Ply {record.ply}").items()
        ]
        if groups:
            sections.append((f"{heading} ({len(parts[who]):,})", groups))
    return {
        "sentence": f"{found.board}: {plural(len(found), 'ending')}, boards alike counted once: {split}.",
        "boards": sum(record.orbit for record in found),
        "sections": sections,
        "rules": play_words(found.question) if found.is_ruled else "",
        "whole": links.page("board", **rules) if found.is_ruled else None,  # type: ignore[arg-type]
        "patterns": None if found.is_ruled else _patterns(found),
        "patterns_to": links.page("patterns"),
        "misere": found.board.misere,
    }


def _nothing(record: Record) -> str:
    """Return what is said under a board whose heading says how it ended."""
    return ""


def _patterns(found: Positions) -> Patterns | None:
    """Return which draws can be forced; None where there are none, or too many ways to fill the board."""
    try:
        made = patterns(found.board)
    except NoughtsError:
        return None
    return made if made.patterns and made.forcing is not None else None
