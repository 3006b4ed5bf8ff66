"""What is held against a published number, under which budget, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from noughts.counting.census import Census
from noughts.counting.conventions.answers import Answers
from noughts.counting.question import Question
from noughts.counting.witness import opinions
from noughts.domain.errors import BudgetError, CheckError
from noughts.domain.frozen import short
from noughts.machine.budget import Limits

__all__ = ["Bench", "Comparing", "NumberCheck", "Verification"]

SECOND_ENGINE_SECONDS = 2.0
"""A second engine is asked too where it takes no longer than this."""


@dataclass(frozen=True, repr=False)
class NumberCheck:
    """What became of one known number: `ok`, `differs` or `out of reach`, with what was compared and by whom."""

    name: str
    what: str
    source: str
    status: str
    compared: tuple[str, ...]
    out_of_reach: tuple[str, ...]
    engines: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<NumberCheck {short(self.name)}: {self.status}, {len(self.compared)} compared>"

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as a record."""
        lists = ("compared", "out_of_reach", "engines")
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

    def done(self) -> NumberCheck:
        """Return what became of it."""
        status = "differs" if self.differs else "ok" if self.compared else "out of reach"
        engines = tuple(sorted(self.engines))
        return NumberCheck(
            self.name, self.what, self.source, status, tuple(self.compared), tuple(self.out_of_reach), engines
        )

    def hold(self, label: str, published: str, computed: str) -> None:
        """Compare one number."""
        if published == computed:
            self.compared.append(label)
        else:
            self.differs = True
            self.compared.append(f"{label}: published {published}, computed {computed}")


class Bench(Answers):
    """The budget of a verification; each question is put to a second engine too, where one is quick."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._agreeing: dict[Question, list[Census]] = {}

    def censuses(self, question: Question) -> list[Census]:
        """Return the answers of the cheapest engine and of the others that are quick."""
        if question not in self._agreeing:
            self._agreeing[question] = self._counted(question)
        return self._agreeing[question]

    def _counted(self, question: Question) -> list[Census]:
        first = self.census(question)
        limits = replace(self.limits, seconds=SECOND_ENGINE_SECONDS)
        return [first, *(opinion.census for opinion in opinions(first, limits))]

    def column(self, question: Question, columns: list[str], verdict: Comparing) -> list[tuple[int, int]]:
        """Return (ply, sum of the columns) for each ply, after the engines have been compared.

        Raises BudgetError where no engine gives them all, CheckError where two disagree.
        """
        censuses = self.censuses(question)
        found = []
        for census in censuses:
            sums = []
            for row in census.plies:
                parts = [getattr(row, name) for name in columns]
                if None not in parts:
                    sums.append((row.ply, sum(parts)))
            if len(sums) == len(census.plies):
                verdict.engines.add(census.engine)
                found.append(sums)
        if not found:
            raise BudgetError(f"no engine that fits gives the column {' + '.join(columns)}")
        if any(other != found[0] for other in found):
            raise CheckError(f"the engines {', '.join(c.engine for c in censuses)} disagree on {question.board}")
        return found[0]
