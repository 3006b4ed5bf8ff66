"""Matchboxes that learn: their number, a lesson with its curve, labels, and a machine to play against."""

from __future__ import annotations

import re
from typing import Any

from noughts.bots.matchboxes import bead_colour, bead_letter
from noughts.bots.menace import Menace
from noughts.drawing.figures import shape_of
from noughts.present.report import PIPE, Paragraph
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError
from noughts.verbs.menace import (
    alike_words,
    box_readings,
    curve,
    headline,
    instructions,
    label_forms,
    resigns,
    stages,
    taught,
)
from noughts.verbs.request import PICTURES
from noughts.web.kinds import answered
from noughts.web.links import Links, PageAnswer
from noughts.web.render import require_reach
from noughts.web.request import Ask, Form

_GAMES = 2_000
"""Maximum games of a lesson on a page."""
_LABELS: tuple[Form, ...] = ("pdf", "svg")
_TEACHERS = (("random", None), ("perfect", "perfect"))
"""The opponents that can teach the machine on the page; the data of each have its moves."""


def answer_menace(ask: Ask) -> PageAnswer:
    """Return a machine after its lesson. Raises InputError, and BudgetError for large boards and for many games."""
    require_reach("menace", ask.on)
    games, labels = int(ask.given("games") or 0), ask.given("labels")
    if games > _GAMES:
        raise BudgetError(f"{games:,} games are more than the {_GAMES:,} that a page allows: use the command line")
    if ask.form in PICTURES and not games and not labels:
        raise InputError("a curve needs games: add games=200, or labels=1 for the labels of the boxes")
    found = answered(ask, form="table")
    made, forms = found.result, found.forms
    if labels:
        forms = {name: make for name, make in label_forms(made, PIPE).items() if name in _LABELS}
    elif not games:
        forms = {name: make for name, make in forms.items() if name not in PICTURES}
    return PageAnswer("menace.html", "MENACE", lambda links: _context(ask, made, links), forms)


def _context(ask: Ask, made: Menace, links: Links) -> dict[str, Any]:
    board = made.board
    untaught = ask.changed(games=None, seed=None, labels=None)
    by_turn = stages(made)
    sentences = [block.text if isinstance(block, Paragraph) else str(block) for block in box_readings(made)]
    return {
        "made": made,
        "headline": headline(made),
        "taught": taught(made),
        "games": made.lessons[0].last.games,
        "seed": made.lessons[0].seed,
        "curve": _drawn(made) if made.lessons[0].last.games else "",
        "stages": by_turn if made.cabinet.boxes else None,
        "readings": [(f"{each.boxes:,}", each.rule) for each in made.readings] if made.cabinet.boxes else [],
        "known": sentences[-1] if len(sentences) > len(made.readings) + 1 else "",
        "instructions": instructions(made) if made.cabinet.boxes else (),
        "colours": [
            (bead_letter(cell), bead_colour(cell), cell_name(board, cell), made.cabinet.start_of(cell))
            for cell in range(board.cells)
            if any(cell in box.cells for box in made.cabinet.boxes)
        ],
        "labels": {form: links.to(untaught.changed(labels=1).of(form)) for form in _LABELS}
        if made.cabinet.boxes
        else {},
        "record": links.to(untaught.changed(against=None).of("json")),
        "teachers": [(name, links.to(untaught.changed(against=against).of("json"))) for name, against in _TEACHERS],
        "shape": shape_of(board),
        "alike": alike_words(board),
        "other": {player: links.page("menace", as_=player if player == "O" else None) for player in ("X", "O")},
        "choices": [name for name in ("random", "block", "perfect") if name in ("random", *board.rules.move_rules)],
        "against": made.against,
        "rules": made.cabinet.rules,
        "resigns": resigns(made),
        "beads": _beads(ask.given("beads")),
    }


def _beads(given: str | None) -> list[tuple[str, str]]:
    """Return the choices of beads, those of this machine first, each with its words."""
    ways = {"michie": "as many as later turns", "doubling": "twice as many each turn", "16": "16 of each"}
    chosen = given or "michie"
    return [(chosen, ways.pop(chosen, chosen)), *ways.items()]


def _drawn(made: Menace) -> str:
    """Return the curve with the page's colours, because the page ignores style sheets of pictures."""
    return re.sub("<style>.*?</style>", "", str(curve(made, "auto")), flags=re.DOTALL)
