"""`noughts payoff`: points for each way a game can end, and what they come to."""

from __future__ import annotations

import click

from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb

__all__ = ["payoff"]


@click.command(cls=Verb, short_help="Points for each ending, and what they come to.")
@click.argument("board", default="3x3")
@click.option("--points", metavar="LIST", help="X=3-0,O=0-5,Island=0-1: points of X and of O; draw for all draws.")
@click.option("--x", "x_policy", metavar="POLICY", help="How X plays (best, for the difference of points).")
@click.option("--o", "o_policy", metavar="POLICY", help="How O plays (best, for the difference of points).")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def payoff(
    board: str, points: str | None, x_policy: str | None, o_policy: str | None, limit: int | None, to: Sink
) -> None:
    """What a scheme of points for BOARD comes to.

    Each side plays best for the difference of points, or by a policy: random, win, block, fork, perfect, trap:random,
    trap:block, or a file of moves that ends in .json.
    """
    from noughts.domain.extent import LISTED_CLASSES
    from noughts.reports.play.payoff import forms
    from noughts.strategy.payoff import payoff as ask
    from noughts.strategy.versus import BEST

    x = None if x_policy == BEST else x_policy
    o = None if o_policy == BEST else o_policy
    to.write(forms(ask(board, points, x=x, o=o, limit=limit or LISTED_CLASSES), to.look))
