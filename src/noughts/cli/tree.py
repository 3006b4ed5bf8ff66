"""`noughts tree`: trees of position classes, as numbers and as pictures."""

from __future__ import annotations

import click

from noughts.cli.options import Verb, is_typed, require_sense, words
from noughts.cli.sink import Sink, answers

__all__ = ["tree"]

_KINDS = ("reduced", "full", "openings", "forced-wins", "policy")


@click.command(cls=Verb, short_help="The reduced game tree with scores, and other trees.")
@click.argument("board", default="3x3")
@click.option("--kind", default="reduced", **words(*_KINDS), help="Which tree.")
@click.option("--from", "start", metavar="POSITION", help="The tree below this position.")
@click.option("--opening", metavar="CELL", help="The tree after this move.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Stop after so many plies (full, policy).")
@click.option("--x", "x_policy", metavar="POLICY", default="random", help="How X plays, for --kind policy.")
@click.option("--o", "o_policy", metavar="POLICY", default="random", help="How O plays, for --kind policy.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", default=50_000, help="Refuse more nodes (50000).")
@click.option("--scoring", **words("moves", "classes"), help="Average over every move, or every distinct class once.")
@click.option("--decimals", type=int, metavar="N", help="Scores with so many decimals, in JSON besides the fractions.")
@click.option("--join", is_flag=True, help="Draw lines to the boards that stand elsewhere in a picture.")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def tree(
    board: str,
    kind: str,
    start: str | None,
    opening: str | None,
    depth: int | None,
    x_policy: str,
    o_policy: str,
    limit: int,
    scoring: str | None,
    decimals: int | None,
    join: bool,
    to: Sink,
) -> None:
    """A tree of position classes of BOARD.

    reduced: forced moves only, cut where the rest is known, with scores; full: all moves; openings: first moves and
    replies; forced-wins: every way to force a fork; policy: what two policies leave. In a picture of a tree with
    scores the best game is drawn heavy.
    """
    from noughts.analysis.trees import DRAWN_NODES
    from noughts.analysis.trees import tree as ask
    from noughts.drawing.trees import TreeStyle
    from noughts.rules.errors import InputError
    from noughts.verbs.tree import forms

    style, drawn = TreeStyle(scoring, decimals, join), to.form in ("svg", "png", "pdf")
    for typed, option in (("x_policy", "--x"), ("o_policy", "--o")):
        require_sense((is_typed(typed) and kind != "policy", f"{option} says how a side plays: add --kind policy"))
    if join and not drawn:
        raise InputError("--join draws lines in a picture: add -o tree.svg, or --format svg, png or pdf")
    if scoring and to.form == "json":
        raise InputError("JSON holds the scores by both countings: leave out --scoring")
    if drawn:
        limit = min(limit, DRAWN_NODES)
    found = ask(board, start, kind=kind, opening=opening, depth=depth, x=x_policy, o=o_policy, limit=limit)
    to.write(forms(found, to.look, style))
