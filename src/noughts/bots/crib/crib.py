"""A crib: the table, how many entries it has, and how few a table could have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from noughts.bots.crib.asked import CribQuestion
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.position import Player, Position
from noughts.machine.reading import FILE_VERSION
from noughts.strategy.policies import FilePolicy, policy

__all__ = ["Crib", "CribPair", "Engine"]

Engine = Literal["search", "programme"]


@dataclass(frozen=True, repr=False)
class Crib:
    """The smallest table that was found for a question. `table` has for each class of boards the cell to play.

    `entries` are counted as the question has it, and no table has fewer than `bound`; `own` are the boards at which the
    player moves and `boards` all that play meets, endings included. `outcomes` are those that games against it have.
    `engine` is the one that gave the bound.
    """

    question: CribQuestion
    table: FrozenDict[str, str] = field(repr=False)
    entries: int
    bound: int
    own: int
    boards: int
    outcomes: frozenset[str]
    engine: Engine

    def __repr__(self) -> str:
        proved = "proved smallest" if self.proved else f"at least {self.bound:,}"
        return f"<Crib for {self.player} on {short(self.board)}, {self.question.goal}: {self.entries:,}, {proved}>"

    @property
    def proved(self) -> bool:
        """Whether no table is smaller."""
        return self.bound == self.entries

    @property
    def board(self) -> Board:
        """The board."""
        return self.question.board

    @property
    def player(self) -> Player:
        """Whose crib it is."""
        return self.question.player

    @cached_property
    def policy(self) -> FilePolicy:
        """The crib as a policy that has no moves where no game against it comes."""
        return _policy(self.board, self.table)

    def as_dict(self) -> dict[str, object]:
        """Return the crib as its JSON has it, which is a policy file too."""
        return {
            **_asked(self.question, self.player),
            "entries": self.entries,
            "proved": self.proved,
            "bound": self.bound,
            "own": self.own,
            "boards": self.boards,
            "engine": self.engine,
            "table": dict(self.table),
        }


@dataclass(frozen=True, repr=False)
class CribPair:
    """A crib for X and one for O, asked alike. Entries and bounds are those of both together."""

    x: Crib
    o: Crib

    def __repr__(self) -> str:
        return f"<CribPair on {short(self.board)}: {self.x.entries:,} entries for X, {self.o.entries:,} for O>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.x.board

    @property
    def cribs(self) -> tuple[Crib, Crib]:
        """Both, X first."""
        return self.x, self.o

    @property
    def entries(self) -> int:
        """The entries of both."""
        return self.x.entries + self.o.entries

    @property
    def bound(self) -> int:
        """No two tables have fewer entries together."""
        return self.x.bound + self.o.bound

    @property
    def proved(self) -> bool:
        """Whether neither can be smaller."""
        return self.x.proved and self.o.proved

    @cached_property
    def table(self) -> FrozenDict[str, str]:
        """The entries of both: no board is in both tables, as it is X's turn or O's."""
        return FrozenDict({**self.x.table, **self.o.table})

    @cached_property
    def policy(self) -> FilePolicy:
        """Both as one policy."""
        return _policy(self.board, self.table)

    def as_dict(self) -> dict[str, object]:
        """Return both as JSON: as of one crib, and each by itself under `x` and `o`."""
        return {
            **_asked(self.x.question, "both"),
            "entries": self.entries,
            "proved": self.proved,
            "bound": self.bound,
            "table": dict(self.table),
            "x": self.x.as_dict(),
            "o": self.o.as_dict(),
        }


def _policy(board: Board, table: Mapping[str, str]) -> FilePolicy:
    found = policy(board, {"board": board.spec, "moves": {text: [cell] for text, cell in table.items()}})
    assert isinstance(found, FilePolicy)
    return found


def _asked(question: CribQuestion, player: str) -> dict[str, object]:
    opening = None if question.opening is None else cell_name(question.board, question.opening)
    start: dict[str, object] = {} if question.start == Position(question.board) else {"position": str(question.start)}
    return {
        "version": FILE_VERSION,
        "board": question.board.spec,
        **start,
        "as": player,
        "opening": opening,
        "goal": question.goal,
        "count": question.count,
    }
