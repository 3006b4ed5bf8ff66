"""All endings of a board up to symmetry, by outcome and ply, as small boards; and the draws that can be forced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from noughts.analysis.explain.facts import counted, in_moves, listed
from noughts.analysis.payoff.patterns import Patterns, patterns
from noughts.analysis.records.api import Positions, positions
from noughts.analysis.records.record import Record
from noughts.counting.question import play_words
from noughts.present.report import PIPE
from noughts.rules.board import Board
from noughts.rules.errors import NoughtsError
from noughts.rules.play import EndRule
from noughts.verbs.positions import forms
from noughts.web.kinds import kind_named
from noughts.web.links import Links, PageAnswer
from noughts.web.records import BoardGroup, drawn_records, ended, grouped_by, label_of, percent, plural, rules_of, short
from noughts.web.render import require_reach
from noughts.web.request import Ask, NotFound

_HEADINGS = {"X": "X has won", "O": "O has won", "draw": "Drawn"}
_KINDS = {"X": "won by X", "O": "won by O", "draw": "drawn"}
_DECIDED_HEADINGS = {"X": "Decided for X", "O": "Decided for O", "draw": "Decided as a draw"}
_DECIDED_KINDS = {"X": "decided for X", "O": "decided for O", "draw": "decided as draws"}


def answer_endings(ask: Ask) -> PageAnswer:
    """Return the endings. Raises InvalidQuestion, BudgetError for boards of too many classes."""
    if not rules_of(ask):
        require_reach(ask.page, ask.on)
    found = positions(ask.on, terminal=True, **rules_of(ask))  # type: ignore[arg-type]
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


# The positions of a board that meet conditions, as small boards: sorted, in groups, a page at a time.

PAGE = 120
"""Boards on one page."""

_FLAGS = ("terminal", "unfinished", "drawn", "decision", "real_decision", "trap", "fork", "symmetric", "matchbox")
_NOT_UNDER_MISERE = ("real_decision", "fork")
_WORDS = ("won", "to_move", "label")
_DATA = ("same", "limit", "sort", "page")
_QUICK = (
    ("traps", {"trap": "1"}),
    ("forks", {"fork": "1"}),
    ("endings", {"terminal": "1"}),
    ("real decisions", {"real_decision": "1"}),
    ("matchboxes", {"matchbox": "1"}),
    ("symmetric ones", {"symmetric": "1"}),
)


def answer_positions(ask: Ask) -> PageAnswer:
    """Return the positions that meet the conditions; the data hold all of them, or the first `limit`.

    Raises InputError for conditions that have no meaning, NotFound for a page that there is not, BudgetError.
    """
    found = positions(ask.on, same=ask.given("same") or "symmetry", **_conditions(ask), **rules_of(ask))  # type: ignore[arg-type]
    limit = ask.given("limit")
    most = None if limit is None else int(limit)
    return PageAnswer(
        "positions.html",
        _title(ask),
        lambda links: _context_positions(ask, found, links, most),
        forms(found, PIPE, limit=most),
    )


def _title(ask: Ask) -> str:
    others = [name for name, _ in ask.query if name not in ("ply", *_DATA, *rules_of(ask))]
    ply = ask.given("ply")
    return f"Ply {ply}" if ply is not None and not others else "Positions"


def _conditions(ask: Ask) -> dict[str, Any]:
    found: dict[str, Any] = {name: True for name in _FLAGS if ask.given(name)}
    found |= {name: ask.given(name) for name in _WORDS if ask.given(name)}
    ply = ask.given("ply")
    return found if ply is None else found | {"ply": int(ply)}


_SORTS: dict[str, tuple[str, Callable[[Record], Any], Callable[[Record], str]]] = {
    "soonest": (
        "won soonest",
        lambda record: inf if record.outcome == "draw" else record.remoteness,
        lambda record: "",
    ),
    "most-games": (
        "most games through it",
        lambda record: -record.games,
        lambda record: plural(record.games, "game"),
    ),
    "most-boards": ("most boards alike", lambda record: -record.orbit, lambda record: plural(record.orbit, "board")),
    "x-likely": (
        "X wins most often at random",
        lambda record: -record.random_play.x_wins,
        lambda record: f"X {percent(record.random_play.x_wins)}",
    ),
    "o-likely": (
        "O wins most often at random",
        lambda record: -record.random_play.o_wins,
        lambda record: f"O {percent(record.random_play.o_wins)}",
    ),
}
"""For each order its words, by what it goes, the least first, and what of it is said of a board."""


def _context_positions(ask: Ask, found: Positions, links: Links, most: int | None) -> dict[str, Any]:
    records, name, head = _ordered(ask, found.records[:most])
    pages = max(-(-len(records) // PAGE), 1)
    number = int(ask.given("page") or 1)
    if not 1 <= number <= pages:
        raise NotFound(f"there is no page {number} of these positions: there {'is' if pages == 1 else 'are'} {pages}")
    shown = records[(number - 1) * PAGE : number * PAGE]
    rules, end = rules_of(ask), found.question.end
    said = partial(_soon if name is label_of else short, end=end)
    numbers = {key: len(group) for key, group in grouped_by(records, name).items()}
    groups = [
        BoardGroup(key, numbers[key], drawn_records(group, links, rules, said, head))
        for key, group in grouped_by(shown, name).items()
    ]
    lengths = any(not record.is_terminal and record.outcome != "draw" for record in shown)
    return {
        "heading": found.heading,
        "boards": sum(record.orbit for record in records) if found.same == "symmetry" else None,
        "groups": groups,
        "counted": counted(found.board, end) if lengths else "",
        "rules": play_words(found.question) if found.is_ruled else "",
        "whole": links.page("board", **rules) if found.is_ruled else None,  # type: ignore[arg-type]
        "number": number,
        "pages": [(each, _at(ask, links, page=None if each == 1 else str(each))) for each in range(1, pages + 1)],
        "first": (number - 1) * PAGE + 1,
        "last": (number - 1) * PAGE + len(shown),
        "all": len(records),
        "plies": _plies(ask, found, links),
        "quick": _quick(ask, found.board, links),
        "form": _form(ask, found.board),
    }


def _ordered(
    ask: Ask, records: Sequence[Record]
) -> tuple[list[Record], Callable[[Record], str], Callable[[Record], str]]:
    """Return the records in order, the heading of each, and what is said of each in bold."""
    sort = ask.given("sort")
    if sort is not None:
        words, key, head = _SORTS[sort]
        return sorted(records, key=key), lambda record: f"In order: {words}", head
    if ask.given("ply") is not None:
        return sorted(records, key=label_of), label_of, lambda record: ""
    return list(records), lambda record: f"Ply {record.ply}", lambda record: ""


def _soon(record: Record, end: EndRule) -> str:
    """Return how soon a position is won, under a heading that says by whom; nothing where it is over or drawn."""
    return "" if record.is_terminal or record.outcome == "draw" else in_moves(record.remoteness, end)


def _at(ask: Ask, links: Links, **changed: str | None) -> str | None:
    """Return the link to the same page with other parameters; those that become None are left out."""
    given = {**dict(ask.query), **changed}
    query = tuple(sorted((name, text) for name, text in given.items() if text is not None))
    return links.to(replace(ask, query=query, form="html"))


def _plies(ask: Ask, found: Positions, links: Links) -> list[tuple[str, str | None, bool]]:
    """Return links to the same positions of each ply, and of all."""
    here = ask.given("ply")
    plies = [
        (str(ply), _at(ask, links, ply=str(ply), page=None), here == str(ply)) for ply in range(found.board.cells + 1)
    ]
    return [("all", _at(ask, links, ply=None, page=None), here is None), *plies]


def _quick(ask: Ask, board: Board, links: Links) -> list[tuple[str, str | None]]:
    """Return links to what people look for."""
    if not links.is_live:
        return []
    rules = rules_of(ask)
    wanted = [(words, given) for words, given in _QUICK if not (board.misere and set(given) & set(_NOT_UNDER_MISERE))]
    return [
        (words, links.to(Ask("positions", board, query=tuple(sorted({**rules, **given}.items())))))
        for words, given in wanted
    ]


def _form(ask: Ask, board: Board) -> dict[str, Any]:
    about = {parameter.name: parameter for parameter in kind_named("positions").parameters}
    flags = [name for name in _FLAGS if not (board.misere and name in _NOT_UNDER_MISERE)]
    orders = [("", "ply by ply"), *((name, words) for name, (words, _, _) in _SORTS.items())]
    return {
        "flags": [
            (name, name.replace("_", " "), about[name].help.rstrip("."), ask.given(name) is not None) for name in flags
        ],
        "plies": [(str(ply), ask.given("ply") == str(ply)) for ply in range(board.cells + 1)],
        "words": [
            (name, words, [(choice, ask.given(name) == choice) for choice in about[name].choices])
            for name, words in (("won", "Won by"), ("to_move", "Turn of"), ("label", "Label"))
        ],
        "orders": [(name, words, (ask.given("sort") or "") == name) for name, words in orders],
        "same": ask.given("same") or "symmetry",
        "moves": [
            (name, words, [(rule, ask.given(name) == rule) for rule in board.rules.move_rules])
            for name, words in (("moves", "Moves"), ("x_moves", "of X"), ("o_moves", "of O"))
        ],
        "end": ask.given("end") or "line",
        "more": bool(rules_of(ask)),
    }
