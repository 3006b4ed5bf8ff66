"""`noughts draw`: one board as a figure to publish."""

from __future__ import annotations

import click

from noughts.cli.options import Verb, position_argument, require_sense
from noughts.cli.sink import Sink, answers

__all__ = ["draw"]


@click.command(cls=Verb, short_help="One board as a figure for a page: SVG, PNG or PDF.")
@click.argument("board", default="3x3")
@position_argument
@click.option("--arrows", metavar="ARROWS", default="", help="Arrows from cell to cell: a1-c3, or a1-c3,b2-b3.")
@click.option("--caption", metavar="TEXT", default="", help="A text below the figure.")
@click.option("--title", metavar="TEXT", help="The text above it (the board).")
@click.option("--size", type=int, metavar="N", help="The width: pixels of a PNG, units of an SVG.")
@answers("svg", "png", "pdf", "text")
def draw(
    board: str, position: str | None, arrows: str, caption: str, title: str | None, size: int | None, to: Sink
) -> None:
    """POSITION of BOARD as one figure: a title, who is to move or how the game ended, the board, and a key.

    POSITION is written X.O/.X./..O, or as the moves that lead to it, a1 b2 c3: then the last is pointed out. Without
    it: the empty board.
    """
    from noughts.verbs.draw import forms

    is_text = to.form == "text"
    require_sense(
        (is_text and arrows, "--arrows has no place in --format text, which has no lines to draw: leave it out"),
        (is_text and size is not None, "--size has no place in --format text, which has no pixels: leave it out"),
    )
    to.write(forms(board, position, to.look, size=size, title=title, caption=caption, arrows=arrows))
