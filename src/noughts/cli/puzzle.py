"""`noughts puzzle`: positions with one right move, hints, answers, cards and sheets to print."""

from __future__ import annotations

from datetime import date

import click

from noughts.cli.options import Verb, is_typed
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

__all__ = ["puzzle"]

_THEMES = "fork|forced-win|win-at-once|block|only-move|double-trap|who-can-force"


@click.command(cls=Verb, short_help="Positions with one right move, hints and answers.")
@click.argument("board", default="3x3")
@click.option(
    "--number", type=click.IntRange(min=1), metavar="N", help="How many (6, or as many as there are; of a day 1)."
)
@click.option("--seed", metavar="TEXT", default="0", help="The same seed gives the same puzzles (0).")
@click.option("--about", "about", metavar=_THEMES, help="Only puzzles with this theme.")
@click.option(
    "--grade", type=click.IntRange(min=1), metavar="G", help="Only puzzles that are so hard; 1 is the easiest."
)
@click.option("--goal", metavar="win|not-lose", help="Only puzzles with this goal.")
@click.option(
    "--daily",
    metavar="[DATE]",
    is_flag=False,
    flag_value="today",
    help="That of today, or of a date written year-month-day.",
)
@click.option("--hints", type=click.IntRange(0, 3), default=0, metavar="N", help="With the first N of three hints.")
@answers(
    "table",
    "json",
    "jsonl",
    "anki",
    "svg",
    "png",
    "pdf",
    papers=("a4", "letter", "a3"),
    paper_help="Paper of a PDF (a4).",
)
def puzzle(
    board: str,
    number: int | None,
    seed: str,
    about: str | None,
    grade: int | None,
    goal: str | None,
    daily: str | None,
    hints: int,
    to: Sink,
) -> None:
    """Positions of BOARD in which one move alone wins, or one alone does not lose; the answers stand at the end.

    No two are the same, turned or mirrored. -o deck.apkg makes cards for Anki, -o sheet.pdf pages to print.
    """
    from noughts.analysis.puzzles.finding import puzzles
    from noughts.rules.errors import InputError
    from noughts.verbs.puzzle import forms

    if daily is not None and is_typed("seed"):
        raise InputError("the puzzle of a day has no seed: leave out --seed, or --daily")
    if hints and to.form not in ("table",):
        raise InputError("--hints is about the puzzles in words; json and anki have all hints, the others have none")
    found = puzzles(
        board,
        number,
        seed=seed,
        theme=about,
        grade=grade,
        goal=None if goal is None else goal.replace("-", " "),
        daily=date.today().isoformat() if daily == "today" else daily,
        progress=progress_line(),
    )
    to.write(forms(found, to.look, hints=hints))
