"""What an engine answers when it is asked whether it can do something: an offer, or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from noughts.machine.budget import Estimate, Limits

__all__ = ["Offer", "Refusal", "cheapest"]


@dataclass(frozen=True)
class Refusal:
    """Why an engine cannot do it: one clause; and, where it could with more memory or time, what that would take.

    Where something may be left out, `part` says why the engine cannot do even the rest.
    """

    engine: str
    reason: str
    estimate: Estimate | None = None
    part: Refusal | None = None


class Offer(Protocol):
    """What every offer has: who makes it, what it costs, and which columns it will leave out."""

    @property
    def engine(self) -> str:
        """The name of the engine."""

    @property
    def estimate(self) -> Estimate:
        """What it takes; it fits the limits that were given."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The columns that it will leave empty though another engine may give them."""


AnyOffer = TypeVar("AnyOffer", bound=Offer)


def cheapest(
    ask: Iterable[Callable[[Limits], AnyOffer | Refusal]], limits: Limits
) -> tuple[AnyOffer | None, list[Refusal]]:
    """Return the offer that takes the least time, one that leaves nothing out if there is any; and all refusals.

    Each is asked with what is left to beat, so that nobody reckons longer than it takes to see that another does it
    for less; once there is an offer that leaves nothing out, no other is of use. The order of asking does not change
    who wins, but for equals.
    """
    best: AnyOffer | None = None
    refusals: list[Refusal] = []
    for offer in ask:
        whole = best is not None and not best.missing
        to_beat = min(limits.seconds, best.estimate.seconds) if best is not None and whole else limits.seconds
        found = offer(replace(limits, seconds=to_beat, whole=limits.whole or whole))
        if isinstance(found, Refusal):
            refusals.append(found)
        elif best is None or _rank(found) < _rank(best):
            best = found
    return best, refusals


def _rank(offer: Offer) -> tuple[bool, float]:
    return bool(offer.missing), offer.estimate.seconds
