"""Schemes of points side by side, and the fairest of many."""

from __future__ import annotations

from noughts.domain.cells import cell_name
from noughts.domain.decimals import decimal
from noughts.reports.forms import Forms, report_forms
from noughts.reports.page import How, Look, Report, try_next
from noughts.reports.play.place import place
from noughts.reports.tables import Table
from noughts.strategy.fairness import Fairest, SchemeRow, Schemes

__all__ = ["comparison_forms", "fairest_forms"]

_SHOWN = 12


def comparison_forms(found: Schemes, look: Look) -> Forms:
    """Return schemes side by side, in words and as JSON."""
    return report_forms(lambda: _comparison(found), found.as_dict, look)


def fairest_forms(found: Fairest, look: Look) -> Forms:
    """Return the fairest schemes, in words and as JSON."""
    return report_forms(lambda: _fairest(found), found.as_dict, look)


def _where(found: Schemes | Fairest) -> str:
    return f"{found.start.board}{f' from {found.start}' if found.start.ply else ''}"


def _comparison(found: Schemes) -> Report:
    asked = f"noughts payoff {found.start.board}{place(found.start)}"
    head = ["scheme", "best play", "by", f"{found.x} against {found.o}", "about"]
    return Report.of(
        [f"{_where(found)}: {len(found.rows)} schemes of points. Differences are X's points less O's."],
        [Table(head, [_row(row) for row in found.rows], frozenset({0, 2}))],
        [
            How("best play by a backward pass for each scheme, expectations in exact fractions."),
            try_next(f"{asked} --fairest 5", asked),
        ],
    )


def _row(row: SchemeRow) -> list[str]:
    board, best = row.best.board, row.best
    keeping = " ".join(cell_name(board, cell) for cell, value in best.openings if value == best.difference)
    return [row.text, str(best.difference), keeping, str(row.met.difference), decimal(row.met.difference, 4)]


def _fairest(found: Fairest) -> Report:
    many, on = len(found.schemes), f"{found.start.board}{place(found.start)}"
    lines = found.texts[:_SHOWN]
    points = f"{found.most:,} point{'s' * (found.most != 1)}"
    fairest = (
        f"of {found.considered:,} schemes with up to {points} {many:,} {'is' if many == 1 else 'are equally'} fairest"
        if found.considered > 1
        else f"there is 1 scheme with up to {points}"
    )
    more = [f"and {many - _SHOWN:,} more: --format json lists them"] if many > _SHOWN else []
    said = (
        f"{_where(found)}: {fairest}: with best play of both X's points less O's come to "
        f"{found.difference}, and {found.x} against {found.o} expects {found.expected} ({decimal(found.expected, 4)})."
    )
    return Report.of(
        [said],
        [Table(["scheme"], [[line] for line in lines], frozenset({0})), *more],
        [
            "Fairest: the difference under best play nearest 0, then the expected difference between the two policies, "
            "then the fewest points in all; a win counts more for the winner than any draw.",
        ],
        [
            How("one backward pass for all schemes at once: which sets of endings X can force."),
            try_next(f"noughts payoff {on} --points '{lines[0]}'", f"noughts patterns {on}"),
        ],
    )
