"""`noughts patterns`: drawn boards up to symmetry, and which of them a player can force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noughts.cli.pictures import Answer, emit, picture_options, sink, tree_drawings

if TYPE_CHECKING:
    from noughts.strategy.patterns import Patterns

__all__ = ["patterns"]

_SHOWN = 20


@click.command(short_help="Drawn boards, and which of them a player can force.")
@click.argument("board", default="3x3")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@picture_options
def patterns(board: str, limit: int | None, **given: Any) -> None:
    """The drawn full boards of BOARD up to symmetry, and which of them X and O can force.

    A player forces a pattern who can make sure of it or of a win.
    """
    to = sink(**given)
    from noughts.domain.extent import LISTED_CLASSES
    from noughts.drawing.figures import patterns_picture
    from noughts.strategy.patterns import patterns as ask

    found = ask(board, limit or LISTED_CLASSES)
    drawings = tree_drawings(lambda: patterns_picture(found))
    emit(Answer(table=lambda: _print(found), record=found.as_dict, **drawings), to)


def _print(found: Patterns) -> None:
    from noughts.domain.extent import class_bound
    from noughts.domain.position import Position
    from noughts.reports.tables import Table, show, wrapped

    boards = sum(pattern.boards for pattern in found.patterns)
    many = len(found.patterns)
    print(wrapped(f"{found.board}: {many} drawn pattern{'s' * (many != 1)} up to symmetry, {boards:,} boards."))
    print()
    rows = [[p.name, str(p.position), str(p.boards)] for p in found.patterns[:_SHOWN]]
    show(Table(["pattern", "board", "boards"], rows, frozenset({0, 1})))
    if many > _SHOWN:
        print(f"and {many - _SHOWN} more: --format json lists them")
    print()
    if found.forcing is None:
        bound = class_bound(Position(found.board))
        print(
            wrapped(f"What can be forced is left out: up to {bound:,} position classes; --limit {bound} computes it.")
        )
    else:
        rows = []
        for row in found.forcing:
            first = "empty board" if row.opening is None else f"after {found.opening_name(row.opening)}"
            rows.append([first, _list(row.x), _list(row.o)])
        show(Table(["from", "X can force", "O can force"], rows, frozenset({0, 1, 2})))
    print()
    print("How we know: one backward pass over all position classes, for all patterns at once.")
    print("Try next:")
    print(f"  noughts patterns {found.board} -o patterns.svg")
    print(f"  noughts payoff {found.board}")


def _list(names: tuple[str, ...]) -> str:
    if len(names) > 6:
        return f"{len(names)} of them"
    return ", ".join(names) or "none"
