"""Lazy imports: a package offers the names of its stub `__init__.pyi` and imports each at its first use."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any


@cache
def homes(folder: str) -> dict[str, str]:
    """Return the module of each name of a package, from the lines `from MODULE import NAME as NAME` of the stub."""
    try:
        with open(f"{folder}/__init__.pyi", encoding="utf-8") as stub:
            return {line.split()[-1]: line.split()[1] for line in stub if line.startswith("from ")}
    except FileNotFoundError:
        return {}


def lazily(
    package: str, folder: str, missing: Callable[[str], str] = lambda name: ""
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package.

    Parameters
    ----------
    package, folder
        The name of the package and its folder.
    missing
        A function from an unknown name to a hint for the error.
    """

    def find(name: str) -> object:
        found = homes(folder)
        if name == "__all__":
            return sorted(each for each in found if found[each] != package)
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}{missing(name)}")
        home = found[name]
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        value = _for_python(value, package) if inspect.isfunction(value) else value
        vars(sys.modules[package])[name] = value
        return value

    return find, lambda: sorted(homes(folder))


_OPTION = re.compile(r"(?<![^ (])--([a-z][a-z-]*)(/--values-only)?(?: ([A-Za-z0-9-]+)\b)?")
_COMMAND = re.compile(r"(noughts [a-z]+ [^;:]*)")
_NO_VALUES = {
    *("and", "as", "at", "by", "cannot", "finds", "for", "from", "if", "in", "is", "limits", "needs", "of", "on", "or"),
    *("to", "where", "which", "with"),
}
"""Words after an option that are not its value."""
_ARGUMENTS = {"from": "start", "as": "as_", "values-only": "remoteness"}
"""The parameters of functions whose options have other names."""


def _for_python(function: Callable[..., Any], package: str) -> Callable[..., Any]:
    """Return a function whose errors name its own parameters, where those of a command name options."""

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except Exception as error:  # raised again: errors are not imported here, so that names stay quick
            if hasattr(error, "exit_code"):  # an error of ours
                error.args = (in_python(str(error), function), *error.args[1:])
            raise

    call.__module__ = package  # so that pickle finds this function, not the one within
    return call


def in_python(sentence: str, function: Callable[..., Any]) -> str:
    """Return a sentence with options written as parameters of a function; whole commands do not change."""
    parameters = inspect.signature(function).parameters

    def written(found: re.Match[str]) -> str:
        name, word = _ARGUMENTS.get(found[1], found[1].replace("-", "_")), found[3]
        value = None if word is None or word in _NO_VALUES else int(word) if word.isdecimal() else word
        rest = f" {word}" if word in _NO_VALUES else ""
        if name not in parameters and "rules" in parameters:
            return f"rules.{name}" + (f"={value!r}" if value else "") + rest
        if name not in parameters:
            return f"{found[0]} (on the command line)"
        if found[1] == "values-only":
            return f"remoteness=False{rest}"
        if isinstance(parameters[name].default, bool):
            return f"{name}=True" + (f" {word}" if word else "")
        return f"{name}={value!r}" if value else f"{name}={rest}"

    pieces = _COMMAND.split(sentence)
    pieces[::2] = [_OPTION.sub(written, piece) for piece in pieces[::2]]
    return "".join(pieces)
