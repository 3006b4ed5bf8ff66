"""What every verb reads alike: boards and positions typed as several words, and options, which are given once.

Of an option that is given twice click would keep the last and forget the other without a word.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from noughts.cli.progress import QUIET
from noughts.machine.reading import read_text
from noughts.rules.arguments import offered, plain
from noughts.rules.board import ENDING, Board, board_of_lines
from noughts.rules.cells import SPELLINGS, number_cells
from noughts.rules.errors import InputError, shown

if TYPE_CHECKING:
    from noughts.machine.workers import Workers


F = TypeVar("F", bound=Callable[..., Any])

_LARGEST_LINES = 1 << 20
_NUMBER = re.compile(r"\d+")
_CROSS = re.compile(r"[x×✕✖*]|by", re.IGNORECASE)
_BEGUN = re.compile(r"\d+[x×✕✖*]", re.IGNORECASE)
_CROSSED = re.compile(r"([x×✕✖*]\d+|:\d+|\+\w+)([x×✕✖*:+].*)?", re.IGNORECASE)
_SIDE = re.compile(r"\d+([x×✕✖*:+].*)?", re.IGNORECASE)
_MOVES = re.compile(r"([a-z]+\d+(\.\d+)?[,;]?)+|\d{1,3}[,;]?|[xo._×○]{2,}[/|,]?", re.IGNORECASE)
"""What may be the next word of a position: moves, or a row of marks."""


class Verb(click.Command):
    """A verb: a board may be typed as `3 x 3`, and after an option that takes a position its moves need no quotes.

    An option that is given twice is refused.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the words of a board and of a position, and parse what that gives."""
        if any(isinstance(each, click.Argument) and each.name == "board" for each in self.params):
            args = _joined_boards(args)
        args = _joined_positions(args, self._position_options())
        if not ctx.resilient_parsing:
            self._require_once(ctx, args)
        rest = super().parse_args(ctx, args)
        board = ctx.params.get("board")
        if isinstance(board, str) and board.lower().endswith(ENDING):
            ctx.params["board"] = read_board(board)
        return rest

    def _require_once(self, ctx: click.Context, args: list[str]) -> None:
        """Raise InputError for an option that is given more than once."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option in order:
            times = order.count(option)
            if isinstance(option, click.Option) and not option.multiple and times > 1:
                name = "/".join([option.opts[-1], *option.secondary_opts])
                raise InputError(f"{name} is given {'twice' if times == 2 else f'{times} times'}: give it once")

    def _position_options(self) -> set[str]:
        return {name for each in self.params if each.metavar == "POSITION" for name in each.opts}


def read_board(name: str) -> Board:
    """Return the board in a file of lines."""
    try:
        return board_of_lines(read_text(Path(name), _LARGEST_LINES), name)
    except UnicodeDecodeError:
        raise InputError(f"{shown(name)} is no text: write one line of the board a row, as in 1 2 3") from None


def position_argument(function: F) -> F:
    """Add the argument POSITION to a verb: all words that are left, as one text, or None where there are none."""

    def joined(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str | None:
        return " ".join(given) if given else None

    return click.argument("position", nargs=-1, metavar="[POSITION]", callback=joined)(function)


def _joined_boards(args: list[str]) -> list[str]:
    """Return the words with `3`, `x`, `3` as one."""
    found: list[str] = []
    at = 0
    while at < len(args):
        end = _end_of_board(args, at)
        found.append("".join(args[at:end]))
        at = end
    return found


def _end_of_board(args: list[str], at: int) -> int:
    """Return where the board ends that begins at a word, which may be none: then it is one word."""
    end = at + 1
    open_side = bool(_BEGUN.fullmatch(args[at]))
    if not open_side and not _SIDE.fullmatch(args[at]):
        return end
    while end < len(args):
        if open_side and _SIDE.fullmatch(args[end]):
            open_side = False
        elif not open_side and _CROSSED.fullmatch(args[end]):
            pass
        elif not open_side and _CROSS.fullmatch(args[end]) and end + 1 < len(args) and _SIDE.fullmatch(args[end + 1]):
            open_side = True
        else:
            break
        end += 1
    return end


def _joined_positions(args: list[str], options: set[str]) -> list[str]:
    """Return the words with those of a position after an option that takes one as one."""
    found: list[str] = []
    at = 0
    while at < len(args):
        found.append(args[at])
        at += 1
        if found[-1] in options and at < len(args):
            end = at + 1
            while end < len(args) and _MOVES.fullmatch(args[at]) and _MOVES.fullmatch(args[end]):
                end += 1
            found.append(" ".join(args[at:end]))
            at = end
    return found


# Options that several verbs share.

if TYPE_CHECKING:
    from noughts.machine.budget import Limits

    _Words = click.ParamType[str]
else:
    _Words = click.ParamType  # before click 8.4 it took no types


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


# The option --cells, which every verb has: how cells are spelt in all that it prints, draws and writes.


def add_cells_option(command: click.Command) -> None:
    """Add the option to a command and to those below it, once."""
    if isinstance(command, click.Group) and getattr(command, "commands", None):
        for each in command.commands.values():
            add_cells_option(each)
        return
    if all(each.name != "cells" for each in command.params):
        command.params.append(_option())


def _option() -> click.Option:
    return click.Option(
        ["--cells"],
        expose_value=False,
        is_eager=True,
        callback=_spell,
        help="Spell cells as a1 to c3 (names), or as 1 to 9 in reading order.",
        **words(*SPELLINGS),
    )


def _spell(context: click.Context, parameter: click.Parameter, given: str | None) -> None:
    if given is not None and given not in SPELLINGS:
        raise InputError(f"--cells {shown(given)} is not known: use one of {', '.join(SPELLINGS)}")
    if given == "numbers" and not context.resilient_parsing:
        number_cells()


# The options --workers and --on: who does the work, and where it is to be watched.


def worker_options(function: F) -> F:
    """Add --workers and --on."""
    function = click.option(
        "--on", metavar="ADDRESS", help="Work on the cluster whose scheduler is there: tcp://host:8786."
    )(function)
    return click.option(
        "--workers", type=click.IntRange(min=1), metavar="N", help="Work in so many processes of this machine."
    )(function)


@contextmanager
def workers_of(workers: int | None, on: str | None) -> Iterator[Workers]:
    """Give the workers of --workers or --on, else threads; say where the page of a cluster is."""
    from noughts.machine.cluster import working

    with working(workers, on) as found:
        page = getattr(found, "page", None)
        if page is not None and not os.environ.get(QUIET):
            threads = "1 thread" if found.count == 1 else f"{found.count} threads"
            print(f"noughts: {threads} of workers, to be watched at {page}", file=sys.stderr, flush=True)
        yield found
