"""The command that gives on the command line what a page gives."""

from __future__ import annotations

import shlex

from noughts.web.ask import Ask
from noughts.web.kind import Parameter
from noughts.web.kinds import RULE_NAMES, kind_named

__all__ = ["VERBS", "command_of"]

VERBS = {
    "whatis": "whatis",
    "board": "solve",
    "position": "explain",
    "game": "explain",
    "count": "count",
    "openings": "openings",
    "tree": "tree",
    "patterns": "patterns",
    "endings": "positions",
    "positions": "positions",
    "crib": "crib",
    "menace": "menace",
    "puzzles": "puzzle",
    "sheets": "sheet",
    "blindfold": "blindfold",
}
"""For each kind of page the verb that gives the same, if one does."""
_UNRULED = ("board", "position", "game")
"""Kinds of page whose verbs know of no rules; with them `positions` lists what such play reaches."""


def command_of(ask: Ask) -> str:
    """Return the command; nothing for a kind of page that no verb gives.

    >>> from noughts.domain.board import Board
    >>> command_of(Ask("count", Board.parse("4x5:4"), query=(("end", "decided"), ("x_moves", "win"))))
    'noughts count 4x5:4 --end decided --x-moves win'
    """
    kind = kind_named(ask.page)
    if ask.page not in VERBS:
        return ""
    by_rules = any(name in RULE_NAMES for name, _ in ask.query)
    words = ["noughts", "positions" if by_rules and ask.page in _UNRULED else VERBS[ask.page]]
    if ask.board is not None:
        words.append(ask.board.spec)
    words += [] if by_rules and ask.page in _UNRULED else _what(ask)
    words += ["--quick"] if ask.page == "whatis" and ask.given("more") is None else []
    for name, text in ask.query:
        words += _option(name, text, kind.parameters)
    return shlex.join(words)


def _what(ask: Ask) -> list[str]:
    if ask.page == "position":
        return [ask.what.replace("--", "|").replace("-", "/").replace("_", ".")]
    if ask.page == "game":
        return [name for name in ask.what.split("-") if name]
    if ask.page == "endings":
        return ["--terminal"]
    return ["--kind", ask.what] if ask.what else []


def _option(name: str, text: str, parameters: tuple[Parameter, ...]) -> list[str]:
    parameter = next((each for each in parameters if each.name == name), None)
    if parameter is None or parameter.only_here or name == "more":
        return []
    if name == "n":
        return [text]
    return [f"--{name.replace('_', '-')}", *([text] if parameter.kind != "flag" else [])]
