"""Table bots: policies from files, and genomes, as opponents that a server offers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from noughts.analysis.policies.playing import BOTH, SIDES, Opponent
from noughts.analysis.policies.policy import GENOME, GRADES, POLICIES
from noughts.analysis.policies.reading import policy
from noughts.analysis.policies.table import FilePolicy, read_json
from noughts.rules.arguments import path_of, wrong_type
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Player
from noughts.rules.position import Position

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


@dataclass(frozen=True)
class TableBot:
    """A table bot that a server offers as an opponent: its name, its board and its moves."""

    name: str
    board: Board
    policy: FilePolicy

    @cached_property
    def lacks(self) -> Mapping[Player, Position]:
        """For each side that it cannot play, a position that it can reach without having moves for it."""
        found = {side: self.policy.missing_entry(self.board, side) for side in BOTH}
        return {side: at for side, at in found.items() if at is not None}

    @property
    def sides(self) -> tuple[Player, ...]:
        """The sides for which it has a move in every position that it can reach."""
        return tuple(side for side in BOTH if side not in self.lacks)

    @property
    def opponent(self) -> Opponent:
        """The bot as an opponent to choose."""
        only = f" {self.sides[0]}, and only {self.sides[0]}," if len(self.sides) == 1 else ""
        if self.name.startswith(GENOME):
            return Opponent(self.name, "A genome", f"Plays{only} by its genes, {self.policy.name}", self.sides)
        otherwise, many = self.policy.otherwise, len(self.policy.table)
        rest = "" if otherwise is None else f", and elsewhere as {otherwise.name}"
        listed = "1 position class" if many == 1 else f"{many:,} position classes"
        return Opponent(self.name, self.name, f"Plays{only} by its table of {listed}{rest}", self.sides)


def read_table_bots(paths: Iterable[str | os.PathLike[str]]) -> tuple[TableBot, ...]:
    """Return the bots of policy files, each named after its file without the ending.

    Raises InputError if a file is not a policy or does not name its board, if it lacks moves for both sides, or if its
    name is taken.
    """
    if isinstance(paths, str | os.PathLike) or not isinstance(paths, Iterable):
        raise wrong_type("bots", paths, "names of policy files such as ['mine.json']")
    taken = {*SIDES, *POLICIES, *GRADES, "any", "best"}
    found: list[TableBot] = []
    for path in (path_of("a bot", each) for each in paths):
        named, name = f"the bot {shown(str(path), 200)}", path.stem
        if path.suffix != ".json" or not _NAME.fullmatch(name):
            letters = "name that with letters, digits, - and _, and end it in .json"
            raise InputError(f"{named} cannot be named after its file: {letters}")
        one = TableBot(name, *_read_table(path, named))
        if name.lower() in taken:
            raise InputError(f"{named} cannot play as {name}, but that name is taken: rename it")
        if not one.sides:
            where = " and ".join(f"as {side} for {at}" for side, at in one.lacks.items())
            raise InputError(
                f'{named} has no moves {where}: add the moves of one side, or "otherwise": "random" for the rest'
            )
        taken.add(name.lower())
        found.append(one)
    return tuple(found)


def _read_table(path: Path, named: str) -> tuple[Board, FilePolicy]:
    """Return the board that a policy file names, and its table."""
    data = read_json(path)
    if not isinstance(data, dict) or "board" not in data:
        raise InputError(f'{named} does not say which board it plays on: add "board", as in {{"board": "3x3"}}')
    try:
        board = Board.parse(data["board"])
    except InputError as error:
        raise InputError(f"{named} does not name a board: {error}") from None
    table = policy(board, str(path))
    assert isinstance(table, FilePolicy)
    return board, replace(table, name=path.stem)


def table_bot(board: Board, name: str, table_bots: Sequence[TableBot]) -> TableBot | None:
    """Return the bot with a name on a board: one of the given bots, or a genome; None for any other name.

    Raises InputError for a genome that the board does not have.
    """
    if name.startswith(GENOME):
        table = policy(board, name)
        assert isinstance(table, FilePolicy)
        return TableBot(name, board, table)
    return next((each for each in table_bots if each.name == name and each.board == board), None)
