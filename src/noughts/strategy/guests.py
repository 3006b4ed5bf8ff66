"""Opponents from outside: bots that whoever runs a server has named, and genomes, which are bots as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from noughts.domain.arguments import path_of, wrong_type
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.position import Player, Position
from noughts.strategy.genome import PREFIX
from noughts.strategy.lacking import lacking
from noughts.strategy.opponents import Opponent
from noughts.strategy.playing import SIDES
from noughts.strategy.policies import GRADES, POLICIES, policy
from noughts.strategy.policyfile import read_json
from noughts.strategy.tablepolicy import FilePolicy

__all__ = ["Guest", "guest", "read_guests"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_TAKEN = (*SIDES, *POLICIES, *GRADES, "any", "best")


@dataclass(frozen=True)
class Guest:
    """A bot that is a table, with the name under which it plays, and the board that it plays on."""

    name: str
    board: Board
    policy: FilePolicy

    @cached_property
    def lacks(self) -> Mapping[Player, Position]:
        """For each side that it cannot play, a position that it can come to as that side, and has no moves for."""
        sides: tuple[Player, ...] = ("X", "O")
        found = {side: lacking(self.policy, self.board, side) for side in sides}
        return {side: at for side, at in found.items() if at is not None}

    @property
    def sides(self) -> tuple[Player, ...]:
        """The sides that it can play to the end, whatever the other plays."""
        sides: tuple[Player, ...] = ("X", "O")
        return tuple(side for side in sides if side not in self.lacks)

    @property
    def opponent(self) -> Opponent:
        """The bot as an opponent whom one can choose."""
        only = f" {self.sides[0]}, and only {self.sides[0]}," if len(self.sides) == 1 else ""
        if self.name.startswith(PREFIX):
            return Opponent(self.name, "A genome", f"Plays{only} by its genes, {self.policy.name}", self.sides)
        otherwise = self.policy.otherwise
        rest = f", and elsewhere as {otherwise.name}" if otherwise is not None else ""
        many = len(self.policy.table)
        listed = "1 position class" if many == 1 else f"{many:,} position classes"
        return Opponent(self.name, self.name, f"Plays{only} by its table of {listed}{rest}", self.sides)


def read_guests(paths: Iterable[str | os.PathLike[str]]) -> tuple[Guest, ...]:
    """Return the bots of policy files, each named as its file without the ending.

    Raises InputError for a file that is no policy or does not say its board, for one that has no moves where it can
    come to, whichever side it plays, and for a name that is somebody else's.
    """
    if isinstance(paths, str | os.PathLike) or not isinstance(paths, Iterable):
        raise wrong_type("bots", paths, "names of policy files such as ['mine.json']")
    found: dict[str, Guest] = {}
    for each in paths:
        path = path_of("a bot", each)
        one = _read(path)
        if one.name.lower() in {name.lower() for name in (*_TAKEN, *found)}:
            raise InputError(
                f"the bot {shown(str(path), 200)} cannot play as {one.name}, which is another's name: rename it"
            )
        _require_moves(path, one)
        found[one.name] = one
    return tuple(found.values())


def _require_moves(path: Path, found: Guest) -> None:
    """Raise InputError for a bot that can play neither side to the end."""
    if not found.sides:
        where = " and ".join(f"as {side} for {at}" for side, at in found.lacks.items())
        raise InputError(
            f"the bot {shown(str(path), 200)} has no moves {where}, which it can come to: add its moves for one side, "
            'or a rule for the rest, as in "otherwise": "random"'
        )


def _read(path: Path) -> Guest:
    said = shown(str(path), 200)
    if path.suffix != ".json" or not _NAME.fullmatch(path.stem):
        raise InputError(
            f"the bot {said} cannot be named after its file: name that with letters, digits, - and _, and end it in "
            ".json"
        )
    data = read_json(path)
    if not isinstance(data, dict) or "board" not in data:
        raise InputError(f'the bot {said} does not say which board it plays on: add "board", as in {{"board": "3x3"}}')
    try:
        board = Board.parse(data["board"])
    except InputError as error:
        raise InputError(f"the bot {said} is for no board: {error}") from None
    table = policy(board, str(path))
    assert isinstance(table, FilePolicy)
    return Guest(path.stem, board, replace(table, name=path.stem))


def guest(board: Board, name: str, guests: Sequence[Guest]) -> Guest | None:
    """Return who plays under a name on a board: one of the guests, or a genome; None for any other name.

    Raises InputError for a genome that is none of the board.
    """
    if name.startswith(PREFIX):
        table = policy(board, name)
        assert isinstance(table, FilePolicy)
        return Guest(name, board, table)
    return next((each for each in guests if each.name == name and each.board == board), None)
