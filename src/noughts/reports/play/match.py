"""Two policies against each other: exact probabilities, and the best response."""

from __future__ import annotations

from noughts.drawing.figures import match_chart
from noughts.reports.forms import Forms, chart_forms, report_forms
from noughts.reports.page import How, Look, Report, try_next
from noughts.reports.tables import Table
from noughts.strategy.versus import Match

__all__ = ["forms", "report"]


def forms(found: Match, look: Look) -> Forms:
    """Return a match in every form."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **chart_forms(lambda: match_chart(found, look.theme), look=look),
        "text": lambda: f"X wins {found.x_wins}\nO wins {found.o_wins}\ndraw {found.draws}\n",
    }


def report(found: Match) -> Report:
    """Return what there is to say about a match."""
    board = found.board
    start = f" from {found.start}" if found.start.ply else ""
    said = [
        f"{board}{start}, X {found.x} against O {found.o}: X wins with probability {found.x_wins}, "
        f"O with {found.o_wins}, and {found.draws} are draws."
    ]
    if found.best_response:
        sign = 1 if found.best_response == "X" else -1
        said.append(f"The best response of {found.best_response} is worth {sign * found.value}: P(win) - P(loss).")
    rows = [
        [name, str(chance), f"{float(chance):.6f}"]
        for name, chance in (("X wins", found.x_wins), ("O wins", found.o_wins), ("draw", found.draws))
    ]
    return Report.of(
        said,
        [Table(["outcome", "probability", "about"], rows, frozenset({0}))],
        [
            How("one recursion over all positions that the policies reach, in exact fractions."),
            try_next(
                f"noughts versus {board} --x best --o {found.o if found.o != 'best' else 'random'}",
                f"noughts tree {board} --kind policy --x perfect --o random --depth 3",
            ),
        ],
    )
