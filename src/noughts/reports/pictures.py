"""Results as pictures: what a notebook shows of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noughts.records.catalogue import Catalogue
    from noughts.solving.solution import Solution
    from noughts.strategy.explain import Explanation

__all__ = ["picture"]

_DRAWN_CLASSES = 5_000
"""Classes up to which a catalogue shows the first of all; a larger one shows those of ply 2."""

_SHOWN = 200


def picture(result: Any) -> str:
    """Return the picture of a result as SVG, in the colours of its surroundings.

    A solution is shown as its board with the value of each first move, alone where every value is a search of its own;
    a record as its position, a catalogue as its first 200 classes. Raises TypeError for what cannot be drawn.
    """
    from noughts.drawing.draw import draw
    from noughts.records.catalogue import Catalogue
    from noughts.records.record import Record
    from noughts.solving.solution import Solution

    if isinstance(result, Catalogue):
        return _listed(result)
    if isinstance(result, Record):
        return draw(result.position, "auto")
    if isinstance(result, Solution):
        return draw(result.board if result.engine == "search" else _first_moves(result), "auto")
    return draw(result, "auto")


def _first_moves(solution: Solution) -> Explanation:
    from noughts.domain.position import Position
    from noughts.strategy.explain import explanation

    return explanation(Position(solution.board), solution)


def _listed(catalogue: Catalogue) -> str:
    from noughts.records.positions import positions
    from noughts.reports.catalogue.listing import forms
    from noughts.reports.page import PIPE

    board = catalogue.board
    found = positions(board) if len(catalogue) <= _DRAWN_CLASSES else positions(board, ply=2)
    return str(forms(found, PIPE, limit=_SHOWN)["svg"]())
