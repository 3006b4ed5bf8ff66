"""Classes by value, ply by ply: what the layers know of the unfinished ones on the way to counting perfect play."""

from __future__ import annotations

from noughts.counting.layers.bounds import layer_bounds
from noughts.counting.layers.engine import estimate
from noughts.counting.question import Question
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.machine.budget import Limits

__all__ = ["unfinished_by_value"]


def unfinished_by_value(board: Board, limits: Limits) -> dict[int, tuple[int, int, int]]:
    """Return for each ply how many unfinished classes O wins, are drawn and X wins with best play.

    Classes are under the isometries of the board. Listed and hashed, layer by layer: nothing is shared with the tables
    of `solve`. Raises BudgetError, with the estimate, beyond the limits and on boards of more than 64 cells.
    """
    if board.cells > 64:
        raise BudgetError(f"classes are listed on boards of up to 64 cells, {board} has {board.cells:,}")
    question = Question(board, "choices", x_moves="perfect", o_moves="perfect")
    cost = estimate(question, sum(layer_bounds(question, to_end=True)))
    if not limits.allow(cost):
        raise BudgetError(f"the classes of {board} by value are beyond the budget: {cost.words}")

    from noughts.counting.layers.walk import unwatched_walk

    return unwatched_walk(question).by_value()
