"""`noughts sheet`: worksheets with their answers, cards, labels and posters to print."""

from __future__ import annotations

import click

from noughts.cli.options import Verb
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

__all__ = ["sheet"]

_KINDS = (
    "win|tree|same|count|possible|who-wins|blindfold|blank|flash-cards|crib|labels|poster-classes|poster-endings|"
    "poster-tree"
)


@click.command(cls=Verb, short_help="Worksheets with answers, cards and posters to print.")
@click.argument("board", default="3x3")
@click.option("--kind", default="win", metavar=_KINDS, help="What to print (win).")
@click.option("--number", type=click.IntRange(min=1), metavar="N", help="How many exercises (a page or two).")
@click.option("--seed", metavar="TEXT", help="The same seed gives the same sheet (0).")
@answers(
    "table", "json", "svg", "png", "pdf",
    papers=("a4", "letter", "a3", "a2", "a6"), paper_help="Paper to print on (a4; posters a3).",
    paper_wants="--paper is about pages to print: add --format pdf, svg or png", paged=True,
)  # fmt: skip
def sheet(board: str, kind: str, number: int | None, seed: str | None, to: Sink) -> None:
    """Exercises about BOARD to print, with the answers on pages of their own; -o sheet.pdf makes the pages.

    win: find the winning move; tree: finish the game tree; same: which boards are the same; count: how many games can
    follow; possible: can play lead here; who-wins; blindfold: follow a strategy without seeing; blank: boards to play
    on. Then cards with two sides, the card that never loses, labels for matchboxes, and posters of all positions, all
    endings and the reduced tree.
    """
    from noughts.verbs.sheet import printout_of
    from noughts.verbs.worksheet import printout_forms

    made = printout_of(board, kind, number, seed, theme=to.look.theme, progress=progress_line())
    to.write(printout_forms(made, to.look))
