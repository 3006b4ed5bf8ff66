"""`noughts openings`: first moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

import click

from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb

__all__ = ["openings"]


@click.command(cls=Verb, short_help="First moves, the replies to each, and advice.")
@click.argument("board", default="3x3")
@click.option("--from", "start", metavar="POSITION", help="The moves from here, and the replies to them.")
@click.option("--forced-wins", is_flag=True, help="All forced wins after the replies that lose, on one sheet.")
@click.option("--opening", metavar="CELL", help="Those after this move, with --forced-wins.")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def openings(board: str, start: str | None, forced_wins: bool, opening: str | None, to: Sink) -> None:
    """The first moves of BOARD up to symmetry, the replies to each, their values, and the advice that follows."""
    from noughts.domain.errors import InputError
    from noughts.reports.play import punishments
    from noughts.reports.play.openings import forms
    from noughts.strategy.openings import openings as ask
    from noughts.strategy.punishments import punishments as punish

    if not forced_wins:
        if opening is not None:
            raise InputError("--opening is about forced wins: add --forced-wins, or ask with --from for the position")
        to.write(forms(ask(board, start), to.look))
        return
    if to.form == "dot":
        raise InputError("forced wins are a sheet of boards, and no graph: use one of table, json, svg, png, pdf, text")
    to.write(punishments.forms(punish(board, start, opening=opening), to.look))
