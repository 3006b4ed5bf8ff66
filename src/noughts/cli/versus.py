"""`noughts versus`: two policies against each other, exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.pictures import Answer, emit, picture_options, sink

if TYPE_CHECKING:
    from noughts.strategy.versus import Match

__all__ = ["versus"]

_POLICY = "random|win|block|fork|perfect|trap:random|trap:block|best|FILE.json"


@click.command(short_help="Policies against each other, exactly.")
@click.argument("board", default="3x3")
@click.option("--x", "x_policy", metavar=_POLICY, default="random", help="How X plays.")
@click.option("--o", "o_policy", metavar="POLICY", default="random", help="How O plays.")
@click.option("--from", "start", metavar="POSITION", help="Begin here.")
@click.option("--save", metavar="FILE.json", help="Write the best response as a policy file.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@picture_options
def versus(
    board: str, x_policy: str, o_policy: str, start: str | None, save: str | None, limit: int | None, **given: Any
) -> None:
    """The exact probabilities on BOARD when X and O play by policies, each choosing uniformly among its moves.

    One side may be `best`: the best response to the other. A policy file holds moves by position class.
    """
    to = sink(**given)
    from noughts.domain.errors import InputError
    from noughts.domain.extent import LISTED_CLASSES
    from noughts.drawing.figures import match_chart
    from noughts.strategy.versus import versus as ask

    found = ask(board, x_policy, o_policy, start, limit=limit or LISTED_CLASSES)
    if save is not None:
        response = found.response_as_dict()
        if response is None:
            raise InputError("--save writes the best response: ask with --x best or --o best")
        from noughts.drawing.files import write_whole

        write_whole(Path(save), (json.dumps(response, indent=1) + "\n").encode())

    def no_dot() -> str:
        raise InputError("probabilities make no graph for --format dot: use svg, png or pdf for a chart")

    answer = Answer(
        table=lambda: _print(found),
        record=found.as_dict,
        picture=lambda theme: match_chart(found, theme),
        pages=lambda _, theme: [match_chart(found, theme)],
        text=lambda: f"X wins {found.x_wins}\nO wins {found.o_wins}\ndraw {found.draws}",
        dot=no_dot,
    )
    emit(answer, to)


def _print(found: Match) -> None:
    from noughts.reports.tables import Table, show, wrapped

    start = f" from {found.start}" if found.start.ply else ""
    print(
        wrapped(
            f"{found.board}{start}, X {found.x} against O {found.o}: X wins with probability {found.x_wins}, "
            f"O with {found.o_wins}, and {found.draws} are draws."
        )
    )
    if found.best_response:
        sign = 1 if found.best_response == "X" else -1
        print(wrapped(f"The best response of {found.best_response} is worth {sign * found.value}: P(win) - P(loss)."))
    print()
    rows = [
        [name, str(chance), f"{float(chance):.6f}"]
        for name, chance in (("X wins", found.x_wins), ("O wins", found.o_wins), ("draw", found.draws))
    ]
    show(Table(["outcome", "probability", "about"], rows, frozenset({0})))
    print()
    print("How we know: one recursion over all positions that the policies reach, in exact fractions.")
    print("Try next:")
    print(f"  noughts versus {found.board} --x best --o {found.o if found.o != 'best' else 'random'}")
    print(f"  noughts tree {found.board} --kind policy --x perfect --o random --depth 3")
