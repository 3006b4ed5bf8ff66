"""What breeding gives: the bot, its exact record, the first line on which it still loses, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from noughts.bots.breeding.fitness import Odds
from noughts.bots.breeding.losing import LosingLine
from noughts.counting.layers.classsums import graph_of
from noughts.counting.question import Question
from noughts.domain.arguments import one_of
from noughts.domain.board import Board
from noughts.domain.digits import decimal_digits
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.players import Outcome
from noughts.machine.reading import FILE_VERSION
from noughts.solving.values import OUTCOME_OF_VALUE
from noughts.strategy.genome import SEATS, Genome
from noughts.strategy.policies import policy
from noughts.strategy.policy import Policy

__all__ = ["Bred", "Generation", "Stop"]

Stop = Literal["never loses", "every bot", "best possible", "generations", "time", "interrupted"]
"""What ends breeding: a bot that never loses; that every possible bot was judged, or one as fit as any can be, where
none can hold the board; so many generations, so much time, or the user."""


@dataclass(frozen=True)
class Generation:
    """A generation by number, from 1: the best fitness and the mean, and whether the fittest bot never loses."""

    number: int
    best: Fraction
    mean: Fraction
    never_loses: bool


@dataclass(frozen=True, repr=False)
class Bred:
    """A bot bred on a board.

    `chances` are those of its games against each opponent, as each player it plays, X first; those against `each-other`
    are against the rest of its generation. `loss` is the shortest game that it still loses, None where it never loses.
    `evaluations` counts the bots judged, against all opponents. `stopped` says what ended the breeding.
    """

    bot: Genome
    fitness: str
    population: int
    mutations: float
    seed: int
    chances: FrozenDict[str, tuple[Odds, ...]] = field(repr=False)
    loss: LosingLine | None
    evaluations: int
    course: tuple[Generation, ...] = field(repr=False)
    stopped: Stop

    def __repr__(self) -> str:
        fate = "never loses" if self.never_loses else "still loses"
        return f"<Bred on {short(self.board)}, as {self.seat}, {self.generations} generations: {fate}>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.bot.pool.board

    @property
    def seat(self) -> str:
        """Whom the bot plays as: X, O or both."""
        return next(seat for seat, players in SEATS.items() if players == self.bot.pool.players)

    @property
    def policy(self) -> Policy:
        """The bot as a policy."""
        return policy(self.board, self.bot.text)

    @property
    def never_loses(self) -> bool:
        """Whether it loses no game, whatever the other plays."""
        return self.loss is None

    @property
    def can_be_held(self) -> bool:
        """Whether there is a way to play as the bot does, as X, O or both, that never loses."""
        return all(self.outcome in ("draw", player) for player in self.bot.pool.players)

    @property
    def outcome(self) -> Outcome:
        """Who wins the board under best play."""
        return OUTCOME_OF_VALUE[graph_of(Question(self.board, "choices"), whole_group=True).values[0]]

    @property
    def generations(self) -> int:
        """How many generations were judged."""
        return len(self.course)

    @property
    def possible_bots(self) -> int:
        """How many different bots these genes make."""
        return self.bot.pool.possible_bots

    def against(self, name: str) -> Odds:
        """Return the chances against an opponent, by name: for a bot that plays both the average over X and O.

        Raises InputError for one it was not bred against.
        """
        one_of("the opponent", name, tuple(self.chances))
        return Odds.mean(self.chances[name])

    def as_dict(self) -> dict[str, object]:
        """Return all of it for JSON; `bot` is read by `policy` as it is."""
        players = self.bot.pool.players
        return {
            "version": FILE_VERSION,
            "board": self.board.spec,
            "as": self.seat,
            "genes": self.bot.pool.kind,
            "gene_count": len(self.bot.pool.genes),
            "possible_bots": decimal_digits(self.possible_bots),
            "fitness": self.fitness,
            "seed": self.seed,
            "never_loses": self.never_loses,
            "first_loss": None if self.loss is None else self.loss.as_dict(),
            "against": {
                name: {
                    **self.against(name).as_dict(),
                    **({"as": {p: c.as_dict() for p, c in zip(players, each, strict=True)}} if len(each) > 1 else {}),
                }
                for name, each in self.chances.items()
            },
            "generations": self.generations,
            "evaluations": self.evaluations,
            "stopped": self.stopped,
            "course": [
                {
                    "generation": each.number,
                    "best": str(each.best),
                    "mean": str(each.mean),
                    "never_loses": each.never_loses,
                }
                for each in self.course
            ],
            "genome": self.bot.text,
            "bot": self.bot.table(),
        }
