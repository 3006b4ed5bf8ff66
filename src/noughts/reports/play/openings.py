"""First moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

from noughts.domain.extent import QUICK_CLASSES, class_bound
from noughts.drawing.figures import openings_picture
from noughts.reports.forms import Forms, report_forms, tree_forms
from noughts.reports.page import How, Look, Paragraph, Report, try_next
from noughts.reports.play.how import unit, valued
from noughts.reports.tables import Table
from noughts.strategy.openings import OpeningTheory

__all__ = ["forms", "report"]


def forms(theory: OpeningTheory, look: Look) -> Forms:
    """Return opening theory in every form."""
    return {
        **report_forms(lambda: report(theory), theory.as_dict, look),
        **tree_forms(lambda: openings_picture(theory), look),
    }


def report(theory: OpeningTheory) -> Report:
    """Return what there is to say about the first moves."""
    board, start = theory.board, theory.start
    place = f" from {start}" if start.ply else ""
    asked = f"noughts openings {board}" + (f" --from '{start}'" if start.ply else "")
    is_small = class_bound(start) <= QUICK_CLASSES  # the reduced tree of a larger board may be refused
    kind = "reduced" if is_small and not board.misere else "full --depth 2"
    where = f" --from '{start}'" if start.ply else ""
    return Report.of(
        [f"{board}{place}: {theory.summary}.", *(Paragraph(sentence, "  ") for sentence in theory.advice)],
        [_table(theory), *unit(board, theory.openings)],
        [
            How(f"{valued(theory.openings, theory.engine)}."),
            try_next(f"{asked} -o openings.svg", f"noughts tree {board} --kind {kind}{where}"),
        ],
    )


def _table(theory: OpeningTheory) -> Table:
    rows = []
    for opening in theory.openings:
        name, times = theory.name(opening.cell), opening.cells.bit_count()
        rows.append([name, str(times), "", opening.label or "not found", theory.verdict(opening)])
        for reply in opening.replies:
            times, verdict = reply.cells.bit_count(), theory.verdict(reply, opening)
            rows.append(["", str(times), theory.name(reply.cell), reply.label or "not found", verdict])
    first = "first move" if not theory.start.ply else "move"
    return Table([first, "cells", "reply", "then", "verdict"], rows, frozenset({0, 2, 3, 4}))
