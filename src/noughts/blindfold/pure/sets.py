"""Counting information sets: all and those under good calls, labelled and up to the symmetries of the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from noughts.blindfold.game.merged import Knowledge
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.pure.analysis import Analysis
from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board

__all__ = ["count_sets"]


def count_sets(board: Board, rules: BlindRules, analysis: Analysis[Any]) -> dict[str, int | None]:
    """Return `all`, `safe`, `all_classes` and `safe_classes`.

    Where the player is told something an information set is what the player knows: `Knowledge`. Where nothing is told
    it is the list of calls so far.
    """
    pairs = {name: _count(board, rules, analysis, good_only=name == "safe") for name in ("all", "safe")}
    labelled: dict[str, int | None] = {name: pair[0] for name, pair in pairs.items()}
    return labelled | {f"{name}_classes": pair[1] for name, pair in pairs.items()}


def _count(board: Board, rules: BlindRules, analysis: Analysis[Any], *, good_only: bool) -> tuple[int, int | None]:
    if hasattr(analysis, "sets"):
        found: tuple[int, int] = analysis.sets(good_only=good_only)
        return found
    if good_only and not analysis.is_possible():
        return 0, 0
    if rules.told == "nothing":
        return _lists(board, analysis, good_only=good_only)
    states = analysis.reachable(good_only=good_only)
    return len(states), _classes(board, states)


def _classes(board: Board, states: Iterable[Knowledge]) -> int:
    images = board.group().images

    def canonical(state: Knowledge) -> tuple[Mask, Mask, Mask, int]:
        return (*min([(image(state.own), image(state.known), image(state.last)) for image in images]), state.hidden)

    return len({canonical(state) for state in states})


def _lists(board: Board, analysis: Analysis[Any], *, good_only: bool) -> tuple[int, int]:
    """Count lists so far, and their orbits: a symmetry fixes a list when it fixes each of its cells (Burnside)."""
    group = board.group()
    total = sum(_fixed(board, analysis, element, good_only) for element in group.elements)
    everything = _fixed(board, analysis, tuple(range(board.cells)), good_only)
    return everything, total // group.order


def _fixed(board: Board, analysis: Analysis[Any], element: tuple[int, ...], good_only: bool) -> int:
    fixed = sum(1 << cell for cell in range(board.cells) if element[cell] == cell)
    seen: dict[Any, int] = {}

    def count(state: Any) -> int:
        if state not in seen:
            calls = analysis.good_calls(state) if good_only else analysis.game.calls(state)
            seen[state] = 1 + sum(
                count(after) for call in calls if fixed >> call.cell & 1 for _, after in call.branches
            )
        return seen[state]

    starts = analysis.root.branches
    return sum(count(state) for answer, state in starts if all(fixed >> c & 1 for c in cells_of(answer.told)))
