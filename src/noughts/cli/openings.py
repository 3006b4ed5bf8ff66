"""`noughts openings`: first moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

import click

from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb

__all__ = ["openings"]


@click.command(cls=Verb, short_help="First moves, the replies to each, and advice.")
@click.argument("board", default="3x3")
@click.option("--from", "start", metavar="POSITION", help="The moves from here, and the replies to them.")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def openings(board: str, start: str | None, to: Sink) -> None:
    """The first moves of BOARD up to symmetry, the replies to each, their values, and the advice that follows."""
    from noughts.reports.play.openings import forms
    from noughts.strategy.openings import openings as ask

    to.write(forms(ask(board, start), to.look))
