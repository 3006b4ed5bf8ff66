"""What a bot is worth: its exact results against opponents, as player X, O or both, and one whole number to rank it by.

`result` is the chance to win less the chance to lose; `never-lose` the chance not to lose. Both are averages over the
opponents and, for bots that play both, over X and O. Against `best` they say what the bot holds against every play, and
against `each-other` what it does in one game as X and one as O with each other bot of its generation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import lcm
from typing import TYPE_CHECKING, Any, Literal, cast

from noughts.bots.breeding.arena import Arena, arena, ring
from noughts.domain.arguments import is_word, one_of
from noughts.domain.errors import InputError, InvalidQuestion
from noughts.domain.players import Player
from noughts.strategy.genome import GenePool
from noughts.strategy.policies import PolicyLike, policy
from noughts.strategy.versus import BEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["EACH_OTHER", "FITNESS", "Aim", "Fitness", "Odds", "fitness_of"]

Aim = Literal["result", "never-lose"]
FITNESS = ("result", "never-lose")
EACH_OTHER = "each-other"
_FITS = 2**62


@dataclass(frozen=True)
class Odds:
    """The chances of a bot to win, draw and lose; they sum to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    def as_dict(self) -> dict[str, str]:
        """Return the chances as fractions in text."""
        return {"win": str(self.win), "draw": str(self.draw), "loss": str(self.loss)}

    @classmethod
    def mean(cls, several: Sequence[Odds]) -> Odds:
        """Return the average."""
        n = len(several)
        win, loss = sum((c.win for c in several), Fraction(0)) / n, sum((c.loss for c in several), Fraction(0)) / n
        return cls(win, 1 - win - loss, loss)


@dataclass(frozen=True)
class Fitness:
    """How bots of a pool are judged: for each opponent, by name, an arena for each seat, or one for both."""

    pool: GenePool
    aim: Aim
    seats: tuple[Player, ...]
    arenas: tuple[tuple[str, tuple[Arena, ...]], ...]

    def tables(self, alleles: NDArray[Any]) -> list[tuple[NDArray[Any], int]]:
        """Return for each opponent and each seat the wins and losses of all bots, and what they are parts of."""
        found = []
        for name, places in self.arenas:
            if name == EACH_OTHER:
                met, games = places[0].meet(alleles), len(alleles) - 1
                found += [(met[:, seat], games) for seat in (0, 1)]
            else:
                found += [(place.judge(alleles), place.scale) for place in places]
        return found

    def values(self, tables: Sequence[tuple[NDArray[Any], int]]) -> tuple[NDArray[Any], int]:
        """Return the fitness of all bots as whole numbers, and what they are parts of."""
        import numpy as np

        whole = lcm(*(scale for _, scale in tables))
        exact: Any = np.int64 if whole * len(tables) < _FITS else object
        total = np.zeros(len(tables[0][0]), exact)
        for table, scale in tables:
            wins, losses = table[:, 0].astype(exact), table[:, 1].astype(exact)
            total += (wins - losses if self.aim == "result" else scale - losses) * (whole // scale)
        return total, whole * len(tables)

    @cached_property
    def bound(self) -> Fraction:
        """A fitness that no bot exceeds: the average of the most against each opponent, 1 against each other."""
        found = []
        for name, places in self.arenas:
            if name == EACH_OTHER:
                found += [Fraction(1)] * len(self.seats)
            elif self.aim == "result":
                found += [place.most(wins_count=True) for place in places]
            else:
                found += [1 + place.most(wins_count=False) for place in places]
        return sum(found, Fraction(0)) / len(found)

    def record(self, tables: Sequence[tuple[NDArray[Any], int]], bot: int) -> dict[str, tuple[Odds, ...]]:
        """Return the chances of a bot, by its number, against each opponent from each seat."""
        chances = []
        for table, scale in tables:
            win, loss = Fraction(int(table[bot, 0]), scale), Fraction(int(table[bot, 1]), scale)
            chances.append(Odds(win, 1 - win - loss, loss))
        n = len(self.seats)
        return {name: tuple(chances[i * n : i * n + n]) for i, (name, _) in enumerate(self.arenas)}


def fitness_of(pool: GenePool, against: Sequence[PolicyLike], aim: str, deadline: float | None = None) -> Fitness:
    """Return how bots of a pool are judged.

    Raises InputError for opponents that are none on this board, and BudgetError after the deadline.
    """
    one_of("the fitness", aim, FITNESS)
    if not against:
        raise InputError("nobody to play against: name an opponent, such as random")
    seats = cast(tuple[Player, ...], tuple(pool.players))
    arenas: dict[str, tuple[Arena, ...]] = {}
    for given in against:
        name, places = _places(pool, seats, given, deadline)
        if name in arenas and not isinstance(given, str):
            name = next(each for each in (f"{name} ({n})" for n in count(2)) if each not in arenas)
        if name in arenas:
            raise InputError(f"the opponent {name} is named twice: name it once")
        arenas[name] = places
    return Fitness(pool, cast(Aim, aim), seats, tuple(arenas.items()))


def _places(
    pool: GenePool, seats: tuple[Player, ...], given: PolicyLike, deadline: float | None
) -> tuple[str, tuple[Arena, ...]]:
    """Return the name of an opponent and where bots meet it."""
    if isinstance(given, str) and given.replace(" ", "-") == EACH_OTHER:
        if len(seats) < 2:
            raise InvalidQuestion(f"bots that play {seats[0]} cannot meet each other: breed bots that play both")
        return EACH_OTHER, (ring(pool, deadline),)
    if is_word(given, BEST):
        return BEST, tuple(arena(pool, seat, None, deadline) for seat in seats)
    opponent = policy(pool.board, given)
    return opponent.name, tuple(arena(pool, seat, opponent, deadline) for seat in seats)
