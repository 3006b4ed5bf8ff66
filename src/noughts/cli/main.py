"""The command `noughts`, and one place where all errors end as one sentence."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
import traceback
import warnings
from typing import NoReturn

import click

from noughts._version import __version__
from noughts.cli.process import Stopped, discard_rest, meet_streams, say, signals_handled, write_everywhere
from noughts.rules.arguments import nearby, plain
from noughts.rules.cells import SPELLINGS, cells_as, number_cells
from noughts.rules.errors import InputError, NoughtsError, shown
from noughts.verbs.table import BELOW, GONE, GROUPS, MEANT, VERBS

FAULT = 70
"""The exit code of a fault: EX_SOFTWARE of `sysexits.h`."""
_LONGEST = 160
_MESSAGE = 580
"""Most characters of a message; with the name of the program under 600."""
_CHAIN = 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NO_ROOM = re.compile("failed to map segment|cannot allocate memory|can't start new thread", re.IGNORECASE)
"""Messages of the loader, the system and Python about missing memory."""


def one_line(message: str) -> str:
    """Return a message on one line of bounded length; a longer one loses its middle and keeps its remedy.

    Control characters are escaped.
    """
    line = _CONTROL.sub(lambda found: ascii(found[0])[1:-1], " ".join(message.splitlines()))
    if len(line) <= _MESSAGE:
        return line
    cut = f" ... ({len(line):,} characters) ... "
    end = _MESSAGE // 3
    return line[: _MESSAGE - end - len(cut)] + cut + line[-end:]


def is_lack_of_memory(error: BaseException) -> bool:
    """Return whether missing memory caused an error, for example in a library of the compiler."""
    cause: BaseException | None = error
    for _ in range(_CHAIN):
        if cause is None:
            return False
        if isinstance(cause, MemoryError) or getattr(cause, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(cause, OSError | ImportError | RuntimeError) and _NO_ROOM.search(_what(cause, _MESSAGE)):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def lack_of_memory(error: Exception) -> str:
    """Return the message for missing memory, with the size if the error has it."""
    wanted = " ".join(str(error).split()) if isinstance(error, MemoryError) else ""
    detail = f" ({shown(wanted, _LONGEST)})" if wanted else ""
    return f"not enough memory{detail}: use a smaller board, or close other programs"


def way_to(error: Exception) -> str:
    """Return the traceback of an error if NOUGHTS_TRACEBACK is set, else nothing."""
    return "".join(traceback.format_exception(error)) if os.environ.get("NOUGHTS_TRACEBACK") else ""


def fault(error: Exception) -> str:
    """Return the message for an unexpected error; a failing import is an error of the installation."""
    if isinstance(error, ImportError):
        return f"a part of noughts cannot be loaded ({_what(error)}): install it again, with pip install noughts"
    return (
        f"internal error of noughts ({_what(error)}{_where(error)}): please report the command and this line; "
        "NOUGHTS_TRACEBACK=1 shows more"
    )


def _what(error: BaseException, longest: int = _LONGEST) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception:  # an error whose text fails
        text = ""
    name = type(error).__name__
    return f"{name}: {shown(text, longest)}" if text else name


def _where(error: Exception) -> str:
    """Return the last line of noughts in the traceback of an error."""
    from pathlib import Path

    here = Path(__file__).parents[1]
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if here in Path(frame.filename).parents]
    return f", {Path(ours[-1].filename).relative_to(here).as_posix()} line {ours[-1].lineno}" if ours else ""


# The command `noughts`: a table of verbs, each imported when it is called.

_WRONG_NAMES = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP)
"""Errors of the system for a wrong file name."""
_FAILING_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Errors of the system for a disk or a closed file. Without a file name standard output failed."""


_NUMBER = re.compile(r"[0-9][0-9,._ ]*(/[0-9]+|%|[!^].*)?")
_CROSS = re.compile(r"[x×✕✖*]|by", re.IGNORECASE)
_DASHED = re.compile(r"-[-XO.]{2,}|(?i:-[-xo.]*(?:[,/][-xo.]+)+)")
"""A board, or a row of one, whose first cell is blank and written `-`, which would be taken for an option."""


def _verb_for(given: str, rest: list[str]) -> str | None:
    """Return the verb for a board or a number in place of a verb."""
    if _NUMBER.fullmatch(given):
        if not (rest and _CROSS.match(rest[0])):
            return "whatis"
        given, rest = given + "x" + "".join(rest[1:2]), rest[2:]
    from noughts.rules.board import Board

    try:
        Board.parse(given)
    except InputError:
        if not given[:1].isdigit() and not given.startswith("connect"):
            return None
    return "explain" if rest and not rest[0].startswith("-") else "count"


def _spell(context: click.Context, parameter: click.Parameter, given: str) -> None:
    if given == "names":
        return
    from noughts.cli.command import chosen

    if chosen(SPELLINGS, False, context, parameter, given) == "numbers" and not context.resilient_parsing:
        number_cells()


def cells_option() -> click.Option:
    """Return --cells, an option of every verb: the names of cells in all output."""
    about = "Names of cells: a1 to c3, or numbers 1 to 9 in reading order (default: names)"
    return click.Option(
        ["cells", "--cells"],
        metavar="|".join(SPELLINGS),
        default=SPELLINGS[0],
        help=about,
        expose_value=False,
        is_eager=True,
        callback=_spell,
    )


def command_for(name: str) -> click.Command:
    """Return the command of a verb: what only verbs need is imported here."""
    from noughts.cli.command import verb_command

    found = verb_command(name)
    found.params.append(cells_option())
    return found


class _Verbs(click.Group):
    """A group that imports a verb only when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write boards that begin with `-` with points, then parse; what follows `--` stays as it is."""
        end = args.index("--") if "--" in args else len(args)
        given = [word.replace("-", ".") if _DASHED.fullmatch(word) else word for word in args[:end]]
        return super().parse_args(ctx, [*given, *args[end:]])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        given, rest = plain(args[0]).lower(), args[1:]
        if rest and f"{given} {rest[0]}" in BELOW:
            given, rest = f"{given} {rest[0]}", rest[1:]
        elif given == "blindfold" and rest[:1] > [":"] and (near := nearby(rest[0], ("check", "play"))):
            raise InputError(f"{shown(rest[0])} is neither a board nor a command of blindfold{near}")
        elif given not in VERBS and not given.startswith("-"):
            if given in GONE:
                raise InputError(f"the verb {given} was removed: {GONE[given]}")
            given, rest = _verb_for(given, rest) or "", args
            if not given:
                meant = MEANT.get(plain(args[0]).lower())
                way = f"use noughts {meant}" if meant else f"noughts --help lists all{nearby(args[0], VERBS)}"
                raise InputError(f"unknown verb {shown(args[0])}: {way}")
        if given.startswith("-"):
            return super().resolve_command(ctx, [given, *rest])
        return given, command_for(given), rest

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*VERBS, *BELOW]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command_for(cmd_name) if cmd_name in VERBS or cmd_name in BELOW else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, VERBS)) + 2
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width - 2), line) for name, (_, line) in group.items()])


@click.command(cls=_Verbs, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="noughts")
@click.pass_context
def command(context: click.Context) -> None:
    """Exact answers about tic-tac-toe and its relatives.

    A BOARD is written ROWSxCOLS:K, as in 3x3, 4x5:4, 3x3x3, 3x3+torus or 4x4:3+misere. Without a verb, noughts 3x3
    counts the board, noughts 3x3 a1 b2 explains the position, and noughts 26830 looks the number up.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


command.params.append(cells_option())


def _fail(message: str, code: int) -> NoReturn:
    """Print an error on one line of bounded length, and exit."""
    say(f"noughts: {one_line(message)}")
    raise SystemExit(code)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Codes: 0 done, 1 a check failed, 2 bad input, 3 over budget, 4 a file, disk or cluster failed, 70 a fault of noughts
    itself, 130 interrupted, 143 ended by SIGTERM.
    """
    with signals_handled(lambda number: f"noughts: {_ended(number, arguments)}\n", whole=arguments is None):
        _run(arguments)


def _run(arguments: list[str] | None) -> NoReturn:
    meet_streams(whole=arguments is None)
    write_everywhere()
    if arguments is None:
        warnings.showwarning = lambda message, *_: say(f"noughts: {one_line(str(message))}")
    sys.set_int_max_str_digits(0)  # the number of games on 40x40 has more digits than the default limit
    try:
        with cells_as("names"):
            if "_NOUGHTS_COMPLETE" in os.environ:  # a shell asks
                command.main(arguments, prog_name="noughts")
            from noughts.cli.progress import attended

            given = sys.argv[1:] if arguments is None else list(arguments)
            if given[:1] == ["help"]:
                given = [*given[1:], "--help"]
            elif given == ["version"]:
                given = ["--version"]
            with command.make_context("noughts", given) as context, attended():
                code = command.invoke(context)
        sys.stdout.flush()
    except NoughtsError as error:
        _fail(str(error), error.exit_code)
    except click.UsageError as error:
        _fail(_usage(error), 2)
    except click.exceptions.Exit as done:
        raise SystemExit(done.exit_code) from None
    except (click.Abort, EOFError, KeyboardInterrupt):
        if sys.stderr.isatty():
            say("")  # the line of ^C
        _fail(_ended(signal.SIGINT, arguments), 130)
    except Stopped as stopped:
        _fail(_ended(stopped.args[0], arguments), 128 + stopped.args[0])
    except BrokenPipeError:
        discard_rest(sys.stdout)
        raise SystemExit(0) from None
    except Exception as error:  # every other error ends as a sentence with a code
        _fail(*_unexpected(error))
    raise SystemExit(code if isinstance(code, int) else 0)


def _unexpected(error: Exception) -> tuple[str, int]:
    """Return the message and the code of an unexpected error."""
    if is_lack_of_memory(error):
        return lack_of_memory(error), 3
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        if error.filename is None and error.errno in _FAILING_DISK:
            discard_rest(sys.stdout)
            return f"cannot write to standard output: {reason}; use -o FILE or another place", 4
        if error.errno == errno.ENOENT and not _has_folder():
            return "the current folder does not exist any more: change to another folder", 4
        return f"{error.filename or 'a file'}: {reason}", 2 if error.errno in _WRONG_NAMES else 4
    if way := way_to(error):
        say(way.rstrip("\n"))
    return fault(error), FAULT


def _has_folder() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _ended(number: int, arguments: list[str] | None) -> str:
    """Return the message for a signal, and how to resume the work."""
    resumes = "--resume" in (sys.argv[1:] if arguments is None else arguments)
    hows = {signal.SIGINT: "interrupted", signal.SIGXCPU: "the limit on processor time is reached"}
    return hows.get(signal.Signals(number), "ended by a signal") + (
        "; the same command resumes from the last saved state" if resumes else ""
    )


def _usage(error: click.UsageError) -> str:
    """Return the message of a usage error, with the command for help."""
    where = error.ctx.command_path.strip() if error.ctx else "noughts"
    if isinstance(error, click.NoSuchOption) and error.ctx:
        known = [name[2:] for each in error.ctx.command.get_params(error.ctx) for name in each.opts if name[:2] == "--"]
        near = nearby(error.option_name.lstrip("-"), known, written="--{}")
        return f"unknown option {shown(error.option_name)}: {where} --help lists all{near}"
    sentence = " ".join(error.format_message().split()).rstrip(".")
    return f"{sentence}: see {where} --help"
