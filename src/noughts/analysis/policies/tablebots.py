"""Table bots: policies as tables, and genomes, as opponents that a server offers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from noughts.analysis.policies.playing import BOTH, SIDES, Opponent
from noughts.analysis.policies.policy import GENOME, GRADES, POLICIES
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.analysis.policies.table import FilePolicy, read_json
from noughts.rules.arguments import path_of, wrong_type
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Player
from noughts.rules.position import Position

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_NAMED = re.compile(rf"({_NAME.pattern})=(.+)", re.DOTALL)


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
        one, several = ("position class", "position classes") if self.policy.by_class else ("position", "positions")
        listed = f"1 {one}" if many == 1 else f"{many:,} {several}"
        return Opponent(self.name, self.name, f"Plays{only} by its table of {listed}{rest}", self.sides)


BotLike = str | os.PathLike[str] | PolicyLike
"""A policy file that names its board, any policy, or on the command line `NAME=POLICY`."""


def read_table_bots(bots: Iterable[BotLike] | Mapping[str, BotLike]) -> tuple[TableBot, ...]:
    """Return the bots of policies, by their names; a file has its own name without the ending.

    A policy that is not for one board plays on 3x3. Raises InputError if one is not a policy, if a file does not name
    its board, if it lacks moves for both sides, or if its name is taken.
    """
    if isinstance(bots, str | os.PathLike) or not isinstance(bots, Iterable):
        raise wrong_type("bots", bots, "policy files such as ['mine.json'], or policies by name")
    taken = {*SIDES, *POLICIES, *GRADES, "any", "best"}
    found: list[TableBot] = []
    for name, given in bots.items() if isinstance(bots, Mapping) else map(_with_name, bots):
        named = f"the bot {shown(str(given if isinstance(given, str | Path) else name), 200)}"
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InputError(f"{named} cannot be named {shown(name)}: name it with letters, digits, - and _")
        one = TableBot(name, *_table(name, given, named))
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


def _with_name(given: BotLike) -> tuple[str, BotLike]:
    """Return a bot with its name: what stands before `=`, the name of its file, or that of the policy."""
    if isinstance(given, str) and (named := _NAMED.fullmatch(given)):
        return named[1], named[2]
    if isinstance(given, str | os.PathLike):
        path = path_of("a bot", given)
        if path.suffix != ".json" or not _NAME.fullmatch(path.stem):
            letters = "name that with letters, digits, - and _, and end it in .json"
            raise InputError(f"the bot {shown(str(path), 200)} cannot be named after its file: {letters}")
        return path.stem, path
    return str(getattr(given, "name", None) or getattr(given, "__name__", type(given).__name__)), given


def _table(name: str, given: BotLike, named: str) -> tuple[Board, FilePolicy]:
    """Return the board of a bot, and its moves as a table, so that nothing is asked while the server runs."""
    if isinstance(given, os.PathLike) or (isinstance(given, str) and given.endswith(".json")):
        data, given = read_json(Path(given)), str(given)
        if not isinstance(data, dict) or "board" not in data:
            raise InputError(f'{named} does not say which board it plays on: add "board", as in {{"board": "3x3"}}')
        spec = data["board"]
    else:
        spec = (given.get("board") if isinstance(given, Mapping) else getattr(given, "board", None)) or "3x3"
    try:
        board = Board.parse(spec)
    except InputError as error:
        raise InputError(f"{named} does not name a board: {error}") from None
    table = policy(board, given)
    if not isinstance(table, FilePolicy):
        table = policy(board, table.as_dict(board))
    assert isinstance(table, FilePolicy)
    return board, replace(table, name=name)


def table_bot(board: Board, name: str, table_bots: Sequence[TableBot]) -> TableBot | None:
    """Return the bot with a name on a board: one of the given bots, or a genome; None for any other name.

    Raises InputError for a genome that the board does not have.
    """
    if name.startswith(GENOME):
        table = policy(board, name)
        assert isinstance(table, FilePolicy)
        return TableBot(name, board, table)
    return next((each for each in table_bots if each.name == name and each.board == board), None)
