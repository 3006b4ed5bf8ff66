"""Two games that are no marking games, each as ours and as the oracle's."""

from __future__ import annotations

from typing import NamedTuple

from noughts.rules.board import Board, Specification
from noughts.rules.game import Game
from noughts.rules.gravity import Gravity
from noughts.rules.notakto import Notakto
from noughts.rules.play import PlayRules
from tests import naive

__all__ = ["GRAVITY", "NOTAKTO", "OTHERS", "Other", "grid"]


NOTAKTO, GRAVITY = Notakto(), Gravity()


def grid(rows: int, columns: int, k: int, rules: PlayRules) -> Board:
    """The board with these rules."""
    return Board(Specification((rows, columns), k, False, rules), rows * columns, rules=rules)


class Other(NamedTuple):
    """One game twice: as a board and its play, and as the oracle has it, with its symmetries."""

    board: Board
    rules: naive.Rules
    group: tuple[naive.Permutation, ...]

    @property
    def game(self) -> Game:
        return Game(self.board)


OTHERS: dict[str, Other] = {
    "Notakto": Other(grid(3, 3, 3, NOTAKTO), naive.notakto(naive.grid(3, 3, 3)), naive.isometries(3, 3)),
    "Notakto 2x4": Other(grid(2, 4, 3, NOTAKTO), naive.notakto(naive.grid(2, 4, 3)), naive.isometries(2, 4)),
    **{
        f"gravity {rows}x{columns}:{k}": Other(
            grid(rows, columns, k, GRAVITY), naive.gravity(rows, columns, k), naive.mirror(rows, columns)
        )
        for rows, columns, k in ((3, 3, 3), (2, 4, 2), (4, 3, 3), (3, 4, 3))
    },
}
"""Each game that every engine for any game must count and solve as the oracle does."""
