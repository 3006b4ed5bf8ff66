"""What an engine is asked, what it offers, and what it is given when it is told to count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from noughts.counting.census import COLUMNS, GAME_COLUMNS, POSITION_COLUMNS, Census, PlyCounts
from noughts.counting.patterns import Needed
from noughts.counting.question import Question
from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.files import hold_folder, make_folder
from noughts.machine.workers import SERIAL, Progress, Workers, silent

__all__ = ["CountingOffer", "Engine", "Notes", "Request", "Run"]

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Run:
    """Who counts, who is told how far the work has come, and the folder that keeps it for another day, if any."""

    workers: Workers = SERIAL
    progress: Progress = silent
    resume: Path | None = None


class Notes:
    """What engines found out about earlier questions of whoever asks, for as long as somebody asks."""

    def __init__(self) -> None:
        self._kept: dict[type, object] = {}

    def of(self, kind: type[Kept]) -> Kept:
        """Return the notes of this kind, empty at first."""
        found = self._kept.get(kind)
        if not isinstance(found, kind):
            found = self._kept[kind] = kind()
        return found


@dataclass(frozen=True)
class Request:
    """A question as it is put to engines: which columns are wanted, and what the engines share while they answer.

    With `strict` an engine shall give every wanted column that it can. `progress` is told how far a reckoning of what
    it takes has come, where that takes long.
    """

    question: Question
    wanted: tuple[str, ...] = COLUMNS
    strict: bool = False
    notes: Notes = field(default_factory=Notes, compare=False)
    progress: Progress = field(default=silent, compare=False)

    @cached_property
    def needed(self) -> Needed:
        """The patterns that engines without a tree count: made once, when the first of them asks."""
        return Needed(self.question)

    @property
    def wants_positions(self) -> bool:
        """Whether any column of positions is wanted."""
        return any(column in self.wanted for column in POSITION_COLUMNS)

    def missing(self, *, positions: bool = True, games: bool = True) -> tuple[str, ...]:
        """Return the wanted columns that an engine leaves empty which gives positions, or games, or both."""
        given = (POSITION_COLUMNS if positions else ()) + (GAME_COLUMNS if games else ())
        return tuple(column for column in self.wanted if column not in given)


@dataclass(frozen=True)
class CountingOffer:
    """An engine's offer to answer a question: what it takes, which columns it leaves out, and the prepared work.

    The estimate fits the limits that were given. `rows` counts, with all that was found while the cost was reckoned.
    """

    question: Question
    engine: str
    estimate: Estimate
    rows: Callable[[Run], tuple[PlyCounts, ...]]
    missing: tuple[str, ...] = ()

    def count(self, run: Run = Run()) -> Census:
        """Return the census, checked against its conservation laws; the folder of the run is its own meanwhile.

        Raises CheckError, and FileError where the folder cannot be used or another run is at work in it.
        """
        with _alone_in(run.resume):
            return Census(self.question, self.engine, self.rows(run)).check()


@contextmanager
def _alone_in(folder: Path | None) -> Iterator[None]:
    if folder is None:
        yield
        return
    make_folder(folder)
    with hold_folder(folder):
        yield


Engine = Callable[[Request, Limits], CountingOffer | Refusal]
"""An engine: asked with a request and the limits, it makes an offer that fits them, or says why not."""
