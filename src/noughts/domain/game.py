"""What it takes to be a game, and the games that this library is about: marking games.

A *marking game* is played with two marks by two players in turn, on any blank cell; who completes a line wins (under
misere loses), and the order of the marks does not matter. The fast engines rest on that. The slow ones ask for a `Game`
only: whatever has a start, a side to move, moves, outcomes and a canonical form.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import or_
from typing import Literal, NamedTuple, Protocol, TypeVar

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.extent import layer_bounds
from noughts.domain.players import Outcome, Player
from noughts.domain.position import Position
from noughts.domain.rules import MoveRule, allowed_cells, move_rules
from noughts.domain.symmetry import Group, Permutation

__all__ = ["Game", "MarkingGame", "Marks", "State", "best_moves", "settled", "worth"]

State = TypeVar("State", bound=Hashable)


class Game(Protocol[State]):
    """The rules of a game between X and O that is over after so many moves at the latest.

    A state holds all that the rest of the game depends on, its ply among it. A move is a number from 0, such as that
    of a cell, and a set of moves a `Mask`. Games are values; `str` names one.
    """

    @property
    def start(self) -> State:
        """The state from which play starts."""

    @property
    def last_ply(self) -> int:
        """The last ply that any play reaches, or a bound on it: the game is over there."""

    @property
    def group(self) -> Group:
        """The symmetries of the game, as permutations of its moves."""

    @property
    def move_rules(self) -> tuple[MoveRule, ...]:
        """The move rules that have a meaning here: `any` and VALUE_RULES have one in every game."""

    def bound(self, to_ply: int) -> int:
        """Return a bound on the positions that play from the start reaches, up to a ply; quick."""

    def ply(self, state: State) -> int:
        """Return the number of moves made, those before the start included."""

    def to_move(self, state: State) -> Player:
        """Return whose turn it is."""

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome where the game is over, None while it goes on."""

    def moves(self, state: State, rule: MoveRule = "any") -> Mask:
        """Return the moves that a rule other than VALUE_RULES allows while the game goes on; never none."""

    def play(self, state: State, move: int) -> State:
        """Return the state after a move, one ply later."""

    def canonical(self, state: State) -> State:
        """Return the same state for all images under the symmetries: one of them."""

    def children(self, state: State) -> Sequence[tuple[int, State]]:
        """Return, for a canonical state in which the game goes on, each move with the canonical state after it."""

    def stabiliser(self, state: State) -> Sequence[Permutation]:
        """Return the symmetries that keep a state; its class has as many states as they are fewer than all."""

    def position(self, state: State) -> Hashable:
        """Return what positions are counted by: the state, less what cannot be seen of it."""


class Marks(NamedTuple):
    """The state of a marking game: two sets of cells, and who has won already where play goes on after a line."""

    x: Mask
    o: Mask
    won: Player | None = None


def worth(outcome: Outcome, plies_left: int) -> int:
    """Return what the end of a game is worth to X who likes to win soon and to lose late: 0 for a draw.

    `plies_left` are those that the game might have gone on. The best worth of both sides is `quickest` play.
    """
    return {"X": 1, "draw": 0, "O": -1}[outcome] * (plies_left + 1)


def settled(game: Game[State], state: State) -> Outcome | None:
    """Return the outcome where the game is over or, where play goes on after a line, who has won; else None."""
    won = state.won if isinstance(state, Marks) else None
    return won or game.outcome(state)


def best_moves(game: Game[State], state: State, value_of: Callable[[State], int]) -> Mask:
    """Return the moves that keep the best value for the side to move, by values under free play for X.

    With values +1, 0 and -1 these are the moves of `perfect`; with the `worth` of each end those of `quickest`.
    """
    sign = 1 if game.to_move(state) == "X" else -1
    values = {1 << move: sign * value_of(game.play(state, move)) for move in cells_of(game.moves(state))}
    best = max(values.values())
    return sum(move for move, value in values.items() if value == best)


_new = tuple.__new__
"""Makes a named tuple of a tuple in a third of the time that its own call takes: states are made by the million."""


class MarkingGame:
    """Play on a board: two marks in turn on any blank cell, until a line or a full board; or `full`, to the full board.

    Played on to the full board, the first completed line gives the outcome, and from then on every rule allows any
    cell. `start` is the empty board and `group` the isometries of the board unless given.
    """

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        end: Literal["line", "full"] = "line",
        group: Group | None = None,
    ) -> None:
        self.board = board
        self.group = board.group() if group is None else group
        self.last_ply = board.cells
        self.move_rules = move_rules(board)
        self._to_full = end == "full"
        self._full = board.full
        position = Position(board) if start is None else start
        self.start = Marks(position.x, position.o, position.winner if self._to_full else None)

    def __str__(self) -> str:
        return str(self.board)

    def bound(self, to_ply: int) -> int:
        """Return the number of ways to place marks on the blank cells of the start, as if no line ended the game."""
        return sum(layer_bounds(Position(self.board, self.start.x, self.start.o), 1, min(to_ply, self.last_ply)))

    def ply(self, state: Marks) -> int:
        """Return the number of marks."""
        return (state[0] | state[1]).bit_count()

    def to_move(self, state: Marks) -> Player:
        """Return X when there are as many X as O."""
        return "X" if state[0].bit_count() == state[1].bit_count() else "O"

    def outcome(self, state: Marks) -> Outcome | None:
        """Return the outcome of a completed line, or of a full board."""
        x, o, won = state
        if self._to_full:
            return (won or "draw") if x | o == self._full else None
        return self.board.winner(x, o) or ("draw" if x | o == self._full else None)

    def moves(self, state: Marks, rule: MoveRule = "any") -> Mask:
        """Return the cells that a rule allows, all the blank ones once somebody has won."""
        x, o, won = state
        return self._full & ~(x | o) if rule == "any" or won else allowed_cells(self.board, x, o, rule)

    def play(self, state: Marks, move: int) -> Marks:
        """Return the marks after the side to move has taken a blank cell."""
        x, o, won = state
        if x.bit_count() == o.bit_count():
            x |= 1 << move
        else:
            o |= 1 << move
        if self._to_full and won is None:
            won = self.board.winner(x, o)
        return _new(Marks, (x, o, won))

    def canonical(self, state: Marks) -> Marks:
        """Return the least image of the marks."""
        x, o, won = state
        return _new(Marks, (*self.group.canonical(x, o), won))

    def children(self, state: Marks) -> list[tuple[int, Marks]]:
        """Return each blank cell with the canonical marks after it is taken.

        The images of a set with one more cell are those of the set with one more cell each; and where O moves, only
        symmetries that keep X are asked, as X is least already. A third of the time of `canonical` after `play`.
        """
        x, o, won = state
        moves = list(cells_of(self._full & ~(x | o)))
        mover: Player = "X" if x.bit_count() == o.bit_count() else "O"
        found = self._with_x(x, o, moves) if mover == "X" else self._with_o(x, o, moves)
        if not self._to_full or won is not None:
            return [(move, _new(Marks, (*marks, won))) for move, marks in zip(moves, found, strict=True)]
        wins, has_line, side = self.board.line_outcome(mover), self.board.has_line, int(mover == "O")
        return [
            (move, _new(Marks, (*marks, wins if has_line(marks[side]) else None)))
            for move, marks in zip(moves, found, strict=True)
        ]

    def _with_x(self, x: Mask, o: Mask, cells: Sequence[Cell]) -> list[tuple[Mask, Mask]]:
        """Return the least image of the marks with one more X, for each of some cells."""
        images, bits = self.group.images, self.group.cell_images
        before = [image(x) for image in images]
        found = []
        for cell in cells:
            of_x = list(map(or_, before, bits[cell]))
            least = min(of_x)
            if of_x.count(least) == 1:
                found.append((least, images[of_x.index(least)](o)))
            else:
                found.append(
                    (least, min([image(o) for image, also in zip(images, of_x, strict=True) if also == least]))
                )
        return found

    def _with_o(self, x: Mask, o: Mask, cells: Sequence[Cell]) -> list[tuple[Mask, Mask]]:
        """Return the least image of the marks with one more O, for each of some cells; X is its own least image."""
        kept = [(number, image(o)) for number, image in enumerate(self.group.images) if image(x) == x]
        if len(kept) == 1:
            return [(x, o | 1 << cell) for cell in cells]
        bits = self.group.cell_images
        return [(x, min([before | bits[cell][number] for number, before in kept])) for cell in cells]

    def stabiliser(self, state: Marks) -> Sequence[Permutation]:
        """Return the symmetries that keep both sets of marks."""
        return self.group.keeping(state[0], state[1])

    def position(self, state: Marks) -> tuple[Mask, Mask]:
        """Return the marks and nothing else."""
        return state[0], state[1]
