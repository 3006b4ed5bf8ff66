"""`noughts whatis`: which convention gives a number."""

from __future__ import annotations

import click

from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb

__all__ = ["whatis"]


@click.command(cls=Verb, short_help="Which convention gives this number?")
@click.argument("number")
@click.option("--all", "everything", is_flag=True, help="List every reading, not only the first few.")
@answers("table", "json")
def whatis(number: str, everything: bool, to: Sink) -> None:
    """Which convention gives NUMBER, or the nearest ones.

    NUMBER may be written 26830, 31,896, 9! or 3^9.
    """
    from noughts.counting.conventions.lookup import whatis as ask
    from noughts.reports.counts.lookup import forms

    to.write(forms(ask(number), to.look, everything=everything))
