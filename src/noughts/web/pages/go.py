"""Where the box `Board` leads, and a game or position without marks: to the page of the board."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.web.addresses import address
from noughts.web.ask import Ask
from noughts.web.page import PageAnswer

__all__ = ["answer_go"]


def answer_go(ask: Ask) -> PageAnswer:
    """Return the way to the board. Raises InvalidBoard."""
    board = Board.parse(ask.given("board") or "3x3")

    return PageAnswer(location=address(Ask("board", board)))
