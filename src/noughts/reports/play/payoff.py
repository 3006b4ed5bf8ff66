"""Points for each way a game can end, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from noughts.domain.cells import cell_name
from noughts.drawing.figures import payoff_picture
from noughts.reports.forms import Forms, report_forms, tree_forms
from noughts.reports.page import Block, How, Look, Paragraph, Report, try_next
from noughts.reports.play.place import place, points_option
from noughts.reports.tables import Table
from noughts.strategy.payoff import Payoff
from noughts.strategy.schemes import DEFAULT_POINTS, Points

__all__ = ["forms", "report", "unnamed"]

_SHOWN = 12
_ENDS = {"X": "X wins", "O": "O wins"}


def forms(found: Payoff, look: Look) -> Forms:
    """Return what a scheme of points comes to in every form."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **tree_forms(lambda: payoff_picture(found), look),
    }


def report(found: Payoff) -> Report:
    """Return what there is to say about a scheme of points."""
    board = found.board
    moves = [[cell_name(board, cell), str(value)] for cell, value in found.openings]
    return Report.of(
        [_headline(found)],
        _points(found),
        [Table(["move" if found.start.ply else "first move", "difference"], moves, frozenset({0}))],
        [
            How("one backward pass over all position classes, in exact fractions."),
            try_next(*_next(found)),
        ],
    )


def _headline(found: Payoff) -> str:
    where = f"{found.board}{f' from {found.start}' if found.start.ply else ''}"
    if found.x_points is None or found.o_points is None:
        return f"{where}: with best play of both, X's points less O's come to {found.difference}."
    x, o = (_points_in_words(points) for points in (found.x_points, found.o_points))
    said = f"X expects {x} and O {o}, a difference of {found.difference}."
    return f"{where}, X {found.x}, O {found.o}: {said}"


def _points_in_words(points: Fraction) -> str:
    about = "" if points.denominator == 1 else f" (about {float(points):.4f})"
    return f"{points} point{'s' * (points != 1)}{about}"


def _points(found: Payoff) -> list[Block | str]:
    shown = list(found.points.items())
    rows = [[_ENDS.get(end, end), str(x), str(o)] for end, (x, o) in shown[:_SHOWN]]
    blocks: list[Block | str] = [Table(["ending", "X gets", "O gets"], rows, frozenset({0}))]
    if len(shown) > _SHOWN:
        blocks.append(f"and {len(shown) - _SHOWN} more drawn patterns: --format json lists them")
    return blocks + unnamed(found.points, found.unnamed)


def unnamed(points: Points, endings: Sequence[str]) -> list[Block | str]:
    """Say which endings were not named and so keep the points of the default scheme."""
    if not endings:
        return []
    kept = [
        f"{'draws' if end.startswith('pattern ') else _ENDS.get(end, end)} {x}-{o}"
        for end, (x, o) in points.items()
        if end in endings
    ]
    listed = ", ".join(dict.fromkeys(kept))
    if all(end not in DEFAULT_POINTS for end in endings):
        return [f"Not named, and so without points: {listed}; draw=1-1 names them all."]
    return [Paragraph(f"Not named, as published: {listed}.")]


def _next(found: Payoff) -> list[str]:
    start = place(found.start)
    asked = f"noughts payoff {found.board}{start}{points_option(found.points)}"
    if found.x == found.o == "best":
        return [f"{asked} --strategy X", f"{asked} --x random --o random"]
    return [asked, f"noughts patterns {found.board}{start}"]
