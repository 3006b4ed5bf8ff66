"""`noughts patterns`: drawn boards up to symmetry, and which of them a player can force."""

from __future__ import annotations

import click

from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb

__all__ = ["patterns"]


@click.command(cls=Verb, short_help="Drawn boards, and which of them a player can force.")
@click.argument("board", default="3x3")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def patterns(board: str, limit: int | None, to: Sink) -> None:
    """The drawn full boards of BOARD up to symmetry, and which of them X and O can force.

    A player forces a pattern who can make sure of it or of a win.
    """
    from noughts.domain.extent import LISTED_CLASSES
    from noughts.reports.play.patterns import forms
    from noughts.strategy.patterns import patterns as ask

    to.write(forms(ask(board, limit=limit or LISTED_CLASSES), to.look))
