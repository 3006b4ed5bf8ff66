"""`noughts review`: a game move by move, where it was given away, and what was better."""

from __future__ import annotations

import click

from noughts.cli.options import Verb
from noughts.cli.sink import Sink, answers

__all__ = ["review"]


@click.command(cls=Verb, short_help="A game move by move, and where it was given away.")
@click.argument("board")
@click.argument("moves", nargs=-1, metavar="MOVES")
@answers(
    "table", "json", "markdown", "svg", "png", "pdf", papers=("a4", "letter", "a3"), paper_help="Paper of a PDF (a4)."
)
def review(board: str, moves: tuple[str, ...], to: Sink) -> None:
    """What each of MOVES on BOARD was worth, which of them lost or gave up a win, what was better, and why.

    MOVES are written in their order, X first: a1 b2 c3. The game may go on after them.
    """
    from noughts.analysis.explain.review import review as ask
    from noughts.verbs.review import forms

    to.write(forms(ask(board, " ".join(moves)), to.look))
