"""`noughts patterns`: drawn boards up to symmetry, and which of them a player can force."""

from __future__ import annotations

import click

from noughts.cli.bots import policy_path, save_policy
from noughts.cli.options import Verb, words
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

__all__ = ["patterns"]


@click.command(cls=Verb, short_help="Drawn boards, and which of them a player can force.")
@click.argument("board", default="3x3")
@click.option("--from", "start", metavar="POSITION", help="What can still be forced from here.")
@click.option(
    "--force", "pattern", metavar="NAMES", help="How to force one of these, Arrow or Arrow,Island; draw for all."
)
@click.option("--by", "player", **words("X", "O"), help="Who is to force it (whoever can, X first).")
@click.option("--save", metavar="FILE.json", help="Write the strategy of --force as a policy that versus plays.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def patterns(
    board: str,
    start: str | None,
    pattern: str | None,
    player: str | None,
    save: str | None,
    limit: int | None,
    to: Sink,
) -> None:
    """The drawn full boards of BOARD up to symmetry, and which of them X and O can force.

    A player forces a pattern who can make sure of it or of a win. With --force the strategy of whoever can force it, or
    of the other, who prevents it: in sentences, as a tree, as a picture.
    """
    from noughts.analysis.payoff.patterns import force
    from noughts.analysis.payoff.patterns import patterns as ask
    from noughts.rules.errors import InputError
    from noughts.rules.game import LISTED_CLASSES
    from noughts.verbs import guarantee
    from noughts.verbs.patterns import forms

    path, most = policy_path(save), limit or LISTED_CLASSES
    if pattern is None:
        if player is not None or path is not None:
            raise InputError(f"{'--by' if player else '--save'} is about the strategy for a pattern: add --force NAME")
        to.write(forms(ask(board, start, limit=most, progress=progress_line()), to.look))
        return
    found = force(board, start, pattern=pattern, player=player, limit=most, progress=progress_line())
    if path is not None:
        save_policy(path, found.policy_as_dict())
    to.write(guarantee.forms(found, to.look))
