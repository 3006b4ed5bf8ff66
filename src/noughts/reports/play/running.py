"""The running score of many games: who is likely to be ahead, and by how much."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from noughts.domain.decimals import decimal
from noughts.reports.forms import Forms, chart_forms, report_forms
from noughts.reports.page import How, Look, Report, try_next
from noughts.reports.play.payoff import unnamed
from noughts.reports.play.place import place, points_option
from noughts.reports.tables import Table
from noughts.strategy.running import Running

if TYPE_CHECKING:
    from noughts.drawing.svg import Svg

__all__ = ["forms", "report"]


def forms(found: Running, look: Look) -> Forms:
    """Return a running score in every form; the picture has the chances at the end as bars."""

    def chart() -> Svg:
        from noughts.drawing.chart import draw_shares

        shares = [("first ahead", found.ahead), ("level", found.level), ("second ahead", found.behind)]
        turns = ", taking turns with X" if found.swap else ""
        title = f"{found.board}, {found.games:,} games: first {found.x}, second {found.o}{turns}"
        return draw_shares(shares, title, look.theme, [_chance(share) for _, share in shares])

    return {**report_forms(lambda: report(found), found.as_dict, look), **chart_forms(chart, look=look)}


def _deviation(variance: Fraction) -> str:
    """Return the square root of a variance in words: exactly where it is 0, and never rounded to it."""
    if not variance:
        return "0"
    root = sqrt(variance)
    return f"about {root:.4f}" if root >= 0.0001 else f"about {root:.1e}"


def report(found: Running) -> Report:
    """Return what there is to say about a running score."""
    start = f" from {found.start}" if found.start.ply else ""
    turns = "they take turns with X" if found.swap else "the first plays X"
    games = f"{found.games:,} game{'s' * (found.games != 1)}"
    said = (
        f"{found.board}{start}, {games} of {found.x} (first) against {found.o} (second), {turns}: the first player "
        f"expects to be {_ahead(found)}, and is ahead with probability {_chance(found.ahead)}, level with "
        f"{_chance(found.level)} and behind with {_chance(found.behind)}."
    )
    rows = [[f"{n:,}", *map(_chance, chances)] for n, *chances in found.course]
    asked = f"noughts payoff {found.board}{place(found.start)}{points_option(found.points)}"
    return Report.of(
        [said, f"The standard deviation of the difference is {_deviation(found.variance)}."],
        unnamed(found.points, found.unnamed),
        [Table(["after games", "first ahead", "level", "second ahead"], rows)],
        [
            How("the exact distribution of one game, raised to that power; JSON has all chances as fractions."),
            try_next(
                f"noughts versus {found.board}{place(found.start)} --games 100 --swap --x perfect --o block",
                f"{asked} --games 100 --x perfect --o random",
            ),
        ],
    )


def _ahead(found: Running) -> str:
    score = found.expected
    if not score:
        return "level"
    exact = str(abs(score)) if len(str(score)) < 25 else f"about {decimal(abs(score), 6)}"
    return f"{exact} point{'s' * (abs(score) != 1)} {'ahead' if score > 0 else 'behind'}"


def _chance(chance: Fraction) -> str:
    """Return a probability to six decimals; 0 and 1 are those alone that are exactly that."""
    if chance in (0, 1):
        return str(chance)
    text = decimal(chance, 6)
    return {"0.000000": "<0.000001", "1.000000": ">0.999999"}.get(text, text)
