"""How often does each player win? Two policies against each other, with a menu for each side."""

from __future__ import annotations

from typing import Any

from noughts.analysis.payoff.playout import Match
from noughts.analysis.policies.playing import opponents
from noughts.analysis.policies.policy import BEST
from noughts.verbs.match import versus_report
from noughts.web.boards import blocks_of
from noughts.web.kinds import answered
from noughts.web.links import Links, PageAnswer
from noughts.web.render import require_reach
from noughts.web.request import Ask


def answer_match(ask: Ask) -> PageAnswer:
    """Return the chances of two policies, both random by default. Raises InputError, BudgetError for large boards."""
    require_reach(ask.page, ask.on)
    found = answered(ask, x=ask.given("x") or "random", o=ask.given("o") or "random")
    return PageAnswer("match.html", "How often?", lambda links: _context(ask, found.result, links), found.forms)


def _context(ask: Ask, found: Match, links: Links) -> dict[str, Any]:
    content = versus_report(found)
    return {
        "headline": content.headline,
        "blocks": blocks_of([block for part in content.sections for block in part][1:], links),
        "sides": [(name.upper(), name, ask.given(name) or "random") for name in ("x", "o")],
        "bots": [(each.name, each.title) for each in reversed(opponents(ask.on))] + [(BEST, "Best response")],
        "start": ask.given("from"),
    }
