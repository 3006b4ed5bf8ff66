"""`noughts positions`: position classes or labelled positions, filtered, as pictures or data."""

from __future__ import annotations

from typing import Any

import click

from noughts.cli.options import Verb, rule_options, words
from noughts.cli.sink import Sink, answers

__all__ = ["positions"]

_SAME = ("labelled", "symmetry")
_LABELS = (
    "X wins",
    "X can force a win",
    "draw",
    "either can force a draw",
    "O can force a win",
    "O wins",
)


@click.command(cls=Verb, short_help="List and draw positions, by any condition.")
@click.argument("board", default="3x3")
@click.option("--same", **words(*_SAME), default="symmetry", help="Every board, or one of each class.")
@rule_options()
@click.option("--ply", type=int, metavar="N", help="With N marks.")
@click.option("--terminal", is_flag=True, help="The game is over.")
@click.option("--unfinished", is_flag=True, help="Play goes on.")
@click.option("--won", **words("X", "O", "any"), help="Won by this player, or by either.")
@click.option("--drawn", is_flag=True, help="Full, without a line.")
@click.option("--decision", is_flag=True, help="Unfinished, more than one blank cell.")
@click.option("--real-decision", is_flag=True, help="A decision with no win to take or to block.")
@click.option("--to-move", **words("X", "O"), help="Whose turn it is by the marks, finished games included.")
@click.option(
    "--label",
    **{**words(*_LABELS), "metavar": "LABEL"},
    help='Such as "X can force a win" or "either can force a draw".',
)
@click.option("--trap", is_flag=True, help="The side to move has a move that loses and another that does not.")
@click.option("--fork", is_flag=True, help="The last mover has two or more threats.")
@click.option("--symmetric", is_flag=True, help="A turn or flip keeps the position.")
@click.option("--matchbox", is_flag=True, help="A decision of X, as in MENACE.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Show the first N only; all are counted.")
@answers("text", "json", "jsonl", "csv", "markdown", "svg", "png", "pdf")
def positions(board: str, same: Any, limit: int | None, to: Sink, **conditions: Any) -> None:
    """List the position classes of BOARD, with pictures; conditions combine.

    Each class is shown by its canonical position, which names it. With --same labelled every board is listed. With
    --moves, --x-moves, --o-moves and --end (line or decided): what players who keep to these rules reach, and how many
    of their games go through each.
    """
    from noughts.analysis.records.api import positions as ask
    from noughts.verbs.positions import forms

    for name in ("won", "to_move"):
        given = conditions[name] and conditions[name].upper()
        conditions[name] = "any" if name == "won" and given == "ANY" else given
    to.write(forms(ask(board, same=same, **conditions), to.look, limit=limit))
