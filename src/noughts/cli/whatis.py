"""`noughts whatis`: which convention gives a number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from noughts.cli.options import Verb, read_board
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers
from noughts.rules.board import ENDING

if TYPE_CHECKING:
    from noughts.rules.board import Board

__all__ = ["whatis"]


@click.command(cls=Verb, short_help="Which convention gives this number?")
@click.argument("words", nargs=-1, required=True, metavar="[BOARD] NUMBER")
@click.option("--all", "everything", is_flag=True, help="List every reading, not only the first few.")
@click.option(
    "--quick", is_flag=True, help="Look only at 3x3 or BOARD, both players by one rule; and what was published."
)
@answers("table", "json")
def whatis(words: tuple[str, ...], everything: bool, quick: bool, to: Sink) -> None:
    """Which convention gives NUMBER, the simplest first, or the nearest ones; with BOARD, on that board.

    BOARD may be a file of lines, bow.lines. NUMBER may be written 26830, 31,896, 9!, 3^9, 501/560, 0.89 or 58.5%.
    A number of the OEIS, A061526, or terms with commas, 1, 24, 255168, are looked up among the sequences carried here.
    """
    from noughts.analysis.meanings.known import is_sequence, look_up_sequence
    from noughts.analysis.meanings.lookup import whatis as ask
    from noughts.rules.errors import InputError
    from noughts.verbs.whatis import forms, sequence_forms

    if is_sequence(" ".join(words)):
        if everything or quick:
            raise InputError("--all and --quick are about one number: leave them out for a sequence")
        to.write(sequence_forms(look_up_sequence(" ".join(words)), to.look))
        return
    if everything and to.form == "json":
        raise InputError("--all has no place in --format json, which always lists every reading: leave it out")
    board, number = _read(words)
    spec = board if board is None or isinstance(board, str) else board.spec
    found = ask(number, board=board, quick=quick, progress=progress_line())
    to.write(forms(found, to.look, everything=everything, board=spec))


def _read(words: tuple[str, ...]) -> tuple[Board | str | None, str]:
    """Return the board, None where there is none, and the number."""
    from noughts.rules.errors import InputError, shown

    is_file = words[0].lower().endswith(ENDING)
    board_first = is_file or re.match("[0-9]+[x×][0-9]", words[0], re.IGNORECASE) is not None
    if board_first and len(words) == 1:
        raise InputError(f"{shown(words[0])} is a board: add the number, as in noughts whatis {words[0]} 765")
    if board_first:
        return (read_board(words[0]) if is_file else words[0]), " ".join(words[1:])
    return None, " ".join(words)
