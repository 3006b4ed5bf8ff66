"""The words of verbs about bots: a board, if any, and policies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from noughts.cli.verb import read_board
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.specification import ENDING

if TYPE_CHECKING:
    from noughts.strategy.policies import PolicyLike

__all__ = ["board_and_bots", "bot"]

_BOARD = re.compile(r"\d+\s*([x×✕✖*]|by)\s*\d+[^.]*", re.IGNORECASE)
_NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,39})=(.+)", re.DOTALL)


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


def bot(board: Board, given: str) -> PolicyLike:
    """Return a policy as it was given, or as NAME=POLICY, which goes by that name: letters, digits, `-`, `_` and `.`.

    Raises InputError for a name that is a policy's own, as the answer would be taken for that policy's.
    """
    named = _NAMED.fullmatch(given)
    if named is None:
        return given
    from noughts.strategy.policies import GRADES, POLICIES, policy
    from noughts.strategy.remembering import RememberingPolicy
    from noughts.strategy.versus import BEST

    name, rule = named.groups()
    if name.lower() in (*POLICIES, *GRADES, BEST, "any") or name.lower().endswith(".json"):
        raise InputError(
            f"{shown(given)} gives a bot the name of a policy: call it otherwise, as in mine={shown(rule)}"
        )
    if rule == BEST:
        raise InputError(f"{shown(given)} names best, which answers each of the others anew: give it as best")
    return RememberingPolicy(policy(board, rule), name)
