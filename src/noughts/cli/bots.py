"""The words of verbs about bots: a board, if any, and policies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from noughts.cli.verb import read_board
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.linefile import ENDING

__all__ = ["board_and_bots"]

_BOARD = re.compile(r"\d+\s*([x×✕✖*]|by)\s*\d+[^.]*", re.IGNORECASE)


def board_and_bots(words: Sequence[str], board: Board | str | None) -> tuple[Board, list[str]]:
    """Return the board, by --board or as the first word or 3x3, and the words after it.

    Raises InputError where the board is given twice.
    """
    rest = list(words)
    first = rest[0].lower() if rest else ""
    if _BOARD.fullmatch(first) or first.endswith(ENDING):
        if board is not None:
            raise InputError(f"the board is given twice, as {shown(rest[0])} and as --board {board}: give it once")
        board = rest.pop(0)
    if isinstance(board, str) and board.lower().endswith(ENDING):
        return read_board(board), rest
    return Board.parse(board or "3x3"), rest
