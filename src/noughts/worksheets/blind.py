"""Blindfold play followed on paper: a strategy in words, and what an opponent does against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count

from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.referee import Referee
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.pure.instructions import instructions
from noughts.domain.bits import Cell, mask_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.position import Position
from noughts.worksheets.exercise import Exercise
from noughts.worksheets.lots import DRAWS, shuffled

__all__ = ["followed", "strategy_of"]

_MOST_CELLS = 12
"""Cells of a board for which a strategy is looked for: a few seconds."""
_LONGEST = 44
"""Lines of a strategy that is followed on paper, at most: a page."""


@lru_cache(maxsize=2)
def strategy_of(board: Board) -> Strategy:
    """Return a strategy with which a blind X never loses. Raises InputError where there is none that fits a page.

    Kept for two boards.
    """
    if not board.lines:
        raise InputError(f"nobody can lose on {board}, which has no line to complete, blindfold or not: try 3x3")
    if board.cells > _MOST_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells, and blindfold strategies to follow on paper are looked for on "
            f"boards of up to {_MOST_CELLS}: try 3x3"
        )
    found = solve_blindfold(board, BlindRules())
    if found.never_lose is False:
        raise InputError(
            f"a blind X cannot make sure not to lose on {board}, so there is no strategy to follow: try 3x3"
        )
    if found.strategy is None or len(instructions(found.strategy)) > _LONGEST:
        raise InputError(f"no blindfold strategy for {board} that fits a page is known here: try 3x3")
    return found.strategy


def followed(strategy: Strategy, seed: str) -> Iterator[Exercise]:
    """Yield what an opponent does, as an order in which cells are taken, and the game that the strategy plays then.

    No two of the games are the same. It ends where so many orders in a row led to nothing new.
    """
    board = strategy.board
    met: set[tuple[str, ...]] = set()
    idle = 0
    for number in count():
        order = shuffled(range(board.cells), f"{seed} blindfold {number}")
        calls, at, outcome, told = _game(strategy, order)
        if tuple(calls) in met:
            idle += 1
            if idle > DRAWS:
                return
            continue
        idle = 0
        met.add(tuple(calls))
        names = [cell_name(board, cell) for cell in order]
        yield Exercise(
            f"O takes the first blank cell of {' '.join(names)}.",
            [Position(board)],
            f"X calls {', '.join(told)}. {'A draw' if outcome == 'draw' else f'{outcome} wins'}.",
            {"order": names, "calls": calls, "outcome": outcome},
            blanks=("X calls", "ends"),
            solved=at,
        )


def _game(strategy: Strategy, order: Sequence[Cell]) -> tuple[list[str], Position, str, list[str]]:
    """Return the calls of a game, its last board, who wins, and the calls with what is answered to some."""
    board, judge = strategy.board, Referee(strategy.board, strategy.rules)
    truth = judge.start()
    plan: Plan = next(iter(strategy.branches.values()))
    calls: list[str] = []
    told: list[str] = []
    while truth.outcome is None:
        if not truth.blind_to_act:
            truth = judge.reply(truth, next(cell for cell in order if cell in judge.blanks(truth)))
            continue
        if calls:
            plan = plan.branches[truth.answer]
        truth = judge.call(truth, plan.call)
        calls.append(cell_name(board, plan.call))
        told.append(calls[-1] + " (taken)" * (truth.answer.kind == "taken"))
    outcome = {"win": "X", "loss": "O", "draw": "draw"}[truth.outcome]
    return calls, Position(board, mask_of(truth.own), mask_of(truth.other)), outcome, told
