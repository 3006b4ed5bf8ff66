"""Second opinions: a census counted again by engines that share no counting with the first, and what they agree on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noughts.counting.census import COLUMNS, GAME_COLUMNS, Census
from noughts.counting.engines import ENGINES, offers, row_of
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.domain.errors import BudgetError, CheckError
from noughts.machine.budget import Limits

__all__ = ["Opinion", "opinions", "quick_second_opinion", "second_opinion"]

QUICK_SECONDS = 0.3
"""A second engine is asked unbidden where it takes no longer than this."""


@dataclass(frozen=True)
class Opinion:
    """The census of another engine, the columns that both give, and these in words for a sentence.

    The words, such as `on the games`, are empty where the columns are all that the first census has.
    """

    census: Census
    columns: tuple[str, ...]
    about: str

    @property
    def engine(self) -> str:
        """The name of the other engine."""
        return self.census.engine

    def __str__(self) -> str:
        return self.engine


def quick_second_opinion(census: Census, limits: Limits) -> Opinion | None:
    """Return the opinion of another engine where one is quick to ask. Raises CheckError where it differs."""
    try:
        return second_opinion(census, Limits(limits.memory, QUICK_SECONDS))
    except BudgetError:
        return None


def second_opinion(census: Census, limits: Limits, run: Run = Run()) -> Opinion:  # noqa: B008 - a value
    """Return the opinion of the cheapest other engine that gives a column of the census.

    Raises CheckError where it differs, BudgetError where none gives a column within the limits.
    """
    kin = row_of(census.engine).kin
    offer, refusals = offers(_request(census), limits, without={kin}, witness=True)
    if offer is None:
        raise BudgetError(_nobody_else(census, all(refusal.estimate is None for refusal in refusals)))
    return _opinion(census, offer, run)


def opinions(census: Census, limits: Limits, run: Run = Run()) -> Iterator[Opinion]:  # noqa: B008 - a value
    """Yield the opinions of all engines but the witnesses that fit the limits. Raises CheckError where one differs."""
    request, kin = _request(census), row_of(census.engine).kin
    for row in ENGINES:
        if not (row.named or row.witness or row.kin == kin):
            offer = row.offer(request, limits)
            if isinstance(offer, CountingOffer):
                yield _opinion(census, offer, run)


def _request(census: Census) -> Request:
    """Return the question again, for the columns that the census has."""
    return Request(census.question, tuple(name for name in COLUMNS if None not in census.column(name)))


def _nobody_else(census: Census, at_any_price: bool) -> str:
    """Return why there is no second engine."""
    nobody = f"no second engine can answer this on {census.question.board}"
    if at_any_price:
        return f"{nobody} at any price: leave out --check"
    return f"{nobody} within the budget: leave out --check, or raise --memory or --time"


def _opinion(census: Census, offer: CountingOffer, run: Run) -> Opinion:
    """Return what an engine finds, with the columns that both give. Raises CheckError where it differs."""
    other = offer.count(run)
    columns = _agreeing(census, other)
    return Opinion(other, columns, _about(census, columns))


def _agreeing(census: Census, other: Census) -> tuple[str, ...]:
    """Return the columns that two censuses give alike, leaving out what one cannot tell. Raises CheckError."""
    compared = []
    for column in COLUMNS:
        pairs = list(zip(census.column(column), other.column(column), strict=True))
        for row, (mine, theirs) in zip(census.plies, pairs, strict=True):
            if None not in (mine, theirs) and mine != theirs:
                raise CheckError(
                    f"{census.question.board}, ply {row.ply}, {column}: the engine {census.engine} gives {mine}, "
                    f"{other.engine} gives {theirs}"
                )
        if all(None not in pair for pair in pairs):
            compared.append(column)
    return tuple(compared)


def _about(census: Census, columns: tuple[str, ...]) -> str:
    """Return in words which numbers of a census were compared; nothing where all were."""
    if all(column in columns or None in census.column(column) for column in COLUMNS):
        return ""
    games = [column for column in columns if column in GAME_COLUMNS]
    return "on the games" if games == list(columns) else "on some columns" if games else "on the positions"
