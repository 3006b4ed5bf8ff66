"""A verb as a command of click, whose options and arguments come from the fields of its request.

A board may be typed as `3 x 3`. An option that is given twice is an error; click alone would keep the last.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import MISSING
from functools import partial
from itertools import pairwise
from typing import Any

import click
from click.core import ParameterSource

from noughts.cli.process import ending_as_interrupted
from noughts.cli.progress import PRESENT
from noughts.cli.sink import PICTURES, sink_for
from noughts.rules.arguments import offered, plain, text_of
from noughts.rules.board import ENDING, Board
from noughts.rules.errors import InputError, shown
from noughts.verbs.request import Caller, Option, VerbRequest, read_board
from noughts.verbs.table import GONE, request_of

_SIDE = r"\d+(?:[x×✕✖*:+][^\0]*)?"
_BEGUN = r"\d+[x×✕✖*]\0"
_CROSSED = r"(?:[x×✕✖*]\d+|:\d+|\+\w+)(?:[x×✕✖*:+][^\0]*)?"
_BOARD = re.compile(
    rf"(?<=\0)(?:{_BEGUN}|(?!{_BEGUN})){_SIDE}(?:\0{_CROSSED}|\0(?:[x×✕✖*]|by)\0{_SIDE})*(?=\0)", re.IGNORECASE
)
"""The words of a board, each between two zero characters, which no argument of a process can contain."""
_BREAK = re.compile(r"\0(?!x\d)|(?<=[x×✕✖*\d])\0", re.IGNORECASE)
"""The end of a word of a board, but not of its last option where a move such as x5 follows."""
_MOVES = r"(?:(?:[a-z]+\d+(?:\.\d+)?[,;]?)+|\d{1,3}[,;]?|[xo._×○]{2,}[/|,]?)"
"""One word of a position: moves, or a row of marks."""
_POSITION = "[POSITION]"
"""The argument that takes all remaining words."""


NAMES = re.compile("FILE|DIR|POLICY|BOT|WHO")
"""Options that may name a file, whose name can have bytes that are not text."""


class Verb(click.Command):
    """The command of a verb; the words of a board, and of a position after its option, need no quotes."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the words of a board and of a position, then parse. Raises InputError."""
        command: list[str] | None = None
        names = {each.name for each in self.params}
        if "command" in names and "--" in args:
            args, command = args[: args.index("--")], args[args.index("--") + 1 :]
        for word in args:
            if instead := GONE.get(f"{self.name} {word.partition('=')[0]}"):
                raise InputError(f"the option {word.partition('=')[0]} was removed: {instead}")
        args = self._joined(args, has_board="board" in names)
        if not ctx.resilient_parsing:
            self._require_values(args)
            try:
                _, _, order = self.make_parser(ctx).parse_args(args=list(args))
            except click.UsageError as error:
                error.ctx = error.ctx or ctx  # click reports a missing value without a context
                raise
            once = [each for each in order if isinstance(each, click.Option) and not each.multiple]
            if again := next((each for each in once if once.count(each) > 1), None):
                name, times = "/".join([again.opts[-1], *again.secondary_opts]), once.count(again)
                raise InputError(f"{name} is given {'twice' if times == 2 else f'{times} times'}: give it once")
        rest = super().parse_args(ctx, args)
        for option in self.params:
            if isinstance(option, click.Option):
                value, name, kind = ctx.params.get(option.name or ""), max(option.opts, key=len), option.metavar or ""
                for each in value if isinstance(value, tuple) else (value,):
                    if isinstance(each, str) and not NAMES.search(kind):
                        text_of(name, each)
                    elif (
                        each == "-"
                        and kind.startswith(("FILE", "DIR"))
                        and "standard output" not in (option.help or "")
                    ):
                        remedy = "name a file or folder, or write ./-"
                        raise InputError(f"{name} - does not mean standard output: {remedy}")
        board = ctx.params.get("board")
        if isinstance(board, str) and board.lower().endswith(ENDING):
            ctx.params["board"] = read_board(board)
        if command is not None:
            if extra := ctx.params["command"]:
                raise InputError(f"{shown(' '.join(extra))} is before --: put the whole command after --")
            ctx.params["command"] = tuple(command)
        return rest

    def _require_values(self, args: list[str]) -> None:
        """Raise InputError where an option stands in the place of the value of another."""
        options = {name: each for each in self.params if isinstance(each, click.Option) for name in each.opts}
        for name, after in pairwise(args):
            each = options.get(name)
            takes_value = each is not None and not each.is_flag and not isinstance(each.flag_value, str)
            if each is not None and takes_value and after.partition("=")[0] in options:
                kind = each.metavar or "a value"
                raise InputError(f"{name} needs {kind}, but {after} follows: write {name} {kind} {after}")

    def _joined(self, args: list[str], *, has_board: bool) -> list[str]:
        """Return the words with `3`, `x`, `3` joined, and the words of a position joined after its option."""
        words = "\0".join(["", *args, ""])
        if words.count("\0") > len(args) + 1:
            return args
        if has_board:
            words = _BOARD.sub(lambda found: _BREAK.sub("", found[0]), words)
        for option in (name for each in self.params if each.metavar == "POSITION" for name in each.opts):
            of_position = rf"(?<=\0{re.escape(option)}\0){_MOVES}(?:\0{_MOVES})+(?=\0)"
            words = re.sub(of_position, lambda found: found[0].replace("\0", " "), words, flags=re.IGNORECASE)
        return words.split("\0")[1:-1]


_PLAYERS = ("random", "easy", "medium", "hard")


def chosen(
    allowed: Sequence[str],
    others: bool,
    context: click.Context,
    parameter: click.Parameter,
    given: str | None,
    also: Callable[[str], str | None] | None = None,
) -> str | None:
    """Return the choice for a word in any case, with `_` for `-`; `others` allows policies, `also` reads other names.

    Raises InputError.
    """
    if given is None or (others and (":" in given or given.endswith(".json") or given in _PLAYERS)):
        return given
    word = _usual(given)
    if meant := next((each for each in allowed if _usual(each) == word), None):
        return meant
    if also is not None and (named := also(word)) is not None:
        return named
    takes = next((each for each in context.command.params if word in (each.metavar or "").split("|")), None)
    elsewhere = "" if not word or takes is None or takes is parameter else f"; {word} is for {max(takes.opts, key=len)}"
    known = f"use one of {offered(given, allowed)}{elsewhere}"
    raise InputError(f"{max(parameter.opts, key=len)} {shown(given)} is not known: {known}")


def _usual(word: str) -> str:
    return plain(word).strip().lower().replace("_", "-")


def verb_command(name: str) -> click.Command:
    """Return the command of a verb."""
    request = request_of(name)

    to_options = _output_options(request)

    def run(**given: Any) -> int:
        implied = next((each.implies for each in request.options() if each.implies and given[each.field]), None)
        to = sink_for(request, **{each.field: given.pop(each.field) for each in to_options}, usual=implied)
        context, typed = click.get_current_context(), ParameterSource.COMMANDLINE
        names = {name for name in [*given, "form"] if context.get_parameter_source(name) is typed}
        verb_request = request(form=to.form, given=frozenset(names), **given)
        verb_request.require_sense()
        with ExitStack() as stack:
            heard: dict[str, Any] = {}
            if present := PRESENT.get():
                present.task = _task(name, given.get("board"))
                heard = {"progress": present.show, "aside": present.add}
            ending = ending_as_interrupted
            caller = Caller(to.look, note=_note, output=to.output, lines=sys.stdin, ending=ending, stack=stack, **heard)
            answer = verb_request.answer(caller)
            to.write(answer.forms)
            return answer.finish()

    options = [*(each for each in request.options() if each.where != "pages"), *to_options]
    params = [_parameter(each) for each in options]
    return Verb(name, params=params, callback=run, help=request.__doc__)


_TASKS = {
    "count": "counting",
    "explain": "explaining",
    "whatis": "searching meanings",
    "positions": "listing positions of",
    "verify": "verifying",
    "solve": "solving",
    "openings": "valuing openings of",
    "tree": "building the tree of",
    "patterns": "finding patterns of",
    "payoff": "valuing points on",
    "blindfold": "solving blindfold",
    "check": "checking",
    "review": "reviewing a game on",
    "puzzle": "finding puzzles on",
    "sheet": "making a sheet for",
    "match": "playing a match",
    "evaluate": "evaluating a bot",
    "breed": "breeding bots for",
    "menace": "teaching MENACE on",
    "crib": "searching a crib for",
    "referee": "testing a bot on",
    "export": "exporting",
    "query": "querying",
    "site": "writing the pages of",
}
"""What a verb does, for the line of progress; the board follows."""


def _task(verb: str, board: object) -> str:
    with suppress(InputError):  # a file of lines and a range of boards stand as they were given
        board = Board.parse(board).spec if isinstance(board, str) else board
    return f"{_TASKS.get(verb, 'working')} {board or ''}".rstrip()


def _note(line: str) -> None:
    present = PRESENT.get()
    if present is not None:
        present.note(line)
    else:
        print(line, file=sys.stderr, flush=True)


def _output_options(request: type[VerbRequest]) -> list[Option]:
    """Return the options for the format and the place of an answer."""
    forms = request.forms
    if not forms:
        return []
    usual = f"{forms[0]}, or by the name of FILE"
    found = [
        Option("Output format", "format", "choice", choices=forms, usual=usual, field="form"),
        Option("Output file, - for standard output", "output", metavar="FILE", short="-o", field="output"),
    ]
    if any(form in PICTURES for form in forms):
        themes = ("light", "dark", "auto")
        found += [
            Option("Colours of a picture", "theme", "choice", choices=themes, usual="light", field="theme"),
            Option(request.paper_help, "paper", metavar="|".join(request.papers), field="paper"),
        ]
    return found


def _number_of(
    kind: type[int | float], least: int | None = None, most: int | None = None
) -> Callable[[str], int | float]:
    """Return a function that reads a number of an option within its limits; its refusal says what would work."""

    def number(text: str) -> int | float:
        with suppress(ValueError):
            found = kind(text)
            if (least is None or found >= least) and (most is None or found <= most):
                return found
        limits = f" from {least} to {most}" if most is not None else f" of {least} or more" if least is not None else ""
        raise click.BadParameter(f"{shown(text)} is not a {'whole ' * (kind is int)}number{limits}")

    return number


def _parameter(each: Option) -> click.Parameter:
    """Return the argument or the option of a field."""
    required = each.default is MISSING
    how: dict[str, Any] = {"metavar": each.metavar or None}
    if each.is_argument:
        many = each.kind == "words" or each.metavar == _POSITION
        if each.metavar == _POSITION:
            how["callback"] = lambda context, parameter, given: " ".join(given) if given else None
        elif not (required or many):
            how["default"] = each.default
        return click.Argument([each.field], required=required, nargs=-1 if many else 1, **how)
    usual = each.usual or (str(each.default) if isinstance(each.default, str | int) and each.kind != "flag" else "")
    about = f"{each.help} (default: {usual})" if usual else each.help
    how |= {"required": True} if required else {"default": each.default}
    match each.kind:
        case "flag":
            how["is_flag"] = True
        case "choice" if each.metavar != "POLICY":
            others = each.others != "nowhere"
            how["callback"] = partial(chosen, each.choices, others, also=each.also)
            how["shell_complete"] = lambda context, parameter, begun: [w for w in each.choices if w.startswith(begun)]
            how["metavar"] = each.metavar or "|".join([*each.choices, *["POLICY"] * others])
        case "number":
            how["type"] = _number_of(int, each.least, each.most)
        case "decimal":
            how["type"] = _number_of(float)
        case "words":
            how["multiple"] = True
    if each.bare:
        how |= {"is_flag": False, "flag_value": each.bare}
    dashed = f"--{each.name.replace('_', '-')}"
    names = [each.field, *filter(None, [each.short]), f"{dashed}/--{each.off}" if each.off else dashed]
    return click.Option(names, help=about, **how)
