"""Drawn boards up to symmetry, and which of them a player can force."""

from __future__ import annotations

from noughts.domain.extent import class_bound
from noughts.domain.position import Position
from noughts.drawing.figures import patterns_picture
from noughts.reports.forms import Forms, report_forms, tree_forms
from noughts.reports.page import Block, How, Look, Report, try_next
from noughts.reports.tables import Table
from noughts.strategy.patterns import Patterns

__all__ = ["forms", "report"]

_SHOWN = 20


def forms(found: Patterns, look: Look) -> Forms:
    """Return drawn patterns in every form."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **tree_forms(lambda: patterns_picture(found), look),
    }


def report(found: Patterns) -> Report:
    """Return what there is to say about the drawn boards."""
    board, many = found.board, len(found.patterns)
    boards = sum(pattern.boards for pattern in found.patterns)
    rows = [[p.name, str(p.position), str(p.boards)] for p in found.patterns[:_SHOWN]]
    shown: list[Block | str] = [Table(["pattern", "board", "boards"], rows, frozenset({0, 1}))]
    if many > _SHOWN:
        shown.append(f"and {many - _SHOWN} more: --format json lists them")
    return Report.of(
        [f"{board}: {many} drawn pattern{'s' * (many != 1)} up to symmetry, {boards:,} boards."],
        shown,
        [_forcing(found)],
        [
            How("one backward pass over all position classes, for all patterns at once."),
            try_next(f"noughts patterns {board} -o patterns.svg", f"noughts payoff {board}"),
        ],
    )


def _forcing(found: Patterns) -> Table | str:
    if found.forcing is None:
        bound = class_bound(Position(found.board))
        return f"What can be forced is left out: up to {bound:,} position classes; --limit {bound} computes it."
    rows = []
    for row in found.forcing:
        first = "empty board" if row.opening is None else f"after {found.opening_name(row.opening)}"
        rows.append([first, _list(row.x), _list(row.o)])
    return Table(["from", "X can force", "O can force"], rows, frozenset({0, 1, 2}))


def _list(names: tuple[str, ...]) -> str:
    if len(names) > 6:
        return f"{len(names)} of them"
    return ", ".join(names) or "none"
