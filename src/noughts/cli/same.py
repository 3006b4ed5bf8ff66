"""`noughts same`: are two boards the same if you turn your head or use a mirror?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from noughts.cli.choices import one_of
from noughts.cli.options import words

if TYPE_CHECKING:
    from noughts.records.comparison import Comparison

__all__ = ["same"]

_FORMS = ("text", "json")


@click.command(short_help="Are two boards the same, turned or mirrored?")
@click.argument("board")
@click.argument("first")
@click.argument("second")
@click.option("--format", "form", **words(*_FORMS), default="text", help="How to print.")
def same(board: str, first: str, second: str, form: str) -> None:
    """Tell whether FIRST and SECOND are the same position of BOARD, and which turn or flip shows it.

    Positions are written X.O/.X./..O, or as the moves that lead to them.
    """
    from noughts.records.comparison import compare

    one_of("--format", form, _FORMS)
    found = compare(board, first, second)
    if form == "json":
        print(json.dumps(found.as_dict(), indent=1))
    else:
        _print_for_people(found)


def _print_for_people(found: Comparison) -> None:
    from noughts.reports.tables import wrapped

    number = found.board.group().order
    if found.is_same:
        print(wrapped(f"Yes, they are the same on {found.board}: {found.words[0]}."))
    else:
        print(wrapped(f"No, they differ on {found.board}: none of its {number:,} symmetries takes one to the other."))
    print()
    arrow = "->" if found.is_same else "  "
    for i, (left, right) in enumerate(zip(_lines(str(found.first)), _lines(str(found.second)), strict=True)):
        print(f"  {left}  {arrow if i == 1 or len(str(found.first).split('/')) < 2 else '  '}  {right}".rstrip())
    print()
    if len(found.words) > 1:
        others = found.words[1:6]
        more = f"; and {len(found.words) - 6:,} more" if len(found.words) > 6 else ""
        print(wrapped(f"So do: {'; '.join(others)}{more}."))
    first, second = found.canonical
    if found.is_same:
        print(wrapped(f"How we know: both have the canonical form {first}."))
    else:
        print(wrapped(f"How we know: their canonical forms are {first} and {second}."))
    print("Try next:")
    print(f"  noughts explain {found.board} '{found.first}'")
    print(f"  noughts positions {found.board} --ply {found.first.ply}")


def _lines(text: str) -> list[str]:
    layers = [layer.split("/") for layer in text.split("|")]
    return ["   ".join(" ".join(layer[row]) for layer in layers) for row in range(len(layers[0]))]
