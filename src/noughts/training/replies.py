"""The opponent of an environment: any policy, whose moves are drawn by lot as it weighs them."""

from __future__ import annotations

import numpy as np

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.position import Position
from noughts.strategy.policies import PolicyLike, policy
from noughts.strategy.remembering import RememberingPolicy
from noughts.strategy.solutions import solution_for
from noughts.training.games import NUMBERED, Array, GamesAtOnce

__all__ = ["Replies", "require_move"]


class Replies:
    """A policy that replies, asked once about each position; drawn with a generator of NumPy, so repeatable."""

    def __init__(self, board: Board, given: PolicyLike) -> None:
        asked = policy(board, given)
        self.name = asked.name
        self._is_random = given == "random" if isinstance(given, str) else False
        self._policy = RememberingPolicy(asked)
        self._solution = solution_for(Position(board)) if asked.needs_values else None
        self._rows: dict[bytes, Array] = {}

    def one(self, position: Position, random: np.random.Generator) -> Cell:
        """Return the reply to one position."""
        shares = self._policy.probabilities(position, self._solution)
        cells = list(shares)
        return cells[int(np.searchsorted(_sums(list(map(float, shares.values()))), random.random(), side="right"))]

    def many(self, games: GamesAtOnce, which: Array, random: np.random.Generator) -> Array:
        """Return a reply for each game; those of the games that `which` leaves out mean nothing."""
        if self._is_random:
            return games.random_actions(random)
        replies: Array = np.zeros(len(games), dtype=np.int64)
        chosen = np.flatnonzero(which)
        if len(chosen):
            keys = games.numbers[chosen] if games.board.cells <= NUMBERED else chosen
            _, first, place = np.unique(keys, return_index=True, return_inverse=True)
            sums = np.stack([self._row(games, int(game)) for game in chosen[first]])[place]
            replies[chosen] = (sums <= random.random(len(chosen))[:, None]).sum(1)
        return replies

    def _row(self, games: GamesAtOnce, game: int) -> Array:
        """Return the chances of the cells of one game, summed up to each."""
        key = games.marks[game].tobytes()
        if key not in self._rows:
            shares = self._policy.probabilities(games.position(game), self._solution)
            self._rows[key] = _sums([float(shares.get(cell, 0)) for cell in range(games.board.cells)])
        return self._rows[key]


def _sums(shares: list[float]) -> Array:
    """Return the sums of chances up to each: 1 from the last that is not 0 on, whatever rounding did."""
    sums: Array = np.cumsum(shares)
    sums[int(np.flatnonzero(shares)[-1]) :] = 1
    return sums


def require_move(board: Board) -> None:
    """Raise InputError for a board on which the first move may end the game: O might have none to make."""
    if board.cells == 1 or any(len(line) == 1 for line in board.lines):
        raise InputError(
            f"on {board} the first move can end the game, so that O has none to make: train X, or on a larger board"
        )
