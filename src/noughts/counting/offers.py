"""The request to an engine, its offer, and the run that carries out an offer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.counting.census import COLUMNS, GAME_COLUMNS, POSITION_COLUMNS, Census, PlyCounts
from noughts.counting.question import Question
from noughts.machine.budget import Offer
from noughts.machine.files import hold_folder, make_folder
from noughts.machine.workers import SERIAL, Progress, Workers, silent

if TYPE_CHECKING:
    from noughts.counting.patterns import Needed


@dataclass(frozen=True)
class Run:
    """The workers that count, the receiver of progress, and the folder to resume from, if any."""

    workers: Workers = SERIAL
    progress: Progress = silent
    resume: Path | None = None


@dataclass(frozen=True)
class Request:
    """A request to engines: the question, the wanted columns, and the data that the engines share.

    With `strict` an engine gives every wanted column that it can. `progress` receives the progress of a slow estimate.
    `notes` hold what engines found out about earlier questions.
    """

    question: Question
    wanted: tuple[str, ...] = COLUMNS
    strict: bool = False
    notes: dict[Any, Any] = field(default_factory=dict, compare=False)
    progress: Progress = field(default=silent, compare=False)

    @cached_property
    def needed(self) -> Needed:
        """The patterns for engines that count without a tree, made at the first use."""
        from noughts.counting.patterns import Needed

        return Needed(self.question)

    @property
    def wants_positions(self) -> bool:
        """Whether any column of positions is wanted."""
        return any(column in self.wanted for column in POSITION_COLUMNS)

    def missing(self, *, positions: bool = True, games: bool = True) -> tuple[str, ...]:
        """Return the wanted columns that an engine leaves empty if it gives only `positions`, only `games`, or both."""
        given = (POSITION_COLUMNS if positions else ()) + (GAME_COLUMNS if games else ())
        return tuple(column for column in self.wanted if column not in given)


@dataclass(frozen=True)
class CountingOffer(Offer):
    """An engine's offer to answer a question: `rows` does the count, and reuses what the estimate has found."""

    question: Question
    rows: Callable[[Run], tuple[PlyCounts, ...]]

    def count(self, run: Run = Run()) -> Census:
        """Return the census, checked against its conservation laws; the run's folder is locked meanwhile.

        Raises CheckError, and FileError where the folder cannot be used or another run uses it.
        """
        with ExitStack() as held:
            if run.resume is not None:
                make_folder(run.resume)
                held.enter_context(hold_folder(run.resume))
            return Census(self.question, self.engine, self.rows(run)).check()
