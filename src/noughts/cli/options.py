"""Options that several verbs share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from noughts.domain.errors import InputError, shown
from noughts.domain.spelling import offered, plain

if TYPE_CHECKING:
    from noughts.machine.budget import Limits

    _Words = click.ParamType[str]
else:
    _Words = click.ParamType  # before click 8.4 it took no types

__all__ = [
    "budget_options",
    "is_typed",
    "limits_of",
    "memory_budget",
    "require_sense",
    "rule_options",
    "time_budget",
    "words",
]

F = TypeVar("F", bound=Callable[..., Any])


def words(*allowed: str) -> dict[str, Any]:
    """Return the arguments of an option that takes one of some words: shown by --help and offered by the shell.

    Capitals, full-width letters and `_` for `-` are read as the word that is meant; another word is refused.
    """

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        return [word for word in allowed if word.startswith(incomplete)]

    return {"metavar": "|".join(allowed), "shell_complete": complete, "type": _OneOf(allowed)}


class _OneOf(_Words):
    """One of some words, each of which stands for itself."""

    name = "word"

    def __init__(self, allowed: Sequence[str]) -> None:
        self.allowed = {_usual(word): word for word in allowed}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        word = self.allowed.get(_usual(value))
        if word is not None:
            return word
        option = max(param.opts, key=len) if param is not None else "an option"
        words = list(self.allowed.values())
        raise InputError(
            f"{option} {shown(value)} is not known: use one of {offered(value, words)}{_elsewhere(value, ctx)}"
        )


def _elsewhere(value: Any, ctx: click.Context | None) -> str:
    """Return which other option of the verb takes a word; nothing where none does."""
    options = [] if ctx is None else [each for each in ctx.command.params if isinstance(each, click.Option)]
    takes = next((each for each in options if _usual(value) in (each.metavar or "").split("|")), None)
    return "" if takes is None else f"; {_usual(value)} goes with {max(takes.opts, key=len)}"


def _usual(word: str) -> str:
    return plain(word).strip().lower().replace("_", "-")


class _RuleOrPolicy(_OneOf):
    """A move rule, or the name of a policy, of its file, or a policy written as a word, a colon and more."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if ":" in value or value.endswith(".json") or value in _PLAYERS:
            return str(value)
        return super().convert(value, param, ctx)


_RULES = ("any", "win", "block", "fork", "perfect", "quickest")
_PLAYERS = ("random", "easy", "medium", "hard")


def rule_options(*, policies: bool = False) -> Callable[[F], F]:
    """Return a decorator that adds the rules of play: --moves, --x-moves, --o-moves and --end.

    With `policies` a player may go by one instead of a rule.
    """
    rules, who = words(*_RULES), "rule"
    if policies:
        rules |= {"metavar": f"{rules['metavar']}|POLICY", "type": _RuleOrPolicy(_RULES)}
        who = "rule or policy"
    options = (
        click.option("--moves", default="any", **rules, help="Which moves are allowed."),
        click.option("--x-moves", **rules, help=f"The {who} for X, where it differs."),
        click.option("--o-moves", **rules, help=f"The {who} for O, where it differs."),
        click.option("--end", default="line", **words("line", "decided", "full"), help="When the game is over."),
    )

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def budget_options(default_time: str | None = None) -> Callable[[F], F]:
    """Return a decorator that adds --memory and --time."""

    def add(function: F) -> F:
        limit = f"Refuse what takes longer, by the engine's estimate{f' ({default_time})' if default_time else ''}"
        function = click.option("--time", "time", default=default_time, metavar="TIME", help=f"{limit}: 10s, 5m.")(
            function
        )
        return click.option(
            "--memory", metavar="SIZE", help="Refuse what needs more memory (three quarters of what is free): 8GB."
        )(function)

    return add


def memory_budget(text: str | None) -> int:
    """Return the bytes of --memory, or three quarters of what is free; say so when more than is free is asked for."""
    from noughts.machine.budget import default_memory, format_size, free_memory, parse_size

    if text is None:
        return default_memory()
    size, free = parse_size(text), free_memory()
    if size > free:
        print(
            f"noughts: going on with {format_size(size)} as asked, though {format_size(free)} are free", file=sys.stderr
        )
    return size


def limits_of(memory: str | None, time: str | None) -> Limits:
    """Return the limits of --memory and --time; say so when more memory than is free is asked for."""
    from noughts.machine.budget import Limits

    return Limits.of(memory_budget(memory), time)


def time_budget(text: str | None) -> float | None:
    """Return the seconds of --time, or None where it is not given."""
    from noughts.machine.budget import parse_duration

    return None if text is None else parse_duration(text)


def is_typed(name: str) -> bool:
    """Return whether a parameter of the verb was given, were it with its usual value."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def require_sense(*contradictions: tuple[object, str]) -> None:
    """Raise InputError with the first sentence whose contradiction is there."""
    for wrong, sentence in contradictions:
        if wrong:
            raise InputError(sentence)
