"""What is held against a published number, under which budget, and what came of it."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from noughts.counting.census import Census
from noughts.counting.conventions.answers import Answers
from noughts.counting.engines import ENGINES
from noughts.counting.question import Question
from noughts.counting.witness import opinions, second_opinion
from noughts.domain.errors import BudgetError, CheckError
from noughts.domain.frozen import short
from noughts.machine.budget import Limits

__all__ = ["Bench", "Comparing", "NumberCheck", "Verification"]

SECOND_ENGINE_SECONDS = 2.0
"""Further engines are asked too where they take no longer than this."""
_KIN = {row.name: row.kin for row in ENGINES}
"""Counting engines of one kin share code, so that two of them are one."""


@dataclass(frozen=True, repr=False)
class NumberCheck:
    """What became of one known number: `ok`, `differs` or `out of reach`, with what was compared and by whom.

    `one_engine` are those of the compared that a single engine gave, without a second that shares no counting with it
    and without a proof that was judged.
    """

    name: str
    what: str
    source: str
    status: str
    compared: tuple[str, ...]
    out_of_reach: tuple[str, ...]
    engines: tuple[str, ...]
    one_engine: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<NumberCheck {short(self.name)}: {self.status}, {len(self.compared)} compared>"

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as a record."""
        lists = ("compared", "out_of_reach", "engines", "one_engine")
        return {**vars(self), **{name: list(getattr(self, name)) for name in lists}}


@dataclass(frozen=True, repr=False)
class Verification:
    """What became of all known numbers, in the order of the data."""

    checks: tuple[NumberCheck, ...]

    def __repr__(self) -> str:
        return f"<Verification: {', '.join(f'{number} {status}' for status, number in self.counts.items())}>"

    @property
    def holds(self) -> bool:
        """Whether no number differs from what was published."""
        return self.counts["differs"] == 0

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers agree, differ, and were out of reach."""
        return {
            status: sum(check.status == status for check in self.checks) for status in ("ok", "differs", "out of reach")
        }

    def as_dict(self) -> dict[str, Any]:
        """Return all verdicts as a record."""
        return {"entries": [check.as_dict() for check in self.checks], "counts": self.counts}


@dataclass
class Comparing:
    """A known number while it is held against what engines give."""

    name: str
    what: str
    source: str
    differs: bool = False
    compared: list[str] = field(default_factory=list)
    out_of_reach: list[str] = field(default_factory=list)
    engines: set[str] = field(default_factory=set)
    one_engine: list[str] = field(default_factory=list)

    def done(self) -> NumberCheck:
        """Return what became of it."""
        status = "differs" if self.differs else "ok" if self.compared else "out of reach"
        lists = (self.compared, self.out_of_reach, sorted(self.engines), self.one_engine)
        return NumberCheck(self.name, self.what, self.source, status, *map(tuple, lists))

    def hold(self, label: str, published: str, computed: str, by: Collection[str], *, judged: bool = False) -> None:
        """Compare one number, which these engines gave alike; `judged` where it has a proof, and that was judged."""
        self.engines.update(by)
        if published != computed:
            self.differs = True
            label = f"{label}: published {published}, computed {computed}"
        elif not judged and len({_KIN.get(engine, engine) for engine in by}) < 2:
            self.one_engine.append(label)
        self.compared.append(label)


class Bench(Answers):
    """The budget of a verification; each question is put to a second engine too, where one is quick."""

    def __init__(self, limits: Limits, *, patient: bool = False) -> None:
        """`patient`: where no second engine is quick, one is asked that takes as long as the first may."""
        super().__init__(limits)
        self.patient = patient
        self._agreeing: dict[Question, list[Census]] = {}

    def renew(self, limits: Limits) -> None:
        """Hold what is asked from now on to other limits."""
        self._limits = limits

    @property
    def memory(self) -> int:
        """How many bytes a computation may take."""
        return int(self.limits.memory)

    @property
    def second_seconds(self) -> float:
        """How long a second engine may take."""
        return self.limits.seconds if self.patient else min(SECOND_ENGINE_SECONDS, self.limits.seconds)

    def censuses(self, question: Question) -> list[Census]:
        """Return the answers of the cheapest engine and of the others that are quick."""
        if question not in self._agreeing:
            self._agreeing[question] = self._counted(question)
        return self._agreeing[question]

    def _counted(self, question: Question) -> list[Census]:
        first = self.census(question)
        limits = replace(self.limits, seconds=SECOND_ENGINE_SECONDS)
        found = [first, *(opinion.census for opinion in opinions(first, limits))]
        if len(found) == 1 and self.patient:
            with suppress(BudgetError):
                found.append(second_opinion(first, self.limits).census)
        return found

    def column(self, question: Question, columns: list[str]) -> tuple[list[tuple[int, int]], list[str]]:
        """Return (ply, sum of the columns) for each ply and the engines that gave it, after they have been compared.

        Raises BudgetError where no engine gives them all, CheckError where two disagree.
        """
        censuses = self.censuses(question)
        found, engines = list[list[tuple[int, int]]](), list[str]()
        for census in censuses:
            sums = []
            for row in census.plies:
                parts = [getattr(row, name) for name in columns]
                if None not in parts:
                    sums.append((row.ply, sum(parts)))
            if len(sums) == len(census.plies):
                engines.append(census.engine)
                found.append(sums)
        if not found:
            raise BudgetError(f"no engine that fits gives the column {' + '.join(columns)}")
        if any(other != found[0] for other in found):
            raise CheckError(f"the engines {', '.join(c.engine for c in censuses)} disagree on {question.board}")
        return found[0], engines
