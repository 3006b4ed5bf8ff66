"""A program of somebody else as a policy: `program:COMMAND`."""

from __future__ import annotations

import shlex

from noughts.domain.bits import Cell, Mask
from noughts.domain.board import Board
from noughts.domain.errors import CheckError, shown
from noughts.domain.position import Position
from noughts.solving.solution import Solution
from noughts.strategy.external import ExternalPlayer, Foul, command_of, told_moves
from noughts.strategy.outsiders import require_programs
from noughts.strategy.policy import Policy

__all__ = ["ProgramPolicy"]


class ProgramPolicy(Policy):
    """A program as a policy. It is asked once for each position, told by `told_moves`, and its answer is kept.

    It is started when it is first asked, and runs as long as the policy is kept. Raises InputError where no programs
    are run.
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
        """Return the one cell that the program plays. Raises CheckError where it plays none."""
        key = (position.x, position.o)
        if key not in self._answers:
            if self._player is None:
                self._player = ExternalPlayer(self._board, self.command)
            try:
                self._answers[key] = self._player.reply(told_moves(position))
            except Foul as foul:
                raise CheckError(f"the policy {shown(self.name, 80)} gave no move in {position}: {foul}") from None
        return 1 << self._answers[key]
