"""`noughts same`: are two boards the same if you turn your head or use a mirror?"""

from __future__ import annotations

import click

from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb

__all__ = ["same"]


@click.command(cls=Verb, short_help="Are two boards the same, turned or mirrored?")
@click.argument("board")
@click.argument("first")
@click.argument("second")
@answers("text", "json")
def same(board: str, first: str, second: str, to: Sink) -> None:
    """Tell whether FIRST and SECOND are the same position of BOARD, and which turn or flip shows it.

    Positions are written X.O/.X./..O, or as the moves that lead to them.
    """
    from noughts.records.comparison import same as ask
    from noughts.reports.catalogue.comparison import forms

    to.write(forms(ask(board, first, second), to.look))
