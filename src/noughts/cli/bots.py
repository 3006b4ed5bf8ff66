"""Options that write a policy: a file of moves that `versus` plays."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.cli.options import read_board
from noughts.cli.sink import put_file
from noughts.machine.files import require_writable
from noughts.rules.board import ENDING, Board
from noughts.rules.errors import InputError, shown

if TYPE_CHECKING:
    from noughts.analysis.policies.reading import PolicyLike


def policy_path(given: str | None) -> Path | None:
    """Return the path of --save. Raises InputError for a name that no verb would take for a policy, before any work."""
    if given is None:
        return None
    if not given.endswith(".json"):
        raise InputError(f"--save {shown(given)} would be no policy file: end its name in .json")
    path = Path(given)
    require_writable(path)
    return path


def save_policy(path: Path, policy: dict[str, object]) -> None:
    """Write a policy file."""
    put_file(path, (json.dumps(policy, indent=1) + "\n").encode())


# The words of verbs about bots: a board, if any, and policies.

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
    from noughts.analysis.payoff.playout import BEST
    from noughts.analysis.policies.policy import RememberingPolicy
    from noughts.analysis.policies.reading import GRADES, POLICIES, policy

    name, rule = named.groups()
    if name.lower() in (*POLICIES, *GRADES, BEST, "any") or name.lower().endswith(".json"):
        raise InputError(
            f"{shown(given)} gives a bot the name of a policy: call it otherwise, as in mine={shown(rule)}"
        )
    if rule == BEST:
        raise InputError(f"{shown(given)} names best, which answers each of the others anew: give it as best")
    return RememberingPolicy(policy(board, rule), name)
