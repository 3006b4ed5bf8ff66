"""Two games that are no marking games, each as ours and as the oracle's: what a `Game` takes, in few lines."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple

from noughts.rules.board import Board
from noughts.rules.game import Game, MarkingGame, Marks, MoveRule, State
from noughts.rules.marks import Mask, Outcome, Player, cells_of
from noughts.rules.symmetry import Group
from tests import naive

__all__ = ["OTHERS", "Gravity", "Notakto", "Other"]


def canonical_children(game: Game[State], state: State) -> list[tuple[int, State]]:
    """Return each move with the canonical state after it, as any game can find them."""
    return [(move, game.canonical(game.play(state, move))) for move in cells_of(game.moves(state))]


@dataclass(frozen=True)
class Notakto:
    """Both players put an X on any blank cell, and who completes a line loses. A state is the set of marked cells."""

    board: Board
    start: Mask = 0
    move_rules: tuple[MoveRule, ...] = ("any", "perfect")

    def __str__(self) -> str:
        return f"Notakto on {self.board}"

    @property
    def last_ply(self) -> int:
        return self.board.cells

    @property
    def group(self) -> Group:
        return self.board.group()

    def bound(self, to_ply: int) -> int:
        return sum(comb(self.board.cells, ply) for ply in range(to_ply + 1))

    def ply(self, state: Mask) -> int:
        return state.bit_count()

    def to_move(self, state: Mask) -> Player:
        return "O" if state.bit_count() % 2 else "X"

    def outcome(self, state: Mask) -> Outcome | None:
        if self.board.has_line(state):
            return self.to_move(state)
        return "draw" if state == self.board.full else None

    def moves(self, state: Mask, rule: MoveRule = "any") -> Mask:
        return self.board.full & ~state

    def play(self, state: Mask, move: int) -> Mask:
        return state | 1 << move

    def canonical(self, state: Mask) -> Mask:
        return self.group.canonical(state, 0)[0]

    def children(self, state: Mask) -> list[tuple[int, Mask]]:
        return canonical_children(self, state)

    def stabiliser(self, state: Mask) -> list[naive.Permutation]:
        return self.group.keeping(state, 0)

    def position(self, state: Mask) -> Mask:
        return state


class Gravity:
    """A mark falls to the lowest blank cell of its column, and only left and right may be exchanged.

    What marks are and who wins by them is as in the marking game of the board.
    """

    move_rules: tuple[MoveRule, ...] = ("any", "perfect")

    def __init__(self, rows: int, columns: int, k: int) -> None:
        self.board, self.columns = Board.grid(rows, columns, k), columns
        self.group = Group(rows * columns, naive.mirror(rows, columns)[1:])
        marking = MarkingGame(self.board, group=self.group)
        self.start, self.last_ply, self.bound = marking.start, marking.last_ply, marking.bound
        self.ply, self.to_move, self.outcome, self.play = marking.ply, marking.to_move, marking.outcome, marking.play
        self.canonical, self.stabiliser, self.position = marking.canonical, marking.stabiliser, marking.position

    def __str__(self) -> str:
        return f"gravity on {self.board}"

    def moves(self, state: Marks, rule: MoveRule = "any") -> Mask:
        """Return the blank cells that have a mark or the floor below them."""
        taken = state.x | state.o
        floor = self.board.full & ~(self.board.full >> self.columns)
        return ~taken & (taken >> self.columns | floor)

    def children(self, state: Marks) -> list[tuple[int, Marks]]:
        return canonical_children(self, state)


class Other(NamedTuple):
    """One game twice, the board that it is played on, and its symmetries as the oracle finds them."""

    game: Game[Any]
    board: Board
    rules: naive.Rules
    group: tuple[naive.Permutation, ...]


OTHERS: dict[str, Other] = {
    "Notakto": Other(
        Notakto(Board.parse("3x3")), Board.parse("3x3"), naive.notakto(naive.grid(3, 3, 3)), naive.isometries(3, 3)
    ),
    "Notakto 2x4": Other(
        Notakto(Board.parse("2x4:3")), Board.parse("2x4:3"), naive.notakto(naive.grid(2, 4, 3)), naive.isometries(2, 4)
    ),
    **{
        f"gravity {rows}x{columns}:{k}": Other(
            Gravity(rows, columns, k),
            Board.grid(rows, columns, k),
            naive.gravity(rows, columns, k),
            naive.mirror(rows, columns),
        )
        for rows, columns, k in ((3, 3, 3), (2, 4, 2), (4, 3, 3), (3, 4, 3))
    },
}
"""Each game that every engine for any game must count and solve as the oracle does."""
