"""Both players blind: how large the game is, and between which values it lies.

A player's information set is the history of own calls and answers. Which histories a player can have does not depend
on whether the opponent sees: a blind opponent can play every sequence of moves that a sighted one can, for its own
collisions leave no trace. So each player's histories are counted in the game where only that player is blind.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from noughts.blindfold.answer import BlindAnswer
from noughts.blindfold.game.merged import MergedGame
from noughts.blindfold.game.plans import Plan
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.inquiry import Inquiry
from noughts.blindfold.mixed.phantom import phantom_bounds
from noughts.blindfold.pure.analysis import Analysis
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError

__all__ = ["both_blind"]

_CELL_LIMIT = 12
_ROUNDS = 40
"""Rounds of best responses: a minute or two on 3x3."""


def both_blind(board: Board, rules: BlindRules, wanted: set[str]) -> BlindAnswer:
    """Return sizes for both players, and bounds on X's value.

    X gets at least what a blind X gets from a sighted O, and at most what a sighted X gets from a blind O: seeing
    more never hurts. With `value` in `wanted` linear programs and `phantom_bounds` narrow that down.

    Raises BudgetError on boards of more than 12 cells, and where a program is too large.
    """
    if board.cells > _CELL_LIMIT:
        raise BudgetError(
            f"histories are counted for boards of up to {_CELL_LIMIT} cells, and {board} has {board.cells}"
        )
    sizes = {player: _histories(board, replace(rules, blind=player)) for player in ("X", "O")}
    sighted = [Inquiry(board, replace(rules, blind=player), "win-often", wanted & {"value"}) for player in ("X", "O")]
    answers = [inquiry.answer() for inquiry in sighted]
    low, high = _sighted_bounds(answers)
    proof = "a blind X against a sighted O, and a sighted X against a blind O"
    if (
        "value" in wanted
        and rules.told == "collision"
        and low < high
        and all(answer.strategy is not None for answer in answers)
    ):
        x_plan, o_plan = (_only_plan(answer) for answer in answers)
        bounds = phantom_bounds(board, [x_plan], [o_plan], rounds=_ROUNDS)
        low, high = max(low, bounds.lower), min(high, bounds.upper)
        proof = "mixed strategies of both players and the best responses to them, computed exactly"
    return BlindAnswer(
        board,
        rules,
        "never-lose",
        value=low if low == high else None,
        value_bounds=(low, high),
        value_proof=proof,
        sizes=sizes,
        left_out=() if "value" in wanted or low == high else ("value",),
        parts=tuple(sorted(wanted)),
    )


def _sighted_bounds(answers: list[BlindAnswer]) -> tuple[Fraction, Fraction]:
    x_blind, o_blind = (answer.value_bounds for answer in answers)
    return x_blind[0] if x_blind else Fraction(-1), -o_blind[0] if o_blind else Fraction(1)


def _only_plan(answer: BlindAnswer) -> Plan:
    assert answer.strategy is not None
    (plan,) = answer.strategy.branches.values()
    return plan


def _histories(board: Board, rules: BlindRules) -> int:
    return Analysis(MergedGame(board, rules)).histories()
