"""What every verb reads alike: boards and positions typed as several words, and options, which are given once.

Of an option that is given twice click would keep the last and forget the other without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.linefile import board_of_lines
from noughts.domain.specification import ENDING
from noughts.machine.reading import read_text

__all__ = ["Verb", "position_argument", "read_board"]

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
