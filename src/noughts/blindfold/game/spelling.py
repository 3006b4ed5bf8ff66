"""How cells, answers and positions of blindfold play are spelt in files."""

from __future__ import annotations

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.referee import Truth
from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name

__all__ = ["FORMAT", "PROOF_FORMAT", "label", "marks_text", "names"]

FORMAT = "noughts-blindfold-strategy"
PROOF_FORMAT = "noughts-blindfold-value"


def names(board: Board, cells: Mask) -> str:
    """Return the names of a set of cells, in reading order, with blanks between."""
    return " ".join(cell_name(board, cell) for cell in cells_of(cells))


def label(board: Board, answer: Answer) -> str:
    """Return the name of an answer: `free`, `taken`, `taken a1 b3`, `next`."""
    return f"{answer.kind} {names(board, answer.told)}".strip() if answer.kind == "taken" else answer.kind


def marks_text(board: Board, blind: str, truth: Truth) -> str:
    """Return the marks in reading order, `.` for blank."""
    seen = {"X": "O", "O": "X"}[blind]
    return "".join(blind if c in truth.own else seen if c in truth.other else "." for c in range(board.cells))
