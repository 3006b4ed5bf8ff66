"""`noughts explain`: what to play in a position and why."""

from __future__ import annotations

import click

from noughts.cli.sink import Sink, answers

__all__ = ["explain"]


@click.command(short_help="What to play in a position and why.")
@click.argument("board", default="3x3")
@click.argument("position", nargs=-1)
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def explain(board: str, position: tuple[str, ...], to: Sink) -> None:
    """What to play in POSITION of BOARD, and why: label, threats, forks, traps, forced wins.

    POSITION is written X.O/.X./..O, or as the moves that lead to it: a1 b2. Without it: the empty board.
    """
    from noughts.reports.play.explanation import forms
    from noughts.strategy.explain import explain as ask

    to.write(forms(ask(board, " ".join(position) if position else None), to.look))
