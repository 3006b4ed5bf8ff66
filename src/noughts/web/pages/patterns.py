"""The drawn boards up to symmetry, who can force which, and with `force` the strategy that does it."""

from __future__ import annotations

from typing import Any

from noughts.domain.errors import InputError
from noughts.drawing.guarantees import guarantee_picture
from noughts.drawing.livetree import draw_live_tree
from noughts.reports.page import PIPE, Block, Commands
from noughts.reports.play import guarantee
from noughts.reports.play.patterns import forms, report
from noughts.strategy.forcing import force
from noughts.strategy.guarantee import Guarantee
from noughts.strategy.patterns import Patterns, patterns
from noughts.web.ask import Ask
from noughts.web.blocks import blocks_of
from noughts.web.boards import picture
from noughts.web.links import Links
from noughts.web.page import PageAnswer
from noughts.web.recorded import Drawn, plural

__all__ = ["answer_patterns"]

_PICTURED = 120
"""Patterns that are drawn; the data have all."""


def answer_patterns(ask: Ask) -> PageAnswer:
    """Return the drawn patterns, or how one is forced. Raises InputError, BudgetError for boards of too many."""
    assert ask.board is not None
    start, name, player = ask.given("from"), ask.given("force"), ask.given("by")
    if name is None:
        if player is not None:
            raise InputError("--by is about the strategy for a pattern: add --force NAME")
        found = patterns(ask.board, start)
        return PageAnswer("patterns.html", "Drawn patterns", lambda links: _context(found, links), forms(found, PIPE))
    made = force(ask.board, start, pattern=name, player=player)
    return PageAnswer("forced.html", "Forcing a draw", lambda links: _forced(made, links), guarantee.forms(made, PIPE))


def _context(found: Patterns, links: Links) -> dict[str, Any]:
    told = report(found)
    last = [block for block in told.sections[-1] if not isinstance(block, Commands)]
    return {
        "headline": told.headline,
        "found": found,
        "start": found.start if found.start.ply else None,
        "boards": [
            Drawn(
                picture(each.position),
                links.position(each.position),
                each.name,
                plural(each.boards, "board")
                + (", no longer possible" if found.start.ply and each.name not in found.possible else ""),
            )
            for each in found.patterns[:_PICTURED]
        ],
        "more": max(len(found.patterns) - _PICTURED, 0),
        "strategies": _strategies(found, links),
        "blocks": blocks_of(last, links),
    }


def _strategies(found: Patterns, links: Links) -> list[tuple[str, str]]:
    """Return a link to the strategy for each pattern that somebody can force from the start."""
    if not found.forcing:
        return []
    start = str(found.start) if found.start.ply else None
    here = found.forcing[0]
    wanted = [(player, name) for player, names in (("X", here.x), ("O", here.o)) for name in names]
    made = (
        (f"{player} forces {name}", links.page("patterns", force=name, by=player, from_=start))
        for player, name in wanted
    )
    return [(words, to) for words, to in made if to]


def _forced(found: Guarantee, links: Links) -> dict[str, Any]:
    told = guarantee.report(found)
    tree = guarantee_picture(found)
    shown = found.tree.placed()
    said: list[Block] = [block for part in told.sections for block in part if not isinstance(block, Commands)]
    return {
        "headline": told.headline,
        "blocks": blocks_of(said[1:], links),
        "picture": draw_live_tree(tree, lambda number: links.position(shown[number][0])),
        "tree": tree,
        "all": links.page("patterns"),
    }
