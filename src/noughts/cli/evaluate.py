"""`noughts evaluate`: what one bot is worth, exactly."""

from __future__ import annotations

from typing import cast

import click

from noughts.cli.bots import board_and_bots
from noughts.cli.bots import bot as read_bot
from noughts.cli.options import Verb, words
from noughts.cli.sink import Sink, answers

__all__ = ["evaluate"]


@click.command(cls=Verb, short_help="What a bot is worth, where it blunders, how it is beaten.")
@click.argument("bot", nargs=-1, required=True, metavar="[BOARD] BOT")
@click.option("--board", metavar="BOARD", help="The board (3x3), which may also come first.")
@click.option("--as", "role", default="both", **words("X", "O", "both"), help="The role that it plays (both).")
@click.option("--against", metavar="POLICY", default="random", help="Whom the games are against (random).")
@click.option("--from", "start", metavar="POSITION", help="Begin here.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "csv", "markdown", "latex")
def evaluate(
    bot: tuple[str, ...], board: str | None, role: str, against: str, start: str | None, limit: int | None, to: Sink
) -> None:
    """The exact value of BOT in each role, the moves with which it gives value away, and what a best response takes.

    BOT is any policy that versus takes: a name such as block, a file that ends in .json, genome:... or program:COMMAND.
    NAME=BOT goes by that name in the answer, as in mine=bot.json.
    """
    from noughts.bots.assessment import Role
    from noughts.bots.assessment import evaluate as ask
    from noughts.rules.errors import InputError
    from noughts.rules.game import LISTED_CLASSES
    from noughts.verbs.evaluate import forms

    on, named = board_and_bots(bot, board)
    if len(named) != 1:
        given = "no bot is" if not named else f"{len(named)} bots are"
        raise InputError(f"{given} given: name one to evaluate, or ask noughts match for several against each other")
    one, other = read_bot(on, named[0]), read_bot(on, against)
    found = ask(one, on, start, as_=cast(Role, role), against=other, limit=limit or LISTED_CLASSES)
    to.write(forms(found, to.look))
