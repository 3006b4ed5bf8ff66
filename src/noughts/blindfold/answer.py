"""The answer about one blind game: all that can be said, each part where it was worked out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any

from noughts.blindfold.game.plans import Strategy
from noughts.blindfold.game.rules import BlindRules, Goal
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import frozen, short
from noughts.domain.symmetry import Permutation

__all__ = ["PARTS", "BlindAnswer", "moved"]

PARTS = ("information_sets", "smallest_strategy", "strategies", "win_probability", "value")
"""Parts that may take long on larger boards; see `api.solve_blindfold`."""


@dataclass(frozen=True, repr=False)
class BlindAnswer:
    """Everything found about one blind game; what was not worked out is None.

    `never_lose` and `always_win` tell whether the blind player can make sure of it. `safe_first_calls`, the safe
    information sets, `smallest_strategy` and `strategies` are for the goal asked: never to lose, or always to win;
    `winning_first_calls` are those after which the win is certain, whatever the goal.
    Cells are numbers; chances are against uniformly random replies; values are +1, 0, -1 for the blind player (for X
    where both are blind). Where X's opening is told, `openings` answers for each. `first`, `opening`, `never_lose_too`
    and `parts` are what was asked, as in `api.solve_blindfold`.
    """

    board: Board
    rules: BlindRules
    goal: Goal
    never_lose: bool | None = None
    always_win: bool | None = None
    safe_first_calls: tuple[Cell, ...] | None = None
    winning_first_calls: tuple[Cell, ...] | None = None
    information_sets: Mapping[str, int | None] = field(default_factory=dict)
    histories: int | None = None
    smallest_strategy: Mapping[Cell, int] | None = None
    strategies: int | None = None
    win_probability: Mapping[str, Mapping[Cell, Fraction] | None] = field(default_factory=dict)
    value: Fraction | None = None
    value_bounds: tuple[Fraction, Fraction] | None = None
    value_proof: str = ""
    strategy: Strategy | None = None
    strategy_is_smallest: bool = False
    openings: Mapping[Cell, BlindAnswer] | None = None
    sizes: Mapping[str, int] | None = None
    left_out: tuple[str, ...] = ()
    first: Cell | None = None
    opening: Cell | None = None
    never_lose_too: bool = False
    parts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part in fields(self):
            object.__setattr__(self, part.name, frozen(getattr(self, part.name)))

    def __repr__(self) -> str:
        found = f"never_lose={self.never_lose}, always_win={self.always_win}"
        return f"<BlindAnswer on {short(self.board)}, blind {self.rules.blind}, {self.goal}: {found}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as a record; counts are decimal strings, what was not worked out is None."""
        board, rules = self.board, self.rules

        def named(values: Mapping[Cell, Any] | None) -> dict[str, Any] | None:
            return None if values is None else {cell_name(board, cell): _plain(value) for cell, value in values.items()}

        sets = {key: _count(self.information_sets.get(key)) for key in ("all", "safe", "all_classes", "safe_classes")}
        found: dict[str, Any] = {
            "board": board.spec,
            "blind": rules.blind,
            "opening_told": rules.opening_told,
            "collision": rules.collision,
            "told": rules.told,
            "goal": self.goal,
            "never_lose": self.never_lose,
            "always_win": self.always_win,
            "safe_first_calls": _names(board, self.safe_first_calls),
            "winning_first_calls": _names(board, self.winning_first_calls),
            "information_sets": sets,
            "histories": _count(self.histories),
            "smallest_strategy": named(self.smallest_strategy),
            "strategies": _count(self.strategies),
            "win_probability": {key: named(self.win_probability.get(key)) for key in ("never_lose", "any")},
            "value": _plain(self.value),
            "value_bounds": None if self.value_bounds is None else [str(bound) for bound in self.value_bounds],
            "strategy": None if self.strategy is None else self.strategy.as_dict(),
            "left_out": list(self.left_out),
        }
        if self.sizes is not None:
            found["sizes"] = {player: str(count) for player, count in self.sizes.items()}
        if self.openings is not None:
            found["openings"] = {cell_name(board, cell): one._short() for cell, one in self.openings.items()}
        return found

    def _short(self) -> dict[str, Any]:
        found = self.as_dict()
        return {key: found[key] for key in _OF_AN_OPENING}


_OF_AN_OPENING = (
    "never_lose",
    "always_win",
    "safe_first_calls",
    "winning_first_calls",
    "smallest_strategy",
    "win_probability",
    "value",
    "value_bounds",
)


def _names(board: Board, cells: tuple[Cell, ...] | None) -> list[str] | None:
    return None if cells is None else [cell_name(board, cell) for cell in cells]


def _count(value: int | None) -> str | None:
    return None if value is None else str(value)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def moved(answer: BlindAnswer, g: Permutation) -> BlindAnswer:
    """Return the answer for the image of an opening; without the strategy."""

    def image(values: Mapping[Cell, Any] | None) -> dict[Cell, Any] | None:
        return None if values is None else {cell: values[old] for cell, old in sorted((g[old], old) for old in values)}

    winning = answer.winning_first_calls
    return replace(
        answer,
        safe_first_calls=tuple(sorted(g[cell] for cell in answer.safe_first_calls or ())),
        winning_first_calls=None if winning is None else tuple(sorted(g[cell] for cell in winning)),
        smallest_strategy=image(answer.smallest_strategy),
        win_probability={key: image(values) for key, values in answer.win_probability.items()},
        strategy=None,
        opening=None if answer.opening is None else g[answer.opening],
    )
