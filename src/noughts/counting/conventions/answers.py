"""Censuses under one budget: asked once, kept, and refused when the time that is left does not suffice."""

from __future__ import annotations

import time as clock

from noughts.counting.census import Census
from noughts.counting.engines import ENGINES, Progress, answer, choose, cost_of, engine_named, is_partial, kin_of
from noughts.counting.question import Question
from noughts.domain.errors import BudgetError
from noughts.machine.budget import Estimate, default_memory, format_duration, format_size

__all__ = ["Answers"]

LEAST_SECONDS = 0.2
"""What takes no longer is computed even when the time is up."""


WORTH_KNOWING = 60.0
"""Seconds beyond which the cost of what is left out is not reckoned: `more than` is enough."""


class Answers:
    """A budget and the censuses computed within it.

    `memory` in bytes bounds each computation (three quarters of what is free unless given), `time` in seconds each by
    the engine's estimate; after `share`, all that is still asked for together. `progress` is told of long work.
    """

    def __init__(self, memory: int | None = None, time: float = 10.0, *, progress: Progress | None = None) -> None:
        self.memory = default_memory() if memory is None else memory
        self._time = time
        self._deadline: float | None = None
        self._progress = progress
        self._known: dict[Question, Census] = {}

    @property
    def time(self) -> float:
        """The seconds that a computation may take now; never so few that a small sum is refused."""
        return self._time if self._deadline is None else max(LEAST_SECONDS, self._deadline - clock.monotonic())

    def share(self, seconds: float) -> None:
        """Let everything from here on take so long in all."""
        self._deadline = clock.monotonic() + seconds

    def seconds(self, question: Question) -> float:
        """Return the estimate of the cheapest engine that fits; 0 for a question already answered.

        Raises BudgetError where none fits.
        """
        if question in self._known:
            return 0.0
        engine = choose(question, memory=self.memory, time=self.time)
        return cost_of(engine, question, self.memory, self.time).seconds

    def census(self, question: Question) -> Census:
        """Return the census by the cheapest engine that fits. Raises BudgetError where none does."""
        if question not in self._known:
            self._known[question] = answer(question, memory=self.memory, time=self.time, progress=self._progress)
        return self._known[question]

    def cost(self, question: Question) -> Estimate | None:
        """Return what the engine would take that the command line would choose; None where none can count the games."""
        able = [engine for engine in map(engine_named, ENGINES) if engine.refusal(question) is None]
        whole = [engine for engine in able if not is_partial(engine, question)]
        engines = whole if whole or question.same == "choices" else able
        estimates = [cost_of(engine, question, self.memory, WORTH_KNOWING) for engine in engines]
        return min(estimates, key=lambda estimate: (estimate.seconds, estimate.memory), default=None)

    def afford(self, what: str, memory: int, seconds: float) -> None:
        """Raise BudgetError unless the budget covers work that no engine does."""
        if memory > self.memory or seconds > self.time:
            raise BudgetError(f"{what}: about {format_duration(seconds)} and {format_size(memory)}")

    def second(self, question: Question, seconds: float) -> list[Census]:
        """Return the answers of all other engines that take no longer than this."""
        first = self.census(question)
        found = []
        for name in ENGINES:
            engine = engine_named(name)
            if name in kin_of(first.engine) or engine.refusal(question) is not None:
                continue
            cost = cost_of(engine, question, self.memory, seconds)
            if cost.fits(self.memory, seconds):
                found.append(answer(question, engine=name, memory=self.memory))
        return found
