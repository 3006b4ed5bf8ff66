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
from noughts.bots.breeding.fitness import EACH_OTHER, Fitness, Odds, fitness_of
from noughts.bots.breeding.losing import first_loss
from noughts.domain.arguments import flag, function_or_none, whole_number, wrong_type
from noughts.domain.board import Board
from noughts.domain.extent import LISTED_CLASSES
from noughts.domain.frozen import FrozenDict
from noughts.machine.budget import seconds_of
from noughts.machine.workers import Workers, workers_for
from noughts.strategy.genome import gene_pool, genome
from noughts.strategy.policies import PolicyLike
from noughts.strategy.versus import BEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["GENERATIONS", "breed"]

GENERATIONS = 1000
"""After so many generations breeding ends, unless told otherwise."""


def breed(
    board: Board | str,
    *,
    as_: str = "both",
    genes: str = "all",
    against: PolicyLike | Sequence[PolicyLike] = ("random",),
    fitness: str = "never-lose",
    rules: Breeding | None = None,
    generations: int = GENERATIONS,
    go_on: bool = False,
    seed: int = 0,
    time: float | str | None = None,
    threads: int | None = None,
    limit: int = LISTED_CLASSES,
    watch: Callable[[Generation], None] | None = None,
) -> Bred:
    """Return the fittest bot of the last generation, or of all where no bot lives on.

    A bot is a table: for each decision (`genes="real"`: each in which neither side threatens to complete a line) the
    cell that it plays as X, O or both. Its fitness is exact: the average over the opponents of its chance not to lose,
    or with `fitness="result"` of its chance to win less that to lose. Opponents are any policies, `best`, which plays
    the best response to each bot, and `each-other`, the rest of the generation. Breeding ends with the first generation
    whose fittest bot loses to no play whatsoever, unless it is to `go_on`; after so many generations or so much `time`
    (seconds, or text such as 10s); or when it is interrupted after a generation. `rules` say how bots breed, `watch` is
    told each generation. The same `seed` gives the same bots with any number of threads.

    Cost: some 10 microseconds for each bot of 3x3 and opponent. Raises InputError for what makes no sense, and
    BudgetError for boards with more than `limit` position classes.

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
    workers = workers_for(threads)
    pool = gene_pool(board, genes, as_, limit=limit)
    opponents = list(against) if isinstance(against, list | tuple) else [against]
    judged = fitness_of(pool, opponents, fitness)  # type: ignore[arg-type]
    line = _Line(judged, fitness_of(pool, [BEST], "never-lose"), rules, Dice(seed), workers)
    stopped = line.run(generations if pool.possible_bots > 1 else 1, go_on, seconds, watch)
    bot = genome(pool, line.fittest)
    return Bred(
        bot,
        fitness,
        rules,
        seed,
        FrozenDict(line.record),
        first_loss(bot),
        len(line.course) * rules.population,
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
    fittest: tuple[int, ...] = ()
    record: dict[str, tuple[Odds, ...]] = field(default_factory=dict)
    course: list[Generation] = field(default_factory=list)

    def run(self, most: int, go_on: bool, seconds: float | None, watch: Callable[[Generation], None] | None) -> Stop:
        """Breed, and return why it ended. Raises KeyboardInterrupt where no generation was judged before it."""
        import numpy as np

        begun = clock.monotonic()
        sizes = np.array(self.fitness.pool.sizes, np.int64)
        try:
            alleles = self.rules.first(sizes, self.dice)
            while True:
                order = self._judge(alleles)
                if watch is not None:
                    watch(self.course[-1])
                if self.course[-1].never_loses and not go_on:
                    return "never loses"
                if len(self.course) >= most:
                    return "generations"
                if seconds is not None and clock.monotonic() - begun >= seconds:
                    return "time"
                alleles = self.rules.next(alleles, order, sizes, self.dice)
        except KeyboardInterrupt:
            if not self.course:
                raise
            return "interrupted"

    def _judge(self, alleles: NDArray[Any]) -> NDArray[Any]:
        """Judge a generation; return its bots, the fittest first, and of equals that of the lowest number."""
        import numpy as np

        tables = self.fitness.tables(alleles, self.workers)
        values, whole = self.fitness.values(tables)
        order = np.argsort(-values, kind="stable")
        first = int(order[0])
        found = Generation(
            len(self.course) + 1,
            Fraction(int(values[first]), whole),
            Fraction(sum(map(int, values)), whole * len(values)),
            self._never_loses(alleles[first : first + 1]),
        )
        relative = any(name == EACH_OTHER for name, _ in self.fitness.arenas)
        if relative or found.best > max((each.best for each in self.course), default=Fraction(-2)):
            self.fittest = tuple(map(int, alleles[first]))
            self.record = self.fitness.record(tables, first)
        self.course.append(found)
        return order

    def _never_loses(self, alleles: NDArray[Any]) -> bool:
        values, whole = self.safety.values(self.safety.tables(alleles))
        return int(values[0]) == whole
