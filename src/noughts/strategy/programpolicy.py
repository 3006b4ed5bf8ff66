"""A program of somebody else as a policy: `program:COMMAND`."""

from __future__ import annotations

import shlex
from random import Random

from noughts.domain.bits import Cell, Mask
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import CheckError, shown
from noughts.domain.position import Position
from noughts.solving.solution import Solution
from noughts.strategy.external import ExternalPlayer, Foul, command_of, told_moves
from noughts.strategy.outsiders import require_programs
from noughts.strategy.policy import Policy

__all__ = ["ProgramPolicy"]

_FIRST = 32
"""So many positions are asked about again at once; they have the most blanks, so that lots show."""
_EVERY = 16
"""Then one of those asked before, after so many more."""
_LOTS = 5
"""So often a question that got two answers in two orders is asked as it was, to tell lots from order."""


class ProgramPolicy(Policy):
    """A program as a policy. It is asked once for each position, told by `told_moves`, and its answer is kept.

    About some positions it is asked again, told by other moves where there are others: what it plays has to follow from
    the marks, for what policies come to is exact or nothing. It is started when it is first asked, and runs as long as
    the policy is kept. Raises InputError where no programs are run.
    """

    def __init__(self, board: Board, command: object) -> None:
        require_programs()
        self._board = board
        self.command = command_of(command)
        self.name = f"program:{shlex.join(self.command)}"
        self._answers: dict[tuple[Mask, Mask], Cell] = {}
        self._player: ExternalPlayer | None = None

    def __reduce__(self) -> tuple[type[ProgramPolicy], tuple[Board, tuple[str, ...]]]:
        return ProgramPolicy, (self._board, self.command)

    @property
    def board(self) -> Board:
        """The board that it was told."""
        return self._board

    @property
    def is_symmetric(self) -> bool:
        """Nobody knows: every position is asked about."""
        return False

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the one cell that the program plays. Raises CheckError where it plays none, or another when asked
        again."""
        key = (position.x, position.o)
        if key not in self._answers:
            try:
                self._answers[key] = self._asked(told_moves(position))
            except Foul as foul:
                raise CheckError(f"the policy {shown(self.name, 80)} gave no move in {position}: {foul}") from None
            self._ask_again(position)
        return 1 << self._answers[key]

    def _asked(self, moves: tuple[Cell, ...]) -> Cell:
        if self._player is None:
            self._player = ExternalPlayer(self._board, self.command)
        return self._player.reply(moves)

    def _ask_again(self, position: Position) -> None:
        """Ask some positions again, this one or one before it. Raises CheckError where an answer differs."""
        number = len(self._answers)
        if number > _FIRST:
            if number % _EVERY:
                return
            position = Position(self._board, *Random(number).choice(list(self._answers)))
        if position.ply == self._board.cells - 1:
            return
        told, other = told_moves(position), told_moves(position, backwards=True)
        first = f"it played {cell_name(self._board, self._answers[position.x, position.o])}"
        then = self._said(other)
        if then == first:
            return
        again = then if other == told else next((said for _ in range(_LOTS) if (said := self._said(told)) != first), "")
        where = f"{_after(self._board, told)} {first}, and"
        if again:
            why = f"its answers vary, for {where} asked again {again}"
        else:
            why = f"it looks at the order of moves, for {where} {_after(self._board, other)}, the same marks, {then}"
        judge = f"noughts referee {self._board} -- {shlex.join(self.command)}"
        raise CheckError(f"{shown(self.name, 80)} is no policy: {why}; judge it with {judge}")

    def _said(self, moves: tuple[Cell, ...]) -> str:
        try:
            return f"it played {cell_name(self._board, self._asked(moves))}"
        except Foul as foul:
            return str(foul)


def _after(board: Board, moves: tuple[Cell, ...]) -> str:
    return f"after {' '.join(cell_name(board, cell) for cell in moves)}" if moves else "on the empty board"
