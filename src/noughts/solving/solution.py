"""The solution of a board: outcome, value, remoteness, moves and a line of best play for each position."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from noughts.machine.packages import Framed
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of
from noughts.rules.position import Position, PositionLike, parse_position
from noughts.rules.values import Frozen, Reported, short
from noughts.solving.values import PlyValues, Value

PLAYOUTS = 64


def decided_outcome(position: Position) -> Outcome | None:
    """Return the outcome that all continuations have, or None where they differ.

    The game ends at a line or a full board. Sample games settle nearly all undecided positions. A full search settles
    the rest; it stops at dead positions and at a second outcome.
    """
    if position.outcome is not None:
        return position.outcome
    if _is_dead(position):
        return position.board.rules.full_wins or "draw"
    seen: set[Outcome] = set()
    for number in range(PLAYOUTS):
        seen.add(_sample_game(position, random.Random(number)))
        if len(seen) > 1:
            return None
    lines = position.board.line_masks if position.board.rules.alternating else ()
    helped = (_help_to_line(position, for_x, line) for for_x in (True, False) for line in lines)
    seen.update(outcome for outcome in helped if outcome is not None)
    _collect(position, seen, set())
    return seen.pop() if len(seen) == 1 else None


def _is_dead(position: Position) -> bool:
    """Tell whether every line has marks of both players."""
    return all(line & position.x and line & position.o for line in position.board.line_masks)


def _sample_game(position: Position, dice: random.Random) -> Outcome:
    while position.outcome is None:
        position = position.play(dice.choice(list(cells_of(position.playable))))
    return position.outcome


def _help_to_line(position: Position, for_x: bool, line: Mask) -> Outcome | None:
    """Play so that one player completes a line while the other plays elsewhere; return the outcome, if it works."""
    if line & position.marks("O" if for_x else "X"):
        return None
    while position.outcome is None:
        mine = (position.to_move == "X") == for_x
        wanted = position.playable & line if mine else position.playable & ~line
        if not mine:
            for cell in position.threats(position.to_move):
                wanted &= ~(1 << cell)
        if not wanted:
            return None
        position = position.play(next(cells_of(wanted)))
    return position.outcome


def _collect(position: Position, seen: set[Outcome], known: set[tuple[Mask, Mask]]) -> None:
    """Add the outcomes of all continuations to `seen` until there are two."""
    if (position.x, position.o) in known or len(seen) > 1:
        return
    known.add((position.x, position.o))
    dead: Outcome = position.board.rules.full_wins or "draw"
    outcome: Outcome | None = position.outcome or (dead if _is_dead(position) else None)
    if outcome is not None:
        seen.add(outcome)
        return
    for cell in cells_of(position.playable):
        _collect(position.play(cell), seen, known)


_RANK: dict[Value | None, int] = {"win": 0, "draw": 1, "loss": 2, None: 3}


def value_for(player: Player, outcome: Outcome) -> Value:
    """Return the value of an outcome for one player."""
    if outcome == "draw":
        return "draw"
    return "win" if outcome == player else "loss"


@dataclass(frozen=True)
class Evaluation:
    """A position under best play: the outcome, and the plies to the end, None where the engine does not know them.

    The winner hurries and the loser delays; a drawn game lasts to the full board. `proof` gives the reason. `at_most`
    is a number of plies within which a won game ends, where only such a bound is known.
    """

    outcome: Outcome
    remoteness: int | None
    proof: str
    nodes: int | None = None
    at_most: int | None = None


@dataclass(frozen=True)
class MoveValue:
    """A move: outcome, value for the player who makes it, plies to the end after it; `best` by value, then remoteness.

    A result that the engine did not find within its budget is None.
    """

    cell: Move
    outcome: Outcome | None
    value: Value | None
    remoteness: int | None
    best: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the move as a record, with the number of its cell."""
        return {**vars(self), "cell": int(self.cell)}


@dataclass(frozen=True, repr=False)
class PositionValue(Reported):
    """The full answer about one position. `value` is for `to_move`, the player whose turn it is.

    `line` is one line of best play to the end of the game, None where it was not requested or not found. `at_most` is a
    number of plies within which a won game ends, where the remoteness is not known.
    """

    position: Position
    to_move: Player
    outcome: Outcome
    value: Value
    remoteness: int | None
    decided: bool
    engine: str
    moves: tuple[MoveValue, ...]
    line: tuple[Cell, ...] | None
    proof: str
    nodes: int | None
    at_most: int | None = None

    def __repr__(self) -> str:
        return f"<PositionValue of {short(self.position)} on {short(self.position.board)}: {self.outcome}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as `noughts solve --format json` prints it."""
        board = self.position.board
        return {
            "board": board.spec,
            "position": str(self.position),
            "to_move": self.to_move,
            "outcome": self.outcome,
            "value": self.value,
            "remoteness": self.remoteness,
            "at_most": self.at_most,
            "decided": self.decided,
            "over": self.position.is_terminal,
            "engine": self.engine,
            "moves": [{**move.as_dict(), "cell": str(move.cell)} for move in self.moves],
            "line": None if self.line is None else list(map(str, self.line)),
            "proof": self.proof,
            "nodes": self.nodes,
        }


class Solution(Reported, Frozen, Framed, ABC):
    """Values of the positions of one board under best play.

    The argument of a method is a `Position` or text; the default is the start.

    A result that the engine does not know is None. BudgetError is raised where it did not find the winner within its
    budget, and InvalidPosition, with all the reasons, for a position that play cannot lead to. Solutions are equal when
    the same engine solved the same problem. A solution can be pickled; the copy has the tables of all positions, or
    computes them again.
    """

    board: Board
    start: Position
    """The position to solve (default: the empty board)."""

    engine: str
    is_search: ClassVar[bool] = False
    """Whether it searches each position by itself, within a budget."""

    def __init__(self, board: Board, start: Position | None = None) -> None:
        vars(self).update(board=board, start=Position(board) if start is None else start)

    def is_ready(self, position: Position) -> bool:
        """Tell whether the value of a position is known without a search."""
        return not self.is_search

    @property
    def _problem(self) -> tuple[object, ...]:
        """The question and the options of the engine; two solutions with the same problem are equal."""
        return (self.start,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        return type(self) is type(other) and self._problem == other._problem

    def __hash__(self) -> int:
        return hash((type(self), self._problem))

    def __repr__(self) -> str:
        return f"<Solution of {self.board} by {self.engine}>"

    @property
    def nodes(self) -> int:
        """Number of positions that a search opened so far; 0 for other engines."""
        return 0

    @abstractmethod
    def _evaluate_open(self, position: Position) -> Evaluation:
        """Return the evaluation of a reachable position in which the game goes on."""

    def evaluate(self, position: PositionLike | None = None) -> Evaluation:
        """Return outcome and remoteness under best play of a reachable position."""
        at = self._position(position)
        return self._evaluate_open(at) if at.outcome is None else Evaluation(at.outcome, 0, "the game is over")

    def outcome(self, position: PositionLike | None = None) -> Outcome:
        """Return who wins under best play: `X`, `O` or `draw`."""
        return self.evaluate(position).outcome

    def value(self, position: PositionLike | None = None) -> Value:
        """Return the value for the side to move."""
        at = self._position(position)
        return value_for(at.to_move, self.evaluate(at).outcome)

    def remoteness(self, position: PositionLike | None = None) -> int | None:
        """Return the plies to the end of the game, None where the engine gives values only."""
        return self.evaluate(position).remoteness

    def at_most(self, position: PositionLike | None = None) -> int | None:
        """Return a number of plies within which a won game ends, where the remoteness is not known; else None."""
        return self.evaluate(position).at_most

    def moves(self, position: PositionLike | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, sorted by value, remoteness and reading order."""
        at = self._position(position)
        if at.outcome is not None:
            return ()
        return self._sorted_moves(at.to_move, [(cell, self.evaluate(at.play(cell))) for cell in cells_of(at.playable)])

    def best_moves(self, position: PositionLike | None = None) -> tuple[Move, ...] | None:
        """Return the best moves, by value and then by remoteness, in reading order; None where none is known."""
        moves = self.moves(position)
        return tuple(sorted(move.cell for move in moves if move.best)) or (None if moves else ())

    def line(self, position: PositionLike | None = None) -> tuple[Move, ...] | None:
        """Return one line of best play to the end, always with the first best move in reading order."""
        at = self._position(position)
        cells: list[Move] = []
        while at.outcome is None:
            best = self.best_moves(at)
            if not best:
                return None
            cells.append(best[0])
            at = at.play(best[0])
        return tuple(cells)

    def can_win(self, position: Position, player: Player, *, deadline: float | None = None) -> bool:
        """Tell whether a player can force a win from a position.

        Parameters
        ----------
        position
            A reachable position.
        player
            X or O.
        deadline
            A time of `time.monotonic()`.

        Returns
        -------
        bool
            Whether the player wins with best play of both.

        Raises
        ------
        BudgetError
            The deadline is over.
        """
        return self.evaluate(position).outcome == player

    def has_cheap_line(self, position: Position) -> bool:
        """Tell whether a line of play from an evaluated position is cheap to find."""
        return True

    def is_decided(self, position: PositionLike | None = None) -> bool:
        """Tell whether every continuation has the same outcome."""
        return decided_outcome(self._position(position)) is not None

    def answer(self, position: PositionLike | None = None, *, line: bool | None = None) -> PositionValue:
        """Return the full answer about a position; `line` False leaves out the line of play, None only a costly one."""
        at = self._position(position)
        most, found = self.at_most(at), self.evaluate(at)
        with_line = self.has_cheap_line(at) if line is None else line
        return PositionValue(
            at,
            at.to_move,
            found.outcome,
            value_for(at.to_move, found.outcome),
            found.remoteness,
            self.is_decided(at),
            self.engine,
            self.moves(at),
            self.line(at) if with_line else None,
            found.proof,
            found.nodes,
            most,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the answer about the start as `noughts solve --format json` prints it."""
        return self.answer().as_dict()

    def plies(self) -> tuple[PlyValues, ...]:
        """Return the distribution of the values of all reachable positions, ply by ply. Raises BudgetError."""
        known = f"the engine {self.engine} knows single positions only"
        raise BudgetError(f"{known}: choose the engine retrograde, and a board of up to 30 cells")

    def frame_rows(self) -> list[dict[str, object]]:
        """Return a row for each ply with the split of `plies()`, for `to_pandas` and `to_polars`. Raises BudgetError.

        The columns x_wins, draws, o_wins count labelled positions; those with the prefix classes_ count classes.
        """
        names = ("x_wins", "draws", "o_wins")
        return [
            {"ply": row.ply}
            | {name: getattr(row.labelled, name) for name in names}
            | {f"classes_{name}": getattr(row.symmetry, name) for name in names}
            for row in self.plies()
        ]

    def _sorted_moves(self, mover: Player, found: list[tuple[Cell, Evaluation | None]]) -> tuple[MoveValue, ...]:
        moves = []
        for cell, evaluation in found:
            outcome, plies = (evaluation.outcome, evaluation.remoteness) if evaluation else (None, None)
            value = None if outcome is None else value_for(mover, outcome)
            moves.append(MoveValue(Move(self.board, cell), outcome, value, plies, best=False))
        moves.sort(key=lambda move: (_order(move), move.cell))
        best = _order(moves[0])
        return tuple(replace(move, best=move.outcome is not None and _order(move) == best) for move in moves)

    def _position(self, position: PositionLike | None) -> Position:
        at = self.start if position is None else parse_position(self.board, position)
        return at.require_reachable()


def _order(move: MoveValue) -> tuple[int, int]:
    """Return a key that sorts better moves first: a win soon, a draw, a loss late."""
    plies = move.remoteness or 0
    return (_RANK[move.value], -plies if move.value == "loss" else plies)
