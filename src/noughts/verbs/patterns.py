"""Drawn boards up to symmetry, and which of them a player can force."""

from __future__ import annotations

from noughts.analysis.payoff.patterns import Patterns
from noughts.drawing.figures import patterns_picture
from noughts.present.forms import Forms, report_forms, tree_forms
from noughts.present.report import Block, How, Look, Report, Table, try_next
from noughts.rules.game import class_bound
from noughts.verbs.guarantee import can_wait, place

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
    if not many:
        return Report.of(
            [f"{board}: no game ends in a draw, so there are no drawn patterns."],
            [How("every full board has a line."), try_next(f"noughts solve {board}", *_payoff(found))],
        )
    boards = sum(pattern.boards for pattern in found.patterns)
    said = f"{board}: {many} drawn pattern{'s' * (many != 1)} up to symmetry, {boards:,} board{'s' * (boards != 1)}."
    if found.start.ply:
        left = len(found.possible)
        said += f" From {found.start} {left or 'none'} of them can still come about."
    start = f" --from '{found.start}'" if found.start.ply else ""
    svg = f"noughts patterns {board}{start} -o patterns.svg"
    return Report.of(
        [said],
        _patterns(found),
        [_forcing(found)],
        [
            How("one backward pass over all position classes, for all patterns at once."),
            try_next(_strategy(found) or svg, *_payoff(found)),
        ],
    )


def _patterns(found: Patterns) -> list[Block | str]:
    rows = [[p.name, str(p.position), str(p.boards)] for p in found.patterns[:_SHOWN]]
    names = ["pattern", "board", "boards"]
    if found.start.ply:
        names.append("still possible")
        rows = [[*row, "yes" if row[0] in found.possible else "no"] for row in rows]
    shown: list[Block | str] = [Table(names, rows, frozenset({0, 1, 3}))]
    if len(found.patterns) > _SHOWN:
        shown.append(f"and {len(found.patterns) - _SHOWN} more: --format json lists them")
    return shown


def _payoff(found: Patterns) -> list[str]:
    """Return the command for points; nothing where nobody would wait for its answer."""
    return [f"noughts payoff {found.board}{place(found.start)}"] * can_wait(found.start)


def _strategy(found: Patterns) -> str:
    """Return the command for the strategy of the last pattern that somebody can force; empty where nobody can."""
    for player, names in [("X", found.forcing[0].x), ("O", found.forcing[0].o)] if found.forcing else []:
        if names:
            name = f"'{names[-1]}'" if " " in names[-1] else names[-1]
            return f"noughts patterns {found.board}{place(found.start)} --force {name} --by {player}"
    return ""


def _forcing(found: Patterns) -> Table | str:
    if found.forcing is None:
        bound = class_bound(found.start)
        computes = f"; --limit {bound} computes it" * can_wait(found.start)
        return f"What can be forced is left out: up to {bound:,} position classes{computes}."
    rows = []
    for row in found.forcing:
        here = str(found.start) if found.start.ply else "empty board"
        first = here if row.opening is None else f"after {found.opening_name(row.opening)}"
        rows.append([first, _list(row.x), _list(row.o)])
    return Table(["from", "X can force", "O can force"], rows, frozenset({0, 1, 2}))


def _list(names: tuple[str, ...]) -> str:
    if len(names) > 6:
        return f"{len(names)} of them"
    return ", ".join(names) or "none"
