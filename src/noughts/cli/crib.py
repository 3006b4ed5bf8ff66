"""`noughts crib`: the smallest table that a person needs to carry, and its card."""

from __future__ import annotations

import click

from noughts.cli.bots import policy_path, save_policy
from noughts.cli.options import Verb, words
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

__all__ = ["crib"]


@click.command(cls=Verb, short_help="The smallest table that a player needs, and its card.")
@click.argument("board", default="3x3")
@click.option("--as", "player", default="X", **words("X", "O", "both"), help="Whose table (X).")
@click.option("--opening", metavar="CELL", help="X opens here.")
@click.option(
    "--goal",
    default="never-lose",
    **words("never-lose", "perfect", "win"),
    help="Never to lose, to keep the best value at every board, or to win always (never-lose).",
)
@click.option(
    "--count",
    default="own",
    **words("own", "all"),
    help="Count the boards at which the player moves, or those after every move too, endings included (own).",
)
@click.option("--from", "start", metavar="POSITION", help="Begin here.")
@click.option("--time", "time", default="60s", metavar="TIME", help="How long to look for a proof (60s).")
@click.option(
    "--engine", default="auto", **words("auto", "search", "programme"), help="How to find it (the search goes first)."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@click.option("--save", metavar="FILE.json", help="Write the table as a policy that versus plays.")
@answers(
    "table", "json", "svg", "png", "pdf",
    papers=("a6", "a4", "letter"), paper_help="Paper of the pages of a PDF: a card to carry, or a sheet (a6).",
)  # fmt: skip
def crib(
    board: str,
    player: str,
    opening: str | None,
    goal: str,
    count: str,
    start: str | None,
    time: str,
    engine: str,
    limit: int | None,
    save: str | None,
    to: Sink,
) -> None:
    """The fewest boards that a player of BOARD has to know, with one move for each, however the other plays.

    A board that is turned or mirrored is the same board; so is one shifted on a torus. -o card.pdf is a card to print:
    find the board, play the dot.
    """
    from noughts.bots.crib import crib as ask
    from noughts.rules.game import LISTED_CLASSES
    from noughts.verbs.crib import forms

    path = policy_path(save)
    found = ask(
        board,
        start,
        as_=player,
        opening=opening,
        goal=goal,
        count=count,
        time=time,
        engine=engine,
        limit=limit or LISTED_CLASSES,
        progress=progress_line(),
    )
    if path is not None:
        save_policy(path, found.as_dict())
    to.write(forms(found, to.look))
