"""`noughts breed`: bots that are tables, bred until one never loses."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import click

from noughts.cli.bots import policy_path, save_policy
from noughts.cli.options import Verb, words
from noughts.cli.process import ending_as_interrupted
from noughts.cli.progress import at_rest, progress_line
from noughts.cli.sink import Sink, answers

if TYPE_CHECKING:
    from noughts.analysis.policies.genome import Kind, Seat
    from noughts.bots.breeding import Generation
    from noughts.bots.fitness import Aim

__all__ = ["breed"]

_INTERRUPTED = 130


@click.command(cls=Verb, short_help="Breed bots, judged exactly, until one never loses.")
@click.argument("board", default="3x3")
@click.option("--as", "seat", default="both", **words("X", "O", "both"), help="Whom the bots play as (both).")
@click.option("--genes", default="all", **words("all", "real"), help="Breed all decisions, or the real ones (all).")
@click.option(
    "--against",
    multiple=True,
    metavar="random|block|best|each-other|FILE.json|...",
    help="An opponent, any policy (random); give it once for each.",
)
@click.option("--fitness", default="never-lose", **words("never-lose", "result"), help="What counts (never-lose).")
@click.option("--population", type=int, metavar="N", help="Bots in a generation (500).")
@click.option("--generations", type=click.IntRange(min=1), metavar="N", help="Stop after so many (1000).")
@click.option("--time", metavar="TIME", help="Stop after so long, with the best so far: 10s, 5m.")
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="What chance is drawn from (0).")
@click.option("--mutations", type=float, metavar="N", help="Genes of a child that change, on average (8).")
@click.option("--save", metavar="FILE.json", help="Write the bot as a policy file.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "csv", "markdown", "latex", "svg", "png", "pdf")
def breed(
    board: str,
    seat: str,
    genes: str,
    against: tuple[str, ...],
    fitness: str,
    population: int | None,
    generations: int | None,
    time: str | None,
    seed: int,
    mutations: float | None,
    save: str | None,
    limit: int | None,
    to: Sink,
) -> int:
    """Breed bots for BOARD: tables with a move for each decision, selected, crossed and mutated.

    Their fitness is exact, on every line of play. It ends with a bot that never loses; Ctrl-C or SIGTERM gives
    the best so far. Pictures are the learning curve.
    """
    from noughts.bots.breeding import GENERATIONS, MUTATIONS, POPULATION
    from noughts.bots.breeding import breed as ask
    from noughts.rules.game import LISTED_CLASSES
    from noughts.verbs.breed import forms

    path = policy_path(save)
    with ending_as_interrupted() as ended, _watched() as watch:
        bred = ask(
            board,
            as_=cast("Seat", seat),
            genes=cast("Kind", genes),
            against=against or ("random",),
            fitness=cast("Aim", fitness),
            population=POPULATION if population is None else population,
            mutations=MUTATIONS if mutations is None else mutations,
            generations=generations or GENERATIONS,
            seed=seed,
            time=time,
            limit=limit or LISTED_CLASSES,
            watch=watch,
        )
    if path is not None:
        save_policy(path, bred.bot.as_dict())
    to.write(forms(bred, to.look))
    return 128 + ended[0] if ended else _INTERRUPTED if bred.stopped == "interrupted" else 0


@contextmanager
def _watched() -> Iterator[Callable[[Generation], None] | None]:
    """Show the generations on standard error as they come: as curves on a terminal, elsewhere ever fewer lines."""
    if progress_line() is None:
        yield None
    elif sys.stderr.isatty():
        with _curves() as watch:
            yield watch
    else:
        yield _say


def _say(found: Generation) -> None:
    """Print generations 1, 2, 4, 8, ... in a line each."""
    from noughts.verbs.breed import generation_said

    if found.number & (found.number - 1) == 0 and found.number > _SILENT:
        at_rest()
        print(generation_said(found), file=sys.stderr, flush=True)


_SILENT = 8
"""Generations that are not worth a line in a log."""


@contextmanager
def _curves() -> Iterator[Callable[[Generation], None]]:
    """Redraw the course so far on a terminal, and wipe it in the end."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from noughts.verbs.breed import live_lines

    at_rest()
    course: list[Generation] = []
    with Live(console=Console(stderr=True), transient=True, refresh_per_second=8) as live:

        def show(found: Generation) -> None:
            course.append(found)
            live.update(Text("\n".join(live_lines(course, shutil.get_terminal_size((80, 24)).columns - 1))))

        yield show
