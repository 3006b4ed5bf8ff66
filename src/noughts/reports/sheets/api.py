"""Everything that is printed by one name: worksheets, cards, labels, posters."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.spelling import offered
from noughts.machine.progress import Progress
from noughts.reports.page import How, Report, try_next
from noughts.reports.sheets.posters import POSTERS, poster
from noughts.reports.sheets.printout import Printout
from noughts.worksheets.api import KINDS, sheet

__all__ = ["PRINTED", "printout_of"]

_CARDS = {
    "crib": "the card with every board that X has to know so as never to lose",
    "labels": "labels for the matchboxes of a machine that learns",
}
PRINTED = {**KINDS, **_CARDS, **POSTERS}
"""All that can be printed, and what it is."""


def printout_of(
    board: Board | str,
    kind: str,
    number: int | None = None,
    seed: int | str | None = None,
    *,
    theme: str = "light",
    progress: Progress | None = None,
) -> Printout:
    """Return what is to be printed. Raises InputError and BudgetError where a board has no such thing."""
    on = Board.parse(board)
    if kind not in PRINTED:
        raise InputError(f"there is no sheet {shown(kind)}: choose {offered(kind, list(PRINTED))}")
    if kind in KINDS:
        from noughts.reports.sheets import worksheet as pages

        return pages.printout(sheet(on, kind, number, seed=0 if seed is None else seed), theme)
    if number is not None or seed is not None:
        raise InputError(
            f"--kind {kind} gives the same sheet each time: leave out {'--number' if number is not None else '--seed'}"
        )
    if kind in POSTERS:
        return poster(on, kind, theme)
    return _crib(on, theme, progress) if kind == "crib" else _labels(on)


def _crib(board: Board, theme: str, progress: Progress | None) -> Printout:
    from noughts.bots.crib.api import crib
    from noughts.reports.bots import crib as pages

    found = crib(board, progress=progress)
    return Printout(
        "a card",
        lambda: pages.report(found),
        found.as_dict,
        lambda paper: pages.crib_pages(found, paper, theme),
        ("a4", "letter", "a6"),
        lambda: pages.crib_sheet(found, theme),
    )


def _labels(board: Board) -> Printout:
    from noughts.bots.menace.api import menace
    from noughts.reports.bots.matchboxes import instructions, labels_pages

    made = menace(board)

    def report() -> Report:
        boxes = len(made.cabinet.boxes)
        return Report.of(
            [f"{boxes:,} label{'s' * (boxes != 1)} for MENACE on {board}, who plays {made.player}."],
            list(instructions(made)),
            [How("one box for each position class in which the machine has a choice.")],
            [try_next(f"noughts sheet {board} --kind labels -o labels.pdf", f"noughts menace {board}")],
        )

    return Printout("a page of labels", report, made.as_dict, lambda paper: labels_pages(made, paper), ("a4", "letter"))
