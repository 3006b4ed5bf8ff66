"""Sentences of the rooms below, which speak of options of the command line, in words of addresses."""

from __future__ import annotations

import re

from noughts.web.ask import Ask
from noughts.web.kind import Parameter
from noughts.web.kinds import kind_named

__all__ = ["spoken"]

_OPTION = re.compile(r"(?<![^ (])--([a-z][a-z-]*)(?: ([A-Za-z0-9-]+))?")
_COMMAND = re.compile(r"(noughts [a-z]+ [^;:]*)")
_FORM_NAMES = {"text": "txt", "markdown": "md", "latex": "tex"}


def spoken(sentence: str, ask: Ask) -> str:
    """Return a sentence with options as the parameters of the page that is asked; whole commands stay as they are.

    Options that the page has no parameter for are said to be of the command line.

    >>> spoken("add --blind O, or leave out --opening-told", Ask("blindfold"))
    'add ?blind=O, or leave out ?opening_told=1'
    >>> spoken("raise --memory", Ask("count"))
    'raise --memory (on the command line)'
    """
    pieces = _COMMAND.split(sentence)
    pieces[::2] = [_OPTION.sub(lambda found: _said(found, ask), piece) for piece in pieces[::2]]
    last = max((at for at, piece in enumerate(pieces[::2]) if _OPTION.search(piece)), default=None)
    if last is not None:
        options = list(_OPTION.finditer(pieces[2 * last]))
        name = options[-1]
        end = name.start() + len(f"--{name[1]}")
        pieces[2 * last] = f"{pieces[2 * last][:end]} (on the command line){pieces[2 * last][end:]}"
    return "".join(pieces)


def _said(found: re.Match[str], ask: Ask) -> str:
    kind, name, word = kind_named(ask.page), found[1].replace("-", "_"), found[2] or ""
    if name == "format" and (form := _FORM_NAMES.get(word, word)) in kind.forms:
        return f".{form}"
    parameter = next((each for each in kind.parameters if each.name == name and not each.only_here), None)
    if parameter is None:
        return found[0]
    if parameter.kind == "flag":
        return f"?{name}=1" + (f" {word}" if word else "")
    return f"?{name}={word}" if _is_value(parameter, word) else f"?{name}=" + (f" {word}" if word else "")


def _is_value(parameter: Parameter, word: str) -> bool:
    """Tell whether a word after an option is its value: a choice, a number, or capitals that stand for one."""
    return word in parameter.choices or word.isdigit() or (word.isupper() and len(word) > 1)
