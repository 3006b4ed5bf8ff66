"""Lists of small boards: all endings by outcome and ply, and selected positions, sorted and in groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Any

from noughts.analysis.explain.wording import counted, in_moves, length_rule, listed
from noughts.analysis.payoff.patterns import Patterns, patterns
from noughts.analysis.records.api import Positions, positions
from noughts.analysis.records.catalogue import about_classes
from noughts.analysis.records.full import NEEDS_VALUES
from noughts.analysis.records.record import Record
from noughts.counting.question import play_words
from noughts.present.report import PIPE
from noughts.rules.board import Board
from noughts.rules.errors import InputError, NoughtsError
from noughts.rules.play import END_RULES, EndRule
from noughts.rules.values import begun
from noughts.verbs.positions import caption, forms
from noughts.web.addresses import address
from noughts.web.boards import picture
from noughts.web.kinds import KINDS, answered
from noughts.web.links import Links, PageAnswer
from noughts.web.records import (
    BoardGroup,
    Drawn,
    drawn_records,
    ended,
    grouped_by,
    label_of,
    percent,
    plural,
    rules_of,
    short,
)
from noughts.web.render import require_reach
from noughts.web.request import Ask, NotFound, query_of

_ENDINGS = {"X": ("X has won", "won by X"), "O": ("O has won", "won by O"), "draw": ("Drawn", "drawn")}
_DECIDED = {
    "X": ("Decided for X", "decided for X"),
    "O": ("Decided for O", "decided for O"),
    "draw": ("Decided as a draw", "decided as draws"),
}
"""How games end, with a line or when decided: a heading, and the words after a number."""


def answer_endings(ask: Ask) -> PageAnswer:
    """Return the endings. Raises InvalidQuestion, BudgetError for boards of too many classes."""
    rules = rules_of(ask)
    if not rules:
        require_reach(ask.page, ask.on)
        if ask.form == "html" and about_classes(ask.on) > _TOGETHER:
            return _page_by_page(ask, 2 * min(map(len, ask.on.lines)) - 1, terminal=1)
    found = positions(ask.on, terminal=True, **rules)
    return PageAnswer("endings.html", "Endings", lambda links: _context(found, links, rules), forms(found, PIPE))


_TOGETHER = 100_000
"""The most position classes, by a bound, of a board whose endings or positions are on one page."""


def _page_by_page(ask: Ask, ply: int, **conditions: object) -> PageAnswer:
    """Return a redirection to the positions with so many marks, from where links lead to the others."""
    return PageAnswer(location=address(Ask("positions", ask.on, query=query_of({"ply": ply, **conditions}))))


def _context(found: Positions, links: Links, rules: dict[str, Any]) -> dict[str, Any]:
    decided = found.question.end == "decided"
    named = found.board.rules.named
    kinds = {who: (begun(named(a)), named(b)) for who, (a, b) in (_DECIDED if decided else _ENDINGS).items()}
    parts = {who: [record for record in found if record.outcome == who] for who in kinds}
    split = listed([f"{len(part):,} {kinds[who][1]}" for who, part in parts.items()])

    def group(ply: str, records: list[Record]) -> BoardGroup:
        boards = drawn_records(records, links, rules, lambda record: ended(record) if decided else "")
        return BoardGroup(ply, len(records), boards)

    sections = [
        (f"{kinds[who][0]} ({len(part):,})", [group(*each) for each in grouped_by(part, _ply).items()])
        for who, part in parts.items()
        if part
    ]
    return {
        "sentence": f"{found.board}: {plural(len(found), 'ending')}, equivalent boards counted once: {split}.",
        "boards": sum(record.orbit for record in found),
        "sections": sections,
        "rules": play_words(found.question) if found.is_ruled else "",
        "whole": links.page("board", **rules) if found.is_ruled else None,
        "patterns": None if found.is_ruled else _patterns(found),
        "patterns_to": links.page("patterns"),
        "misere": found.board.misere,
    }


def _ply(record: Record) -> str:
    return f"Ply {record.ply}"


def _patterns(found: Positions) -> Patterns | None:
    """Return which draws can be forced; None if there are none, or too many ways to fill the board."""
    try:
        made = patterns(found.board)
    except NoughtsError:
        return None
    return made if made.patterns and made.forcing is not None else None


PAGE = 120
"""Boards on one page."""

_FLAGS = ("terminal", "unfinished", "drawn", "decision", "real_decision", "trap", "fork", "symmetric", "matchbox")
_NEED_THREATS = ("real_decision", "fork")
_DATA = ("same", "limit", "sort", "page")
_QUICK = {
    "trap": "traps",
    "fork": "forks",
    "terminal": "endings",
    "real_decision": "real decisions",
    "matchbox": "matchboxes",
    "symmetric": "symmetric ones",
}


def answer_positions(ask: Ask) -> PageAnswer:
    """Return the selected positions; the data have all of them, or the first `limit`.

    Raises InputError for meaningless conditions, NotFound for a page that does not exist, and BudgetError.
    """
    if ask.form == "html" and not ask.query and about_classes(ask.on) > _TOGETHER:
        require_reach(ask.page, ask.on)
        return _page_by_page(ask, 2)
    found, limit = answered(ask), ask.given("limit")
    most = None if limit is None else int(limit)

    return PageAnswer(
        "positions.html", _title(ask), lambda links: _context_positions(ask, found.result, links, most), found.forms
    )


def _title(ask: Ask) -> str:
    others = [name for name, _ in ask.query if name not in ("ply", *_DATA, *rules_of(ask))]
    ply = ask.given("ply")
    return f"Ply {ply}" if ply is not None and not others else "Positions"


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
"""For each order its words, its key (the least first), and the words beside a board."""


_BY_NUMBER = ("most-games", "most-boards")
"""The orders that need no values."""


def _context_positions(ask: Ask, found: Positions, links: Links, most: int | None) -> dict[str, Any]:
    records, name, head = _ordered(ask, found.records[:most])
    pages = max(-(-len(records) // PAGE), 1)
    number = int(ask.given("page") or 1)
    if not 1 <= number <= pages:
        raise NotFound(f"page {number} does not exist: these positions have {pages} page{'' if pages == 1 else 's'}")
    shown = records[(number - 1) * PAGE : number * PAGE]
    rules, end = rules_of(ask), found.question.end
    is_full = end == "full"
    label = partial(_soon if name is label_of else short, end=end)
    numbers = {key: len(group) for key, group in grouped_by(records, name).items()}
    parts = grouped_by(shown, name).items()
    drawn: Callable[[Sequence[Record]], list[Drawn]] = partial(_drawn_full, links)
    if not is_full:
        drawn = partial(drawn_records, links=links, rules=rules, words=label, head=head)
    groups = [BoardGroup(key, numbers[key], drawn(part)) for key, part in parts]
    here, at = ask.given("ply"), range(found.board.cells + 1)
    whole = [("all", links.to(ask.changed(ply=None, page=None)), here is None)]
    is_by_ply = here is not None and about_classes(found.board) > _TOGETHER  # all together may be too many
    lengths = not is_full and any(not record.is_terminal and record.outcome != "draw" for record in shown)
    return {
        "heading": found.heading,
        "boards": sum(record.orbit for record in records) if found.same == "symmetry" else None,
        "groups": groups,
        "counted": counted(found.board, end) if lengths else "",
        "rules": play_words(found.question) if found.is_ruled else "",
        "whole": links.page("board", **rules) if found.is_ruled and not is_full else None,
        "number": number,
        "pages": [(each, links.to(ask.changed(page=each if each > 1 else None))) for each in range(1, pages + 1)],
        "first": (number - 1) * PAGE + 1,
        "last": (number - 1) * PAGE + len(shown),
        "all": len(records),
        "plies": ([] if is_by_ply else whole)
        + [(str(ply), links.to(ask.changed(ply=str(ply), page=None)), here == str(ply)) for ply in at],
        "quick": _quick(rules, found.board, links),
        "form": _form(ask, found.board),
    }


def _drawn_full(links: Links, records: Sequence[Record]) -> list[Drawn]:
    """Return positions of play to the full board, each with a link if play that ends at a line reaches it too."""
    return [
        Drawn(
            picture(record.position),
            None if record.position.problems() else links.position(record.position),
            plural(record.games, "game"),
            caption(record),
        )
        for record in records
    ]


def _ordered(
    ask: Ask, records: Sequence[Record]
) -> tuple[list[Record], Callable[[Record], str], Callable[[Record], str]]:
    """Return the records in order, the heading of each, and its words in bold."""
    sort = ask.given("sort")
    if ask.given("end") == "full" and sort not in (None, *_BY_NUMBER):
        raise InputError("play to the full board has no values to sort by: sort by most-games or most-boards")
    if sort is not None:
        words, key, head = _SORTS[sort]
        named = ask.on.rules.named
        return sorted(records, key=key), lambda record: f"In order: {named(words)}", lambda record: named(head(record))
    if ask.given("ply") is not None and ask.given("end") != "full":
        return sorted(records, key=label_of), label_of, lambda record: ""
    return list(records), _ply, lambda record: ""


def _soon(record: Record, end: EndRule) -> str:
    """Return how soon a position is won; the heading names the winner. Empty for a finished or drawn one."""
    if record.is_terminal or record.outcome == "draw":
        return ""
    return in_moves(record.remoteness, length_rule(record.board, end))


def _meaningless(board: Board, end: str | None) -> tuple[str, ...]:
    """Return the conditions that have no meaning on a board, or in play to the full board."""
    return NEEDS_VALUES if end == "full" else () if board.rules.has_threats else _NEED_THREATS


def _quick(rules: dict[str, Any], board: Board, links: Links) -> list[tuple[str, str | None]]:
    """Return links to common selections."""
    left_out = _meaningless(board, rules.get("end"))
    wanted = [name for name in _QUICK if links.is_live and name not in left_out]
    return [(_QUICK[name], links.to(Ask("positions", board, query=query_of({**rules, name: 1})))) for name in wanted]


def _form(ask: Ask, board: Board) -> dict[str, Any]:
    about = {parameter.name: parameter for parameter in KINDS["positions"].parameters}
    end = ask.given("end") or "line"
    left_out = _meaningless(board, end)
    flags = [name for name in _FLAGS if name not in left_out]
    sorts = _BY_NUMBER if end == "full" else _SORTS
    named = board.rules.named
    orders = [("", "ply by ply"), *((name, named(_SORTS[name][0])) for name in sorts)]
    return {
        "flags": [
            (name, name.replace("_", " "), named(about[name].help.rstrip(".")), ask.given(name) is not None)
            for name in flags
        ],
        "plies": [(str(ply), ask.given("ply") == str(ply)) for ply in range(board.cells + 1)],
        "words": [
            (name, words, [(choice, named(choice), ask.given(name) == choice) for choice in about[name].choices])
            for name, words in (("won", "Won by"), ("to_move", "Turn of"), ("label", "Label"))
            if name not in left_out
        ],
        "orders": [(name, words, (ask.given("sort") or "") == name) for name, words in orders],
        "same": ask.given("same") or "symmetry",
        "moves": [
            (name, words, [(rule, ask.given(name) == rule) for rule in board.rules.all_move_rules])
            for name, words in (("moves", "Moves"), ("x_moves", named("of X")), ("o_moves", named("of O")))
        ],
        "ends": [(each, each == end) for each in END_RULES],
        "more": bool(rules_of(ask)),
    }
