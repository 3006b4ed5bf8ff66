"""`noughts match`: bots against each other, every pair both ways, exactly."""

from __future__ import annotations

import click

from noughts.cli.bots import board_and_bots, bot
from noughts.cli.options import Verb
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

__all__ = ["match"]


@click.command(cls=Verb, short_help="Bots against each other, every pair both ways, exactly.")
@click.argument("bots", nargs=-1, required=True, metavar="[BOARD] BOT BOT...")
@click.option("--board", metavar="BOARD", help="The board (3x3), which may also come first.")
@click.option("--from", "start", metavar="POSITION", help="Begin here.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "csv", "markdown", "latex")
def match(bots: tuple[str, ...], board: str | None, start: str | None, limit: int | None, to: Sink) -> None:
    """The exact chances of every pair of bots, each once with X and once with O, and who is never beaten.

    A BOT is any policy that versus takes: random, win, block, fork, perfect, quickest, trap:random, trap:block, easy,
    medium, hard, a file that ends in .json, genome:..., program:COMMAND, or best, which answers each of the others as
    well as can be. NAME=BOT goes by that name in the answer, as in mine=bot.json.
    """
    from noughts.bots.crosstable import match as ask
    from noughts.rules.game import LISTED_CLASSES
    from noughts.verbs.match import forms

    on, named = board_and_bots(bots, board)
    found = ask(on, [bot(on, each) for each in named], start, limit=limit or LISTED_CLASSES, progress=progress_line())
    to.write(forms(found, to.look))
