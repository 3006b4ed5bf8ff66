"""Breeding a bot: generations judged exactly, until one never loses."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noughts.bots.breeding.bred import Bred, Generation, Stop
from noughts.bots.breeding.breeds import SMALLEST, first_generation, next_generation
from noughts.bots.breeding.chance import Dice
from noughts.bots.breeding.fitness import EACH_OTHER, Aim, Fitness, Odds, fitness_of
from noughts.bots.breeding.losing import first_loss
from noughts.domain.arguments import function_or_none, whole_number, wrong_type
from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.extent import LISTED_CLASSES
from noughts.domain.frozen import FrozenDict
from noughts.machine.budget import seconds_of
from noughts.strategy.genome import Kind, Seat, gene_pool, genome
from noughts.strategy.policies import PolicyLike
from noughts.strategy.versus import BEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["GENERATIONS", "MUTATIONS", "POPULATION", "breed"]

GENERATIONS, POPULATION, MUTATIONS = 1000, 500, 8.0
"""Generations at most, bots in each, and genes of a child that change on average, unless given."""

READY_SECONDS = 1.0
"""What bots can meet is listed in the time given, or in this: a board on which it takes longer is refused."""


def breed(
    board: Board | str,
    *,
    as_: Seat = "both",
    genes: Kind = "all",
    against: PolicyLike | Sequence[PolicyLike] = ("random",),
    fitness: Aim = "never-lose",
    population: int = POPULATION,
    mutations: float = MUTATIONS,
    generations: int = GENERATIONS,
    seed: int = 0,
    time: float | str | None = None,
    limit: int = LISTED_CLASSES,
    watch: Callable[[Generation], None] | None = None,
) -> Bred:
    """Return a bot that never loses, or the fittest of all generations.

    A bot is a table: for each decision (`genes="real"`: each in which neither side threatens to complete a line) the
    cell that it plays as X, O or both. Its fitness is exact: the average over the opponents of its chance not to lose,
    or with `fitness="result"` of its chance to win less that to lose. Opponents are any policies, `best`, which plays
    the best response to each bot, and `each-other`, the rest of the generation.

    The two fittest bots of a `population` live on. Each other is a child of two, each the fittest of three drawn at
    random: it has each gene of either, and then `mutations` genes on average change. Breeding ends with the first
    generation whose fittest bot loses to no play whatsoever, or is as fit as any can be where nobody can hold the
    board; else after so many `generations` or so much `time` (seconds, or text such as 10s) from the call on, though
    not before the first generation, or when it is interrupted after a generation. Where the population has room for
    every possible bot, each is judged once. Against `each-other` generations do not compare: the last counts. `watch`
    receives each generation. The same `seed` gives the same bots on every machine.

    Cost: some 10 microseconds for each bot of 3x3 and opponent. Raises InputError for what makes no sense, and
    BudgetError for boards with more than `limit` position classes, and where the time is over before what bots can meet
    is listed.

    >>> breed("2x3:2", as_="X", seed=1).never_loses
    True
    """
    board = Board.parse(board)
    whole_number("the generations", generations, 1)
    whole_number("the seed", seed)
    whole_number("the limit", limit, 1)
    function_or_none("watch", watch)
    _require_rules(population, mutations)
    seconds = None if time is None else seconds_of(time)
    if seconds == 0:
        raise InputError("the time cannot be 0: give some to breed in, such as 10s")
    begun = clock.monotonic()
    pool = gene_pool(board, genes, as_, limit=limit)
    opponents = list(against) if isinstance(against, list | tuple) else [against]
    ready = None if seconds is None else begun + max(seconds, READY_SECONDS)
    judged = fitness_of(pool, opponents, fitness, ready)  # type: ignore[arg-type]  # which refuses other kinds of sequences
    line = _Line(judged, fitness_of(pool, [BEST], "never-lose", ready), population, mutations, Dice(seed))
    stopped = line.run(generations, None if seconds is None else begun + seconds, watch)
    bot = genome(pool, line.fittest)
    return Bred(
        bot,
        fitness,
        population,
        mutations,
        seed,
        FrozenDict(line.record),
        first_loss(bot),
        line.evaluations,
        tuple(line.course),
        stopped,
    )


def _require_rules(population: int, mutations: float) -> None:
    """Raise InputError for a population without room for children, and for mutations that are no number from 0."""
    if whole_number("the population", population) < SMALLEST:
        raise InputError(f"a population of {population} cannot breed: take {SMALLEST} bots or more")
    if isinstance(mutations, bool) or not isinstance(mutations, int | float):
        raise wrong_type("the mutations", mutations, "a number from 0: so many genes of a child change")
    if not 0 <= mutations < float("inf"):
        raise InputError(f"the mutations cannot be {mutations}: give a number from 0")


@dataclass
class _Line:
    """A line of generations: the fittest bot so far with its record, and the course of the fitness."""

    fitness: Fitness
    safety: Fitness
    population: int
    mutations: float
    dice: Dice
    fittest: tuple[int, ...] = ()
    rank: tuple[bool, Fraction] = (False, Fraction(-2))
    evaluations: int = 0
    record: dict[str, tuple[Odds, ...]] = field(default_factory=dict)
    course: list[Generation] = field(default_factory=list)

    def run(self, most: int, deadline: float | None, watch: Callable[[Generation], None] | None) -> Stop:
        """Breed, and return why it ended. Raises KeyboardInterrupt where no generation was judged before it."""
        import numpy as np

        sizes = np.array(self.fitness.pool.sizes, np.int64)
        try:
            every = self._every()
            alleles = first_generation(sizes, self.population, self.dice) if every is None else every
            while True:
                order = self._judge(alleles)
                last = self.course[-1]
                if watch is not None:
                    watch(last)
                if every is not None:
                    return "every bot"
                if last.never_loses:
                    return "never loses"
                if last.best >= self.fitness.bound and self.safety.bound < 1:
                    return "best possible"
                if len(self.course) >= most:
                    return "generations"
                if deadline is not None and clock.monotonic() >= deadline:
                    return "time"
                alleles = next_generation(alleles, order, sizes, self.mutations, self.dice)
        except KeyboardInterrupt:
            if not self.course:
                raise
            return "interrupted"

    @property
    def _relative(self) -> bool:
        return EACH_OTHER in dict(self.fitness.arenas)

    def _every(self) -> NDArray[Any] | None:
        """Return all possible bots, None where they are more than a population; one that meets itself, twice."""
        import numpy as np

        pool = self.fitness.pool
        if pool.possible_bots > self.population:
            return None
        rows = [pool.alleles_of(number) for number in range(pool.possible_bots)]
        return np.array(rows * (2 if len(rows) == 1 and self._relative else 1), np.uint16)

    def _judge(self, alleles: NDArray[Any]) -> NDArray[Any]:
        """Judge a generation; return the numbers of its bots, the fittest first."""
        import numpy as np

        tables = self.fitness.tables(alleles)
        values, whole = self.fitness.values(tables)
        order = np.argsort(-values, kind="stable")
        first = int(order[0])
        safe, all_safe = self.safety.values(self.safety.tables(alleles[first : first + 1]))
        found = Generation(
            len(self.course) + 1,
            Fraction(int(values[first]), whole),
            Fraction(sum(map(int, values)), whole * len(values)),
            int(safe[0]) == all_safe,
        )
        rank = found.never_loses, found.best
        if self._relative or rank > self.rank:
            self.rank, self.fittest = rank, tuple(map(int, alleles[first]))
            self.record = self.fitness.record(tables, first)
        self.course.append(found)
        self.evaluations += len(alleles)
        return order
