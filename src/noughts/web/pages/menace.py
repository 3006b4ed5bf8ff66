"""Matchboxes that learn: how many, a lesson of some games and its curve, labels, and a machine to play against."""

from __future__ import annotations

import re
from typing import Any

from noughts.bots.matchboxes import bead_colour, bead_letter
from noughts.bots.menace import Menace, menace
from noughts.drawing.figures import shape_of
from noughts.present.report import PIPE, Paragraph
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.verbs.menace import (
    alike_words,
    curve,
    forms,
    headline,
    instructions,
    labels_pdf,
    labels_svg,
    readings_said,
    resigns,
    stages,
    taught,
)
from noughts.web.links import Links, PageAnswer
from noughts.web.render import require_reach
from noughts.web.request import Ask

__all__ = ["answer_menace"]

_GAMES = 2_000
"""Games of a lesson that is waited for."""
_PICTURES = ("svg", "png", "pdf")
_AGAINST = ("random", "block", "perfect")


def answer_menace(ask: Ask) -> PageAnswer:
    """Return a machine after its lesson. Raises InputError, and BudgetError for large boards and for many games."""
    require_reach("menace", ask.on)
    games = int(ask.given("games") or 0)
    if games > _GAMES:
        raise BudgetError(f"{games:,} games are more than the {_GAMES:,} that a page waits for: ask the command line")
    if ask.form in _PICTURES and not games and not ask.given("labels"):
        raise InputError("a curve is drawn over games: add games=200, or labels=1 for the labels of the boxes")
    reward = ask.given("reward")
    made = menace(
        ask.on,
        as_=ask.given("as"),
        beads=ask.given("beads"),
        reward=None if reward is None else _numbers(reward),
        symmetric=ask.given("symmetric"),
        empty=ask.given("empty"),
        last_boxes=True if ask.given("last_boxes") else None,
        against=ask.given("against") or "random",
        games=games,
        seed=int(ask.given("seed") or 0),
        progress=ask.progress,
    )
    told = forms(made, PIPE)
    if not games:
        told = {name: make for name, make in told.items() if name not in _PICTURES}
    if ask.given("labels"):
        told = {"svg": lambda: str(labels_svg(made)), "pdf": lambda: labels_pdf(made)}
    return PageAnswer("menace.html", "MENACE", lambda links: _context(ask, made, links), told)


def _numbers(given: str) -> list[int]:
    """Return the numbers of a reward. Raises InputError."""
    try:
        return [int(part) for part in given.split(",")]
    except ValueError:
        raise InputError(f"reward {shown(given)} is no list of numbers: write 3,1,-1 for win, draw, loss") from None


def _context(ask: Ask, made: Menace, links: Links) -> dict[str, Any]:
    board = made.board
    query = {name: text for name, text in ask.query if name not in ("games", "seed", "labels")}
    by_turn = stages(made)
    said = [block.text if isinstance(block, Paragraph) else str(block) for block in readings_said(made)]
    return {
        "made": made,
        "headline": headline(made),
        "taught": taught(made),
        "games": made.lessons[0].last.games,
        "seed": made.lessons[0].seed,
        "curve": _drawn(made) if made.lessons[0].last.games else "",
        "stages": by_turn if made.cabinet.boxes else None,
        "readings": [(f"{each.boxes:,}", each.rule) for each in made.readings] if made.cabinet.boxes else [],
        "known": said[-1] if len(said) > len(made.readings) + 1 else "",
        "instructions": instructions(made) if made.cabinet.boxes else (),
        "colours": [
            (bead_letter(cell), bead_colour(cell), cell_name(board, cell), made.cabinet.start_of(cell))
            for cell in range(board.cells)
            if any(cell in box.cells for box in made.cabinet.boxes)
        ],
        "labels": {form: links.page("menace", form=form, labels=1, **query) for form in ("pdf", "svg")}
        if made.cabinet.boxes
        else {},
        "record": links.page("menace", form="json", **{k: v for k, v in query.items() if k != "against"}),
        "teachers": _teachers(made, query, links),
        "shape": shape_of(board),
        "alike": alike_words(board),
        "other": {player: links.page("menace", as_=player if player == "O" else None) for player in ("X", "O")},
        "choices": _AGAINST if not board.misere else ("random", "perfect"),
        "against": made.against,
        "rules": made.cabinet.rules,
        "resigns": resigns(made),
        "beads": _beads(ask.given("beads")),
    }


def _beads(given: str | None) -> list[tuple[str, str]]:
    """Return which beads may be asked for, those of this machine first, each with its words."""
    ways = {"michie": "as many as turns to come", "doubling": "twice as many each turn", "16": "16 of each"}
    chosen = given or "michie"
    return [(chosen, ways.pop(chosen, chosen)), *ways.items()]


def _drawn(made: Menace) -> str:
    """Return the curve for a page: its colours are those of the page, which takes no style sheets from pictures."""
    return re.sub("<style>.*?</style>", "", str(curve(made, "auto")), flags=re.DOTALL)


def _teachers(made: Menace, query: dict[str, str], links: Links) -> list[tuple[str, str | None]]:
    """Return the opponents that the machine on the page can be taught by, each with the data that hold its moves."""
    rest = {name: text for name, text in query.items() if name != "against"}
    return [
        (name, links.page("menace", form="json", against=name if name != "random" else None, **rest))
        for name in ("random", "perfect")
    ]
