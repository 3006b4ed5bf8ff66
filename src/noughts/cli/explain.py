"""`noughts explain`: what to play in a position and why."""

from __future__ import annotations

import click

from noughts.cli.options import Verb, position_argument
from noughts.cli.sink import Sink, answers

__all__ = ["explain"]


@click.command(cls=Verb, short_help="What to play in a position and why.")
@click.argument("board", default="3x3")
@position_argument
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def explain(board: str, position: str | None, to: Sink) -> None:
    """What to play in POSITION of BOARD, and why: label, threats, forks, traps, forced wins.

    POSITION is written X.O/.X./..O, or as the moves that lead to it: a1 b2. Without it: the empty board. Of a finished
    game it says who has won and by which line.
    """
    from noughts.analysis.explain.explanation import explain as ask
    from noughts.verbs.explain import forms

    to.write(forms(ask(board, position), to.look))
