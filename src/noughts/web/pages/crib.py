"""The smallest table that a player needs, as small boards with a dot on the cell to play, and its card to print."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from noughts.bots.crib.api import crib
from noughts.bots.crib.asked import GOALS, CribGoal, CribQuestion
from noughts.bots.crib.crib import Crib, CribPair
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.notation import parse_position
from noughts.domain.position import Player, Position, opponent
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.thumbnail import thumbnail
from noughts.reports.bots.crib import forms, headline, how_to_use, how_we_know, other_count, turns
from noughts.reports.page import PIPE
from noughts.solving.solution import Solution
from noughts.strategy.explain import unfinished
from noughts.strategy.solutions import solution_for
from noughts.web.ask import Ask
from noughts.web.errors import Unreachable
from noughts.web.links import Links
from noughts.web.listed import BoardGroup
from noughts.web.page import PageAnswer
from noughts.web.reach import require_reach
from noughts.web.recorded import Drawn

__all__ = ["answer_crib"]

_SECONDS = 20.0
"""How long a page looks for a proof."""
_DRAWN = 400


def answer_crib(ask: Ask) -> PageAnswer:
    """Return a crib. Raises Unreachable where its player cannot reach the goal, and BudgetError for large boards."""
    assert ask.board is not None
    require_reach("crib", ask.board)
    try:
        found = _found(ask, ask.board)
    except InputError as error:
        ways = _ways(ask, ask.board)
        if not ways:
            raise
        raise Unreachable(str(error), ways) from None

    return PageAnswer(
        "crib.html",
        "Crib",
        lambda links: _context(ask, found, links),
        forms(found, replace(PIPE, paper=ask.given("paper"))),
    )


def _found(ask: Ask, board: Board) -> Crib | CribPair:
    return crib(
        board,
        ask.given("from"),
        as_=ask.given("as") or "X",
        opening=ask.given("opening"),
        goal=ask.given("goal") or "never-lose",
        count=ask.given("count") or "own",
        time=_SECONDS,
        progress=ask.progress,
    )


def _ways(ask: Ask, board: Board) -> list[tuple[str, Ask]]:
    """Return the cribs that can be had in place of one that cannot: by player and goal, and by where X opens.

    Nothing where what is asked for cannot be read.
    """
    try:
        start = unfinished(board, ask.given("from"))
        opening = None if ask.given("opening") is None else parse_cell(board, ask.given("opening") or "")
    except InputError:
        return []
    player, goal = ask.given("as") or "X", ask.given("goal") or "never-lose"
    values = solution_for(start)
    opened = None if opening is None or start.ply else cell_name(board, opening)
    others = [name for name in (_openings(board) if not start.ply else ()) if name != opened]
    asked = [
        *((who, aim, opened) for who in ("X", "O") for aim in GOALS),
        *((player, goal, name) for name in others if player != "both"),
    ]
    return [
        (_way(start, who, aim, name), _asked(ask, who, aim, name))
        for who, aim, name in asked
        if _can(values, start, who, aim, name)
    ]


def _way(start: Position, who: str, goal: str, opening: str | None) -> str:
    cell = None if opening is None else parse_cell(start.board, opening)
    question = CribQuestion(start, cast(Player, who), cast(CribGoal, goal), "own", cell)
    return f"{question.where}: {who} {question.does}"


def _openings(board: Board) -> list[str]:
    """Return the first moves up to symmetry."""
    names: dict[tuple[int, int], str] = {}
    for cell in range(board.cells):
        names.setdefault(board.group().canonical(1 << cell, 0), cell_name(board, cell))
    return list(names.values())


def _asked(ask: Ask, who: str, goal: str, opening: str | None) -> Ask:
    """Return the page of another crib."""
    given = {**dict(ask.query), "as": who, "goal": goal, "opening": opening, "paper": None}
    usual = {"as": "X", "goal": "never-lose"}
    kept = {name: text for name, text in given.items() if text is not None and usual.get(name) != text}
    return Ask("crib", ask.board, "", tuple(sorted(kept.items())))


def _context(ask: Ask, found: Crib | CribPair, links: Links) -> dict[str, Any]:
    cribs = found.cribs if isinstance(found, CribPair) else (found,)
    return {
        "cribs": [(crib.player, headline(crib), other_count(crib), _groups(crib, links)) for crib in cribs],
        "how": " ".join(dict.fromkeys(map(how_we_know, cribs))),
        "use": how_to_use(found.board),
        "cards": _cards(ask, links),
        **_choices(found, ask, links),
    }


def _cards(ask: Ask, links: Links) -> list[tuple[str, str]]:
    """Return the card on each paper: its name, and the link."""
    rest = {name: text for name, text in ask.query if name != "paper"}
    papers = [("A6", None), ("A4", "a4")]
    found = [(name, links.page("crib", form="pdf", paper=paper, **rest)) for name, paper in papers]
    return [(name, to) for name, to in found if to is not None]


def _choices(found: Crib | CribPair, ask: Ask, links: Links) -> dict[str, Any]:
    """Return the links to what else may be asked: who plays, towards what, and each opening up to symmetry."""
    first = (found.x if isinstance(found, CribPair) else found).question
    values, board = solution_for(first.start), found.board
    player = ask.given("as") or "X"
    opened = None if first.opening is None else cell_name(board, first.opening)

    def link(who: str, goal: str, opening: str | None) -> str | None:
        if not _can(values, first.start, who, goal, opening):
            return None
        return links.to(_asked(ask, who, goal, opening))

    openings: list[str | None] = [] if first.start.ply else [None, *_openings(board)]
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
