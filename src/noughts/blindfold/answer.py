"""The answer about one blind game: all that can be said, each part where it was worked out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from noughts.blindfold.game.plans import Strategy
from noughts.blindfold.game.rules import BlindRules, Goal
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.symmetry import Permutation

__all__ = ["PARTS", "BlindAnswer", "moved"]

PARTS = ("information_sets", "smallest_strategy", "strategies", "win_probability", "value")
"""Parts that may take long on larger boards; see `api.solve_blindfold`."""


@dataclass
class BlindAnswer:
    """Everything found about one blind game; what was not worked out is None.

    `never_lose` and `always_win` tell whether the blind player can make sure of it. `safe_first_calls`, the safe
    information sets, `smallest_strategy` and `strategies` are for the goal asked: never to lose, or always to win.
    Cells are numbers; chances are against uniformly random replies; values are +1, 0, -1 for the blind player (for X
    where both are blind). Where X's opening is told, `openings` answers for each.
    """

    board: Board
    rules: BlindRules
    goal: Goal
    never_lose: bool | None = None
    always_win: bool | None = None
    safe_first_calls: list[Cell] | None = None
    information_sets: dict[str, int | None] = field(default_factory=dict)
    histories: int | None = None
    smallest_strategy: dict[Cell, int] | None = None
    strategies: int | None = None
    win_probability: dict[str, dict[Cell, Fraction] | None] = field(default_factory=dict)
    value: Fraction | None = None
    value_bounds: tuple[Fraction, Fraction] | None = None
    value_proof: str = ""
    strategy: Strategy | None = None
    strategy_is_smallest: bool = False
    openings: dict[Cell, BlindAnswer] | None = None
    sizes: dict[str, int] | None = None
    left_out: list[str] = field(default_factory=list)


def moved(answer: BlindAnswer, g: Permutation) -> BlindAnswer:
    """Return the answer for the image of an opening; without the strategy."""

    def image(values: dict[Cell, Any] | None) -> dict[Cell, Any] | None:
        return None if values is None else {cell: values[old] for cell, old in sorted((g[old], old) for old in values)}

    return replace(
        answer,
        safe_first_calls=sorted(g[cell] for cell in answer.safe_first_calls or []),
        smallest_strategy=image(answer.smallest_strategy),
        win_probability={key: image(values) for key, values in answer.win_probability.items()},
        strategy=None,
    )
