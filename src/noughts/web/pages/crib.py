"""The smallest table that a player needs, as small boards with a dot on the cell to play, and its card to print."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from noughts.bots.crib.api import crib
from noughts.bots.crib.asked import GOALS
from noughts.bots.crib.crib import Crib, CribPair
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import BudgetError
from noughts.domain.notation import parse_position
from noughts.domain.position import Position, opponent
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.thumbnail import thumbnail
from noughts.reports.bots.crib import forms, headline, how_to_use, how_we_know, other_count, turns
from noughts.reports.page import PIPE
from noughts.solving.solution import Solution
from noughts.strategy.solutions import solution_for
from noughts.web.ask import Ask
from noughts.web.commands import command_of
from noughts.web.links import Links
from noughts.web.listed import BoardGroup
from noughts.web.page import PageAnswer, PageView
from noughts.web.reach import require_reach
from noughts.web.recorded import Drawn

__all__ = ["answer"]

_SECONDS = 20.0
"""How long a page looks for a proof."""
_DRAWN = 400


def answer(ask: Ask) -> PageAnswer:
    """Return a crib. Raises InputError where its player cannot reach the goal, and BudgetError for large boards."""
    assert ask.board is not None
    require_reach("crib", ask.board)
    found = crib(
        ask.board,
        ask.given("from"),
        player=ask.given("as") or "X",
        opening=ask.given("opening"),
        goal=ask.given("goal") or "never-lose",
        count=ask.given("count") or "own",
        time=_SECONDS,
        progress=ask.progress,
    )

    def view(links: Links) -> PageView:
        return PageView("crib.html", "Crib", _context(ask, found, links))

    return PageAnswer(view, forms(found, PIPE), command_of(ask))


def _context(ask: Ask, found: Crib | CribPair, links: Links) -> dict[str, Any]:
    cribs = found.cribs if isinstance(found, CribPair) else (found,)
    return {
        "cribs": [(crib.player, headline(crib), other_count(crib), _groups(crib, links)) for crib in cribs],
        "how": " ".join(dict.fromkeys(map(how_we_know, cribs))),
        "use": how_to_use(found.board),
        "card": links.to(replace(ask, form="pdf")),
        **_choices(found, ask, links),
    }


def _choices(found: Crib | CribPair, ask: Ask, links: Links) -> dict[str, Any]:
    """Return the links to what else may be asked: who plays, towards what, and each opening up to symmetry."""
    first = (found.x if isinstance(found, CribPair) else found).question
    values, board = solution_for(first.start), found.board
    player = ask.given("as") or "X"
    opened = None if first.opening is None else cell_name(board, first.opening)

    def link(who: str, goal: str, opening: str | None) -> str | None:
        if not _can(values, first.start, who, goal, opening):
            return None
        given = {**dict(ask.query), "as": who, "goal": goal, "opening": opening}
        usual = {"as": "X", "goal": "never-lose"}
        kept = {name: text for name, text in given.items() if text is not None and usual.get(name) != text}
        return links.to(Ask("crib", board, "", tuple(sorted(kept.items()))))

    names: dict[tuple[int, int], str] = {}
    for cell in () if first.start.ply else range(board.cells):
        names.setdefault(board.group().canonical(1 << cell, 0), cell_name(board, cell))
    openings: list[str | None] = [None, *names.values()] if names else []
    return {
        "choices": [
            ("You are", player, [(who, link(who, first.goal, opened)) for who in ("X", "O", "both")]),
            ("The goal", first.goal, [(goal, link(player, goal, opened)) for goal in GOALS]),
            (
                "X opens",
                opened or "anywhere",
                [(name or "anywhere", link(player, first.goal, name)) for name in openings],
            ),
        ]
    }


def _can(values: Solution, start: Position, player: str, goal: str, opening: str | None) -> bool:
    """Return whether a player can reach a goal, against best play, after an opening of X."""
    before = values.outcome(start)
    after = before if opening is None else values.outcome(start.play(opening))
    for who in "XO" if player == "both" else player:
        fails = {"never-lose": after == opponent(who), "win": after != who, "perfect": who == "X" and after != before}  # type: ignore[arg-type]
        if fails[goal]:
            return False
    return True


def _groups(crib: Crib, links: Links) -> list[BoardGroup]:
    """Return the entries by turn. Raises BudgetError for more than a page draws."""
    if len(crib.table) > _DRAWN:
        raise BudgetError(
            f"the table has {len(crib.table):,} boards, more than a page draws: take its data, or ask the command line"
        )
    return [
        BoardGroup(name.capitalize(), len(entries), [_drawn(crib, text, cell, links) for text, cell in entries])
        for name, entries in turns(crib)
    ]


def _drawn(crib: Crib, text: str, cell: str, links: Links) -> Drawn:
    at: Position = parse_position(crib.board, text)
    label = f"{text}: play {cell}"
    picture = thumbnail(shape_of(crib.board), marks_of(at), label, call=parse_cell(crib.board, cell))
    return Drawn(picture, links.position(at), "", cell)
