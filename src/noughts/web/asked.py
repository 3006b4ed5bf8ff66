"""Commands as links: the page that answers what a command of the command line asks, where there is one."""

from __future__ import annotations

import shlex
from urllib.parse import urlencode

from noughts.domain.errors import InputError, NoughtsError
from noughts.domain.notation import parse_position
from noughts.web.addresses import board_slug, position_slug, read_address, read_board
from noughts.web.ask import Ask
from noughts.web.kinds import KINDS

__all__ = ["ask_of_command"]

_SAME_NAME = ("count", "openings", "patterns", "positions", "crib", "menace", "blindfold")
_PAGES = {"puzzle": "puzzles", "sheet": "sheets"}
"""Verbs whose pages have another name."""


def ask_of_command(command: str) -> Ask | None:
    """Return what a command asks, as a page answers it: None where no page does, as for commands that write files.

    >>> ask_of_command("noughts count 3x3:3 --same choices --moves any --end line").query
    (('same', 'choices'),)
    """
    try:
        program, verb, *words = shlex.split(command)
        if program != "noughts":
            return None
        given, options = _sorted_out(words, _flags(verb))
        return _ask(verb, given, options)
    except (NoughtsError, ValueError):
        return None


def _flags(verb: str) -> set[str]:
    kind = KINDS.get(verb)
    if verb == "whatis":
        return {"quick"}
    return {parameter.name for parameter in kind.parameters if parameter.kind == "flag"} if kind else set()


def _sorted_out(words: list[str], flags: set[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments and the options of a command, the options under the names of parameters."""
    given: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            given.append(word)
            continue
        name = word.lstrip("-").replace("-", "_")
        options[name] = "1" if name in flags else next(rest, "")
    return given, options


def _ask(verb: str, given: list[str], options: dict[str, str]) -> Ask | None:
    if verb == "whatis" and given:
        options.pop("quick", None)
        asked = {"n": given[-1]} | ({"board": given[0]} if given[1:] else {})
        return read_address("/whatis", urlencode(asked | options))
    if verb == "blindfold" and given[:1] == ["play"]:
        board = read_board(given[1]) if given[1:] else read_board("3x3")
        return read_address(f"/{board_slug(board)}/play", urlencode({"blind": "X"} | options))
    board = read_board(given[0]) if given else read_board("3x3")
    place = f"/{board_slug(board)}"
    if verb in _SAME_NAME:
        return read_address(f"{place}/{verb}", urlencode(options)) if len(given) < 2 else None
    if verb in _PAGES:
        return read_address(f"{place}/{_PAGES[verb]}", urlencode(options)) if len(given) < 2 else None
    if verb == "tree":
        return read_address(f"{place}/tree/{options.pop('kind', 'reduced')}", urlencode(options))
    if verb == "explain" and not options:
        position = parse_position(board, " ".join(given[1:])) if given[1:] else None
        return read_address(f"{place}/p/{position_slug(position)}" if position else place)
    raise InputError(f"no page answers {verb}")
