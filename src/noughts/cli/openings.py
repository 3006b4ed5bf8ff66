"""`noughts openings`: first moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noughts.cli.pictures import Answer, emit, picture_options, sink, tree_drawings

if TYPE_CHECKING:
    from noughts.strategy.openings import OpeningTheory

__all__ = ["openings"]


@click.command(short_help="First moves, the replies to each, and advice.")
@click.argument("board", default="3x3")
@click.option("--from", "start", metavar="POSITION", help="The moves from here, and the replies to them.")
@picture_options
def openings(board: str, start: str | None, **given: Any) -> None:
    """The first moves of BOARD up to symmetry, the replies to each, their values, and the advice that follows."""
    to = sink(**given)
    from noughts.drawing.figures import openings_picture
    from noughts.strategy.openings import openings as ask

    theory = ask(board, start)
    drawings = tree_drawings(lambda: openings_picture(theory))
    emit(Answer(table=lambda: _print(theory), record=theory.as_dict, **drawings), to)


def _print(theory: OpeningTheory) -> None:
    from noughts.reports.tables import Table, show, wrapped

    many = len(theory.openings)
    print(
        wrapped(
            f"{theory.board}: {many} first move{'s' * (many != 1)} up to symmetry, {theory.replies} replies, "
            f"{theory.losing_replies} of them lose."
        )
    )
    for sentence in theory.advice:
        print(wrapped(sentence, "  "))
    print()

    def plies(remoteness: int | None) -> str:
        return "-" if remoteness is None else str(remoteness)

    rows = []
    for opening in theory.openings:
        name, times = theory.name(opening.cell), opening.cells.bit_count()
        rows.append([name, str(times), "", opening.label or "not found", plies(opening.remoteness)])
        for reply in opening.replies:
            times = reply.cells.bit_count()
            rows.append(["", str(times), theory.name(reply.cell), reply.label or "not found", plies(reply.remoteness)])
    show(Table(["first move", "cells", "reply", "then", "plies left"], rows, frozenset({0, 2, 3})))
    print()
    print("How we know: every continuation was valued, backward from the ends.")
    print("Try next:")
    print(f"  noughts openings {theory.board} -o openings.svg")
    print(f"  noughts tree {theory.board} --kind {'full --depth 2' if theory.board.misere else 'reduced'}")
