"""First moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

from noughts.drawing.figures import openings_picture
from noughts.reports.forms import Forms, report_forms, tree_forms
from noughts.reports.page import How, Look, Paragraph, Report, try_next
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
    board, many = theory.board, len(theory.openings)
    said = (
        f"{board}: {many} first move{'s' * (many != 1)} up to symmetry, {theory.replies} replies, "
        f"{theory.losing_replies} of them lose."
    )
    return Report.of(
        [said, *(Paragraph(sentence, "  ") for sentence in theory.advice)],
        [_table(theory)],
        [
            How("every continuation was valued, backward from the ends."),
            try_next(
                f"noughts openings {board} -o openings.svg",
                f"noughts tree {board} --kind {'full --depth 2' if board.misere else 'reduced'}",
            ),
        ],
    )


def _table(theory: OpeningTheory) -> Table:
    def plies(remoteness: int | None) -> str:
        return "-" if remoteness is None else str(remoteness)

    rows = []
    for opening in theory.openings:
        name, times = theory.name(opening.cell), opening.cells.bit_count()
        rows.append([name, str(times), "", opening.label or "not found", plies(opening.remoteness)])
        for reply in opening.replies:
            times = reply.cells.bit_count()
            rows.append(["", str(times), theory.name(reply.cell), reply.label or "not found", plies(reply.remoteness)])
    return Table(["first move", "cells", "reply", "then", "plies left"], rows, frozenset({0, 2, 3}))
