"""`noughts payoff`: points for each way a game can end, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noughts.cli.pictures import Answer, emit, picture_options, sink, tree_drawings

if TYPE_CHECKING:
    from noughts.strategy.payoff import Payoff

__all__ = ["payoff"]


@click.command(short_help="Points for each ending, and what they come to.")
@click.argument("board", default="3x3")
@click.option("--points", metavar="LIST", help="X=3-0,O=0-5,Island=0-1: points of X and of O; draw for all draws.")
@click.option("--x", "x_policy", metavar="POLICY", help="How X plays (best, for the difference of points).")
@click.option("--o", "o_policy", metavar="POLICY", help="How O plays (best, for the difference of points).")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@picture_options
def payoff(
    board: str, points: str | None, x_policy: str | None, o_policy: str | None, limit: int | None, **given: Any
) -> None:
    """What a scheme of points for BOARD comes to.

    Each side plays best for the difference of points, or by a policy: random, win, block, fork, perfect, trap:random,
    trap:block, or a file of moves that ends in .json.
    """
    to = sink(**given)
    from noughts.domain.extent import LISTED_CLASSES
    from noughts.drawing.figures import payoff_picture
    from noughts.strategy.payoff import payoff as ask
    from noughts.strategy.versus import BEST

    x = None if x_policy == BEST else x_policy
    o = None if o_policy == BEST else o_policy
    found = ask(board, points, x=x, o=o, limit=limit or LISTED_CLASSES)
    drawings = tree_drawings(lambda: payoff_picture(found))
    emit(Answer(table=lambda: _print(found), record=found.as_dict, **drawings), to)


def _print(found: Payoff) -> None:
    from noughts.domain.cells import cell_name
    from noughts.reports.tables import Table, show, wrapped

    if found.x_points is None or found.o_points is None:
        print(wrapped(f"{found.board}: with best play of both, X's points less O's come to {found.difference}."))
    else:
        x, o = (f"{points} ({float(points):.4f})" for points in (found.x_points, found.o_points))
        said = f"X expects {x} points and O {o}, a difference of {found.difference}."
        print(wrapped(f"{found.board}, X {found.x}, O {found.o}: {said}"))
    print()
    ends = {"X": "X wins", "O": "O wins"}
    shown = list(found.points.items())
    rows = [[ends.get(end, end), str(x), str(o)] for end, (x, o) in shown[:12]]
    show(Table(["ending", "X gets", "O gets"], rows, frozenset({0})))
    if len(shown) > 12:
        print(f"and {len(shown) - 12} more drawn patterns: --format json lists them")
    print()
    rows = [[cell_name(found.board, cell), str(value)] for cell, value in found.openings]
    show(Table(["first move", "difference"], rows, frozenset({0})))
    print()
    print("How we know: one backward pass over all position classes, in exact fractions.")
    print("Try next:")
    print(f"  noughts payoff {found.board} --x random --o random")
    print(f"  noughts patterns {found.board}")
