"""How large a tree is likely to be, from a few games through it: D. E. Knuth, "Estimating the efficiency of backtrack
programs" (1975).

A game at random stands for as many as the product of the numbers of moves along it. A position of p and q new marks is
reached in p! q! orders at most, and a class holds at most as many positions as there are symmetries. So the average of
product / (p! q! symmetries), summed over the plies, is expected to be no more than the number of classes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from random import Random

from noughts.domain.bits import Mask, cells_of
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError
from noughts.domain.notation import format_start
from noughts.domain.position import Position
from noughts.strategy.gametree import smaller

__all__ = ["require_small"]

_GAMES = 256
_FAR = 20
"""An average of so many times the limit is believed: a smaller tree gives one in fewer than 1 of 20 cases (Markov)."""
_ERRORS = 5
"""A lesser one is believed where it is twice the limit and so many standard errors more."""

Moves = Callable[[Position], Mask]
Ends = Callable[[Position], bool]


def require_small(kind: str, start: Position, moves_at: Moves, ends_at: Ends, limit: int) -> None:
    """Raise BudgetError where games through a tree show that it has far more than `limit` nodes.

    The games are the same every time. Cost: at most 256 of them, each move asked for its end once.
    """
    likely = _nodes_beyond(start, moves_at, ends_at, limit)
    if likely is not None:
        raise BudgetError(
            f"the {kind} tree of {start.board}{format_start(start)} has some {roughly(likely)} nodes or more, as games "
            f"through it show: ask {smaller(kind, limit)}"
        )


def _nodes_beyond(start: Position, moves_at: Moves, ends_at: Ends, limit: int) -> int | None:
    """Return about how many nodes a tree has where that is far more than `limit`, else None."""
    dice, total, squares = Random(f"games of {start}"), 0, 0
    for _ in range(_GAMES):
        found = _nodes_of_a_game(start, moves_at, ends_at, dice, _FAR * limit * _GAMES)
        total, squares = total + found, squares + found**2
        if total >= _FAR * limit * _GAMES:
            return total // _GAMES
    above, spread = total - 2 * limit * _GAMES, _GAMES * squares - total**2  # spread: as the square of `above`
    return total // _GAMES if above * abs(above) * (_GAMES - 1) > _ERRORS**2 * spread else None


def _nodes_of_a_game(start: Position, moves_at: Moves, ends_at: Ends, dice: Random, enough: int) -> int:
    """Return what one game shows of the number of nodes, or no more than that, in whole numbers; up to `enough`."""
    position, paths, nodes, symmetries = start, 1, 0, start.board.group().order
    while nodes < enough and not ends_at(position):
        cells = list(cells_of(moves_at(position)))
        paths *= len(cells)
        position = position.play(dice.choice(cells))
        more = position.ply - start.ply
        nodes += paths // (factorial((more + 1) // 2) * factorial(more // 2) * symmetries)
    return nodes
