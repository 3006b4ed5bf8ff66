"""Both players blind: how large the game is, and between which values it lies.

A player's information set is the history of own calls and answers. Which histories a player can have does not depend
on whether the opponent sees: a blind opponent can play every sequence of moves that a sighted one can, for its own
collisions leave no trace. So each player's histories are counted in the game where only that player is blind.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from noughts.blindfold.analysis import Analysis
from noughts.blindfold.answer import BlindAnswer, solve_blindfold
from noughts.blindfold.merged import MergedGame
from noughts.blindfold.rules import BlindRules
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError

__all__ = ["both_blind"]

_CELL_LIMIT = 12


def both_blind(board: Board, rules: BlindRules, wanted: set[str]) -> BlindAnswer:
    """Return sizes for both players, and bounds on X's value.

    X gets at least what a blind X gets from a sighted O, and at most what a sighted X gets from a blind O: seeing
    more never hurts. The second bound needs a linear program and is worked out when `wanted` holds `value`.
    """
    if board.cells > _CELL_LIMIT:
        raise BudgetError(
            f"histories are counted for boards of up to {_CELL_LIMIT} cells, and {board} has {board.cells}"
        )
    found = BlindAnswer(board, rules, "never-lose")
    found.sizes = {player: _histories(board, replace(rules, blind=player)) for player in ("X", "O")}
    parts = wanted & {"value"}
    x_blind = solve_blindfold(board, replace(rules, blind="X"), parts=parts)
    o_blind = solve_blindfold(board, replace(rules, blind="O"), parts=parts)
    low = x_blind.value_bounds[0] if x_blind.value_bounds else Fraction(-1)
    high = -o_blind.value_bounds[0] if o_blind.value_bounds else Fraction(1)
    found.value_bounds = (low, high)
    if low == high:
        found.value = low
    found.value_proof = "a blind X against a sighted O, and a sighted X against a blind O"
    if "value" not in wanted:
        found.left_out.append("value")
    return found


def _histories(board: Board, rules: BlindRules) -> int:
    return Analysis(MergedGame(board, rules)).histories()
