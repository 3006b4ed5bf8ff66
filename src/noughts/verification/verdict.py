"""What is held against a published number, under which budget, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from noughts.counting.census import Census
from noughts.counting.conventions.answers import Answers
from noughts.counting.question import Question
from noughts.counting.witness import opinions
from noughts.domain.errors import BudgetError, CheckError
from noughts.machine.budget import Limits

__all__ = ["Bench", "NumberCheck"]

SECOND_ENGINE_SECONDS = 2.0
"""A second engine is asked too where it takes no longer than this."""


@dataclass
class NumberCheck:
    """What became of one known number: `ok`, `differs` or `out of reach`, with what was compared and by whom."""

    name: str
    what: str
    source: str
    status: str = "ok"
    compared: list[str] = field(default_factory=list)
    out_of_reach: list[str] = field(default_factory=list)
    engines: set[str] = field(default_factory=set)

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as a record."""
        return {**vars(self), "engines": sorted(self.engines)}

    def hold(self, label: str, published: str, computed: str) -> None:
        """Compare one number."""
        if published == computed:
            self.compared.append(label)
        else:
            self.status = "differs"
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

    def column(self, question: Question, columns: list[str], verdict: NumberCheck) -> list[tuple[int, int]]:
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
