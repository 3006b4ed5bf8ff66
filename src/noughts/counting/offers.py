"""What an engine is asked, what it offers, and what it is given when it is told to count."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from noughts.counting.census import COLUMNS, GAME_COLUMNS, POSITION_COLUMNS, Census, PlyCounts
from noughts.counting.patterns import Needed
from noughts.counting.question import Question
from noughts.machine.budget import Offer
from noughts.machine.files import hold_folder, make_folder
from noughts.machine.workers import SERIAL, Progress, Workers, silent


@dataclass(frozen=True)
class Run:
    """Who counts, who is told how far the work has come, and the folder that keeps it for another day, if any."""

    workers: Workers = SERIAL
    progress: Progress = silent
    resume: Path | None = None


@dataclass(frozen=True)
class Request:
    """A question as it is put to engines: which columns are wanted, and what the engines share while they answer.

    With `strict` an engine gives every wanted column that it can. `progress` hears how far an estimate of what it takes
    has come, where that takes long. `notes` are what engines found out about earlier questions.
    """

    question: Question
    wanted: tuple[str, ...] = COLUMNS
    strict: bool = False
    notes: dict[Any, Any] = field(default_factory=dict, compare=False)
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
class CountingOffer(Offer):
    """An engine's offer to answer a question: `rows` counts, with all that was found while the cost was estimated."""

    question: Question
    rows: Callable[[Run], tuple[PlyCounts, ...]]

    def count(self, run: Run = Run()) -> Census:
        """Return the census, checked against its conservation laws; the folder of the run is its own meanwhile.

        Raises CheckError, and FileError where the folder cannot be used or another run is at work in it.
        """
        with ExitStack() as held:
            if run.resume is not None:
                make_folder(run.resume)
                held.enter_context(hold_folder(run.resume))
            return Census(self.question, self.engine, self.rows(run)).check()
