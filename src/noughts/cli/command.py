"""A verb as a command of click: options and arguments come from the fields of its request, and are read in one way.

A board may be typed as `3 x 3`; an option that is given twice, of which click would keep the last, is refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from noughts.cli.process import ending_as_interrupted
from noughts.cli.progress import Display, aside, at_rest, progress_line
from noughts.cli.sink import PICTURES, sink_for
from noughts.rules.arguments import offered, plain
from noughts.rules.board import ENDING
from noughts.rules.cells import SPELLINGS, number_cells
from noughts.rules.errors import InputError, shown
from noughts.verbs.request import Caller, Option, VerbRequest, read_board
from noughts.verbs.table import request_of

if TYPE_CHECKING:
    _Words = click.ParamType[str]
else:
    _Words = click.ParamType  # before click 8.4 it took no types

_CROSS = re.compile(r"[x×✕✖*]|by", re.IGNORECASE)
_BEGUN = re.compile(r"\d+[x×✕✖*]", re.IGNORECASE)
_CROSSED = re.compile(r"([x×✕✖*]\d+|:\d+|\+\w+)([x×✕✖*:+].*)?", re.IGNORECASE)
_SIDE = re.compile(r"\d+([x×✕✖*:+].*)?", re.IGNORECASE)
_MOVES = re.compile(r"([a-z]+\d+(\.\d+)?[,;]?)+|\d{1,3}[,;]?|[xo._×○]{2,}[/|,]?", re.IGNORECASE)
"""What may be the next word of a position: moves, or a row of marks."""
_POSITION = "[POSITION]"
"""The argument to which all words belong that are left."""


class Verb(click.Command):
    """The command of a verb: the words of a board, and those of a position after its option, need no quotes."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the words of a board and of a position, and parse what that gives."""
        command: list[str] | None = None
        if any(each.name == "command" for each in self.params) and "--" in args:
            args, command = args[: args.index("--")], args[args.index("--") + 1 :]
        if any(isinstance(each, click.Argument) and each.name == "board" for each in self.params):
            args = _joined_boards(args)
        args = _joined_positions(
            args, {name for each in self.params if each.metavar == "POSITION" for name in each.opts}
        )
        if not ctx.resilient_parsing:
            self._require_once(ctx, args)
        rest = super().parse_args(ctx, args)
        board = ctx.params.get("board")
        if isinstance(board, str) and board.lower().endswith(ENDING):
            ctx.params["board"] = read_board(board)
        if command is not None:
            if extra := ctx.params["command"]:
                raise InputError(f"{shown(' '.join(extra))} stands before --: put the whole command after it")
            ctx.params["command"] = tuple(command)
        return rest

    def _require_once(self, ctx: click.Context, args: list[str]) -> None:
        """Raise InputError for an option that is given more than once."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option in order:
            times = order.count(option)
            if isinstance(option, click.Option) and not option.multiple and times > 1:
                name = "/".join([option.opts[-1], *option.secondary_opts])
                raise InputError(f"{name} is given {'twice' if times == 2 else f'{times} times'}: give it once")


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


class _OneOf(_Words):
    """One of some words, in any case and with `_` for `-`; `others`: a policy by name, by its file, as `word:more`."""

    name = "word"

    def __init__(self, allowed: Sequence[str], *, others: bool = False) -> None:
        self.allowed, self.others = {_usual(word): word for word in allowed}, others

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word that is meant. Raises InputError."""
        if self.others and (":" in value or value.endswith(".json") or value in _PLAYERS):
            return str(value)
        word = self.allowed.get(_usual(value))
        if word is not None:
            return word
        option = max(param.opts, key=len) if param is not None else "an option"
        choices = offered(value, list(self.allowed.values()))
        raise InputError(f"{option} {shown(value)} is not known: use one of {choices}{_elsewhere(value, ctx)}")

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the words that begin so."""
        return [CompletionItem(word) for word in self.allowed.values() if word.startswith(incomplete)]


_PLAYERS = ("random", "easy", "medium", "hard")


def _elsewhere(value: Any, ctx: click.Context | None) -> str:
    """Return which other option of the verb takes a word; nothing where none does."""
    options = [] if ctx is None else [each for each in ctx.command.params if isinstance(each, click.Option)]
    takes = next((each for each in options if _usual(value) in (each.metavar or "").split("|")), None)
    return "" if takes is None else f"; {_usual(value)} goes with {max(takes.opts, key=len)}"


def _usual(word: str) -> str:
    return plain(word).strip().lower().replace("_", "-")


def command_for(name: str) -> click.Command:
    """Return the command of a verb."""
    request = request_of(name)

    def run(**given: Any) -> int:
        names = [each.field for each in _output_options(request)]
        to = sink_for(request, **{name: given.pop(name) for name in names})
        typed = {name for name in [*given, "form"] if _is_typed(name)}
        asked = request(form=to.form, given=frozenset(typed), **given)
        asked.require_sense()
        with ExitStack() as stack:
            with Display() as display:
                caller = Caller(
                    to.look,
                    progress_line(),
                    _note,
                    aside,
                    output=to.output,
                    lines=sys.stdin,
                    show=display.show,
                    ending=ending_as_interrupted,
                    stack=stack,
                )
                answer = asked.answer(caller)
            to.write(answer.forms)
            return answer.finish()

    asked = [each for each in request.options() if each.where != "pages"]
    params = [_argument(each) if each.is_argument else _option(each) for each in [*asked, *_output_options(request)]]
    return Verb(name, params=[*params, cells_option()], callback=run, help=request.__doc__)


def _is_typed(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _note(line: str) -> None:
    at_rest()
    print(line, file=sys.stderr, flush=True)


def _output_options(request: type[VerbRequest]) -> list[Option]:
    """Return the options that say in which form an answer is given, and where."""
    forms = request.forms
    if not forms:
        return []
    said = f"How to answer ({forms[0]}; or by the name of FILE)."
    found = [
        Option(said, "format", "choice", choices=forms, field="form"),
        Option("Write to this file, - for standard output.", "output", metavar="FILE", short="-o", field="output"),
    ]
    if any(form in PICTURES for form in forms):
        themes = ("light", "dark", "auto")
        found += [
            Option("Colours of a picture (light).", "theme", "choice", choices=themes, field="theme"),
            Option(request.paper_help, "paper", metavar="|".join(request.papers), field="paper"),
        ]
    return found


def _argument(each: Option) -> click.Argument:
    required, many = each.default is MISSING, each.kind == "words" or each.metavar == _POSITION
    return click.Argument(
        [each.field],
        required=required,
        nargs=-1 if many else 1,
        metavar=each.metavar or None,
        callback=_joined if each.metavar == _POSITION else None,
        **({} if many or required else {"default": each.default}),
    )


def _joined(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str | None:
    """Return all words that are left as one text, None where there are none."""
    return " ".join(given) if given else None


def _option(each: Option) -> click.Option:
    dashed = f"--{each.name.replace('_', '-')}"
    names = [each.field, *filter(None, [each.short]), f"{dashed}/--{each.off}" if each.off else dashed]
    how: dict[str, Any] = {"help": _help(each), "metavar": each.metavar or None}
    how |= {"required": True} if each.default is MISSING else {"default": each.default}
    if each.kind == "flag":
        how["is_flag"] = True
    elif each.kind == "choice" and each.metavar != "POLICY":
        others = each.others != "nowhere"
        how["type"] = _OneOf(each.choices, others=others)
        how["metavar"] = each.metavar or "|".join([*each.choices, *["POLICY"] * others])
    elif each.kind == "number":
        how["type"] = int if each.least is None else click.IntRange(each.least, each.most)
    elif each.kind == "decimal":
        how["type"] = float
    elif each.kind == "words":
        how["multiple"] = True
    if each.bare:
        how |= {"is_flag": False, "flag_value": each.bare}
    return click.Option(names, **how)


def _help(each: Option) -> str:
    """Return the help of an option, with its default."""
    named = isinstance(each.default, str | int) and each.kind != "flag" and each.default != ""
    usual = each.usual or (str(each.default) if named else "")
    return f"{each.help.removesuffix('.')} ({usual})." if usual and each.help.endswith(".") else each.help


def cells_option() -> click.Option:
    """Return --cells, which every verb has: how cells are spelt in all that it prints, draws and writes."""
    about = "Spell cells as a1 to c3 (names), or as 1 to 9 in reading order."
    found = _option(Option(about, "cells", "choice", choices=SPELLINGS, field="cells"))
    found.expose_value, found.is_eager, found.callback = False, True, _spell
    return found


def _spell(context: click.Context, parameter: click.Parameter, given: str | None) -> None:
    if given == "numbers" and not context.resilient_parsing:
        number_cells()
