"""Censuses under one budget: asked once, kept, and refused when the time that is left does not suffice."""

from __future__ import annotations

import time as clock
from dataclasses import replace

from noughts.counting.census import COLUMNS, Census
from noughts.counting.engines import offers, refused
from noughts.counting.offers import CountingOffer, Notes, Request, Run
from noughts.counting.question import Question
from noughts.domain.errors import BudgetError
from noughts.machine.budget import Estimate, Limits, format_duration, format_size
from noughts.machine.offers import Refusal

__all__ = ["WORTH_KNOWING", "Answers"]

LEAST_SECONDS = 0.2
"""What takes no longer is computed even when the time is up."""

GRACE_SECONDS = 0.7
"""For so long after a time that was given this holds, and then no more."""

WORTH_KNOWING = 60.0
"""Seconds beyond which the cost of what is left out is not reckoned: `more than` is enough."""

_Asked = tuple[Question, tuple[str, ...]]


class Answers:
    """A budget and the censuses computed within it.

    The limits bound each computation; after `share`, their time all that is still asked for together. Engines are
    asked once about each question, and what they answer is kept until the question is counted. What is left out has
    its cost reckoned up to `worth` seconds, which takes about a third of these; with `strict` in the time that is left
    only.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        run: Run = Run(),  # noqa: B008 - a value
        *,
        worth: float = WORTH_KNOWING,
        strict: bool = False,
    ) -> None:
        self._limits = Limits.of(None, 10.0) if limits is None else limits
        self._worth = worth
        self._strict = strict
        self._deadline: float | None = None
        self._run = run
        self._known: dict[_Asked, Census] = {}
        self._notes = Notes()
        self._offers: dict[_Asked, tuple[CountingOffer | None, list[Refusal]]] = {}

    @property
    def limits(self) -> Limits:
        """What a computation may take now: for a while after the deadline still as much as a small sum takes."""
        if self._deadline is None:
            return self._limits
        left = self._deadline - clock.monotonic()
        least = LEAST_SECONDS if left > -GRACE_SECONDS or not self._strict else 0.0
        return replace(self._limits, seconds=max(least, left))

    def share(self, seconds: float) -> None:
        """Let everything from here on take so long in all."""
        self._deadline = clock.monotonic() + seconds

    def seconds(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> float:
        """Return the estimate of the best offer; 0 for a question already answered. Raises BudgetError."""
        if (question, wanted) in self._known:
            return 0.0
        return self._offer(question, wanted).estimate.seconds

    def census(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> Census:
        """Return the census by the best offer that fits. Raises BudgetError where none does."""
        asked = question, wanted
        if asked not in self._known:
            self._known[asked] = self._offer(question, wanted).count(self._run)
            del self._offers[asked]
        return self._known[asked]

    def cost(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> Estimate | None:
        """Return what it would take to count a question that was refused; None where no engine can."""
        asked = question, wanted
        offer, refusals = self._ask(asked)
        if offer is not None:
            return offer.estimate
        known = _least(refusals)
        limits = self.limits
        worth = min(self._worth, limits.seconds) if self._strict else self._worth
        if known is None or not known.at_least or known.memory > limits.memory or known.seconds > worth:
            return known
        offer, refusals = offers(self._request(asked), replace(limits, seconds=worth))
        return offer.estimate if offer is not None else _least(refusals)

    def _request(self, asked: _Asked) -> Request:
        return Request(*asked, notes=self._notes)

    def _ask(self, asked: _Asked) -> tuple[CountingOffer | None, list[Refusal]]:
        if asked not in self._offers:
            self._offers[asked] = offers(self._request(asked), self.limits)
        return self._offers[asked]

    def _offer(self, question: Question, wanted: tuple[str, ...]) -> CountingOffer:
        offer, refusals = self._ask((question, wanted))
        if offer is None:
            raise refused(question, self.limits, refusals)
        if not self.limits.allow(offer.estimate):
            raise refused(question, self.limits, [Refusal(offer.engine, "it takes too long", offer.estimate)])
        return offer

    def afford(self, what: str, memory: int, seconds: float) -> None:
        """Raise BudgetError unless the budget covers work that no engine does."""
        if memory > self.limits.memory or seconds > self.limits.seconds:
            raise BudgetError(f"{what}: about {format_duration(seconds)} and {format_size(memory)}")


def _least(refusals: list[Refusal]) -> Estimate | None:
    estimates = [refusal.estimate for refusal in refusals if refusal.estimate is not None]
    return min(estimates, key=lambda estimate: (estimate.seconds, estimate.memory), default=None)
