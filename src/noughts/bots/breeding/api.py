"""Breeding a bot: generations judged exactly, until one never loses."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noughts.bots.breeding.bred import Bred, Generation, Stop
from noughts.bots.breeding.breeds import Breeding
from noughts.bots.breeding.chance import Dice
from noughts.bots.breeding.fitness import EACH_OTHER, Aim, Fitness, Odds, fitness_of
from noughts.bots.breeding.losing import first_loss
from noughts.domain.arguments import flag, function_or_none, whole_number, wrong_type
from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.extent import LISTED_CLASSES
from noughts.domain.frozen import FrozenDict
from noughts.machine.budget import seconds_of
from noughts.machine.joining import working
from noughts.machine.workers import Workers
from noughts.strategy.genome import Kind, Seat, gene_pool, genome
from noughts.strategy.policies import PolicyLike
from noughts.strategy.versus import BEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["GENERATIONS", "breed"]

GENERATIONS = 1000
"""After so many generations breeding ends, unless told otherwise."""

READY_SECONDS = 1.0
"""What bots can meet is listed in the time given, or in this: a board on which it takes longer is refused."""


def breed(
    board: Board | str,
    *,
    as_: Seat = "both",
    genes: Kind = "all",
    against: PolicyLike | Sequence[PolicyLike] = ("random",),
    fitness: Aim = "never-lose",
    rules: Breeding | None = None,
    generations: int = GENERATIONS,
    go_on: bool = False,
    seed: int = 0,
    time: float | str | None = None,
    threads: int | None = None,
    limit: int = LISTED_CLASSES,
    workers: Workers | int | str | None = None,
    watch: Callable[[Generation], None] | None = None,
) -> Bred:
    """Return the fittest bot of all generations, or one that never loses before any other.

    A bot is a table: for each decision (`genes="real"`: each in which neither side threatens to complete a line) the
    cell that it plays as X, O or both. Its fitness is exact: the average over the opponents of its chance not to lose,
    or with `fitness="result"` of its chance to win less that to lose. Opponents are any policies, `best`, which plays
    the best response to each bot, and `each-other`, the rest of the generation. Breeding ends with the first generation
    whose fittest bot loses to no play whatsoever, or is as fit as any can be where nobody can hold the board; unless it
    is to `go_on`: then of equally fit bots the one that wins more is the fitter. It ends after so many generations or
    so much `time` (seconds, or text such as 10s) from the call on, though not before the first generation, or when it
    is interrupted after a generation. Where the population has room for every possible bot, each is judged once.
    Against `each-other` generations do not compare, and of those whose fittest never loses, else of all, the last
    counts. `rules` say how bots breed, `watch` is told each generation. The same `seed` gives the same bots with any
    number of threads, or of `workers`: processes of this machine, or those of the cluster at an address.

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
    flag("go_on", go_on)
    function_or_none("watch", watch)
    rules = Breeding() if rules is None else rules
    if not isinstance(rules, Breeding):
        raise wrong_type("the rules of breeding", rules, "a Breeding")
    seconds = None if time is None else seconds_of(time)
    if seconds == 0:
        raise InputError("the time cannot be 0: give some to breed in, such as 10s")
    begun = clock.monotonic()
    pool = gene_pool(board, genes, as_, limit=limit)
    opponents = list(against) if isinstance(against, list | tuple) else [against]
    ready = None if seconds is None else begun + max(seconds, READY_SECONDS)
    judged = fitness_of(pool, opponents, fitness, ready)  # type: ignore[arg-type]  # which refuses other kinds of sequences
    safety = fitness_of(pool, [BEST], "never-lose", ready)
    with working(workers, threads=threads) as judges:
        line = _Line(judged, safety, rules, Dice(seed), judges, go_on)
        stopped = line.run(generations, None if seconds is None else begun + seconds, watch)
    bot = genome(pool, line.fittest)
    return Bred(
        bot,
        fitness,
        rules,
        seed,
        FrozenDict(line.record),
        first_loss(bot),
        line.evaluations,
        tuple(line.course),
        stopped,
    )


@dataclass
class _Line:
    """A line of generations: the fittest bot so far with its record, and the course of the fitness."""

    fitness: Fitness
    safety: Fitness
    rules: Breeding
    dice: Dice
    workers: Workers
    go_on: bool
    fittest: tuple[int, ...] = ()
    rank: tuple[Fraction, ...] = ()
    evaluations: int = 0
    record: dict[str, tuple[Odds, ...]] = field(default_factory=dict)
    course: list[Generation] = field(default_factory=list)

    def run(self, most: int, deadline: float | None, watch: Callable[[Generation], None] | None) -> Stop:
        """Breed, and return why it ended. Raises KeyboardInterrupt where no generation was judged before it."""
        import numpy as np

        sizes = np.array(self.fitness.pool.sizes, np.int64)
        try:
            every = self._every()
            alleles = self.rules.first(sizes, self.dice) if every is None else every
            while True:
                order = self._judge(alleles)
                if watch is not None:
                    watch(self.course[-1])
                if every is not None:
                    return "every bot"
                if not self.go_on and self._is_found():
                    return "never loses" if self.course[-1].never_loses else "best possible"
                if len(self.course) >= most:
                    return "generations"
                if deadline is not None and clock.monotonic() >= deadline:
                    return "time"
                alleles = self.rules.next(alleles, order, sizes, self.dice)
        except KeyboardInterrupt:
            if not self.course:
                raise
            return "interrupted"

    def _every(self) -> NDArray[Any] | None:
        """Return all possible bots, None where they are more than a population; one that meets itself, twice."""
        import numpy as np

        pool = self.fitness.pool
        if pool.possible_bots > self.rules.population:
            return None
        rows = [pool.alleles_of(number) for number in range(pool.possible_bots)]
        return np.array(rows * (2 if len(rows) == 1 and self._relative else 1), np.uint16)

    def _is_found(self) -> bool:
        """Return whether the fittest bot never loses, or none can and it is as fit as any."""
        last = self.course[-1]
        return last.never_loses or (last.best >= self.fitness.bound and self.safety.bound < 1)

    @property
    def _relative(self) -> bool:
        return any(name == EACH_OTHER for name, _ in self.fitness.arenas)

    def _judge(self, alleles: NDArray[Any]) -> NDArray[Any]:
        """Judge a generation; return its bots, the fittest first."""

        tables = self.fitness.tables(alleles, self.workers)
        values, whole = self.fitness.values(tables)
        order = self.fitness.order(tables, self.go_on)
        first = int(order[0])
        found = Generation(
            len(self.course) + 1,
            Fraction(int(values[first]), whole),
            Fraction(sum(map(int, values)), whole * len(values)),
            self._never_loses(alleles[first : first + 1]),
        )
        record = self.fitness.record(tables, first)
        odds = [each for several in record.values() for each in several]
        fit = () if self._relative else (found.best, Odds.mean(odds).win if self.go_on else Fraction(0))
        rank = (Fraction(found.never_loses), *fit)
        if rank > self.rank or (self._relative and rank == self.rank):
            self.rank = rank
            self.fittest = tuple(map(int, alleles[first]))
            self.record = record
        self.course.append(found)
        self.evaluations += len(alleles)
        return order

    def _never_loses(self, alleles: NDArray[Any]) -> bool:
        values, whole = self.safety.values(self.safety.tables(alleles))
        return int(values[0]) == whole
