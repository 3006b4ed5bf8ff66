"""`noughts openings`: first moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

import click

from noughts.cli.options import Verb
from noughts.cli.sink import Sink, answers

__all__ = ["openings"]


@click.command(cls=Verb, short_help="First moves, the replies to each, and advice.")
@click.argument("board", default="3x3")
@click.option("--from", "start", metavar="POSITION", help="The moves from here, and the replies to them.")
@click.option("--forced-wins", is_flag=True, help="All forced wins after the replies that lose, on one sheet.")
@click.option("--opening", metavar="CELL", help="Those after this move, with --forced-wins.")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def openings(board: str, start: str | None, forced_wins: bool, opening: str | None, to: Sink) -> None:
    """The first moves of BOARD up to symmetry, the replies to each, their values, and the advice that follows."""
    from noughts.analysis.explain.openings import openings as ask
    from noughts.analysis.explain.openings import punishments as punish
    from noughts.rules.errors import InputError
    from noughts.verbs import openings as punishments
    from noughts.verbs.openings import forms

    if not forced_wins:
        if opening is not None:
            raise InputError("--opening is about forced wins: add --forced-wins, or ask with --from for the position")
        to.write(forms(ask(board, start), to.look))
        return
    if to.form == "dot":
        raise InputError("forced wins are a sheet of boards, and no graph: use one of table, json, svg, png, pdf, text")
    to.write(punishments.punishment_forms(punish(board, start, opening=opening), to.look))
