"""What a player answered when it was asked the same before: the first question that came to something else."""

from __future__ import annotations

from typing import NamedTuple

from noughts.bots.referee.score import History
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name

__all__ = ["EarlierAnswers", "TwoAnswers"]

_MOST = 10_000
"""So many questions are remembered: the first, to which games come back."""


class TwoAnswers(NamedTuple):
    """A question that got two answers: after which moves, the cell played first and then, None for no move."""

    history: History
    first: Cell | None
    then: Cell | None
    said: str


class EarlierAnswers:
    """The answers to the first questions. `varies` is the first that came to something else, None where none did."""

    def __init__(self, board: Board) -> None:
        self.varies: TwoAnswers | None = None
        self._board = board
        self._answers: dict[History, Cell | None] = {}

    def note(self, history: History, cell: Cell | None, said: str = "") -> None:
        """Take note of an answer; where it is no move, cell is None and `said` tells what it was."""
        if len(self._answers) < _MOST:
            self._answers.setdefault(history, cell)
        first = self._answers.get(history, cell)
        if first != cell and self.varies is None:
            then = said if cell is None else f"it played {cell_name(self._board, cell)}"
            self.varies = TwoAnswers(history, first, cell, then)
