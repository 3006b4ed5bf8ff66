"""Chance in breeding: draws from a seed that are the same on every machine and with any number of workers.

The numbers are those of PCG64, whose stream NumPy keeps as it is between versions. A draw below n takes one of them, of
64 bits: its upper 32 times n, divided by 2^32. Draws are taken in one thread, in a fixed order.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Literal, cast

from noughts.analysis.policies.genome import GENE_KINDS, SEATS, Genome, Kind, Seat, gene_pool, genome
from noughts.analysis.policies.policy import BEST, Policy
from noughts.analysis.policies.reading import PolicyLike, policy_of
from noughts.analysis.solutions import solution_for
from noughts.bots.fitness import EACH_OTHER, FITNESS, Aim, Fitness, Odds, fitness_of
from noughts.bots.layered import (
    GENE_BYTES,
    LayeredFitness,
    has_layers,
    layered_fitness,
    layers_of,
    opponents_of,
    pool_of,
)
from noughts.machine.budget import default_memory, format_size, seconds_of
from noughts.machine.reading import FILE_VERSION
from noughts.rules.arguments import function_or_none, one_of, whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion
from noughts.rules.game import LISTED_CLASSES, class_bound, on_moves
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import inverse
from noughts.rules.values import FrozenDict, Reported, Result, decimal_digits, for_json, short

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Dice:
    """Draws from a seed, a whole number from 0."""

    def __init__(self, seed: int) -> None:
        from numpy.random import PCG64

        self._source = PCG64(seed)

    def below(self, limits: int | NDArray[Any], *shape: int) -> NDArray[Any]:
        """Return an array of draws, each below its limit, which is at least 1 and below 2^31; int64."""
        import numpy as np

        raw = np.asarray(self._source.random_raw(prod(shape)), np.uint64).reshape(shape)
        return ((raw >> np.uint64(32)) * np.asarray(limits, np.uint64) >> np.uint64(32)).astype(np.int64)

    def happens(self, chance: float, *shape: int) -> NDArray[Any]:
        """Return an array that is True with a chance, to 16 bits: four draws from each number, the low bits first."""
        import numpy as np

        raw = np.asarray(self._source.random_raw(-(-prod(shape) // 4)), np.uint64).astype("<u8").view("<u2")
        found: NDArray[Any] = raw[: prod(shape)].reshape(shape) < round(chance * 2**16)
        return found


# How a generation comes from the one before: the fittest live on, others are children of two that won a tournament.

_ELITE, _TOURNAMENT = 2, 3
"""So many of the fittest live on unchanged, and a parent is the fittest of so many bots drawn with equal chances."""
SMALLEST = _ELITE + 1
"""The smallest population that has room for children."""


def next_generation(
    alleles: NDArray[Any], order: NDArray[Any], sizes: NDArray[Any], mutations: float, dice: Dice
) -> NDArray[Any]:
    """Return the next generation; `order` has the numbers of the bots, the fittest first.

    A child has each gene of one of its two parents, with equal chances; then `mutations` genes on average change to
    another allele.
    """
    import numpy as np

    parents = _parents(order, dice)
    shape = parents.shape[1], len(sizes)
    born = np.where(dice.happens(0.5, *shape), alleles[parents[0]], alleles[parents[1]])
    changed = dice.happens(min(1.0, mutations / max(1, len(sizes))), *shape) & (sizes > 1)
    return np.concatenate([alleles[order[:_ELITE]], _mutated(born, changed, sizes, dice)])


def next_by_genes(
    alleles: NDArray[Any], order: NDArray[Any], sizes: NDArray[Any], judged: LayeredFitness, dice: Dice
) -> NDArray[Any]:
    """Return the next generation of bots that are judged at every gene.

    A child has each gene of the parent that attains more from there on; then each gene from which it can lose changes
    with a chance of one half.
    """
    import numpy as np

    (scores, lost), (one, other) = judged.at_genes(len(alleles)), _parents(order, dice)
    first = scores[one] >= scores[other]
    born = np.where(first, alleles[one], alleles[other])
    changed = np.where(first, lost[one], lost[other]) & (sizes > 1) & dice.happens(0.5, *born.shape)
    return np.concatenate([alleles[order[:_ELITE]], _mutated(born, changed, sizes, dice)])


def _parents(order: NDArray[Any], dice: Dice) -> NDArray[Any]:
    """Return two parents for each child: the smaller a place in the order, the fitter; a tournament's least wins."""
    found: NDArray[Any] = order[dice.below(len(order), 2, len(order) - _ELITE, _TOURNAMENT).min(axis=2)]
    return found


def _mutated(born: NDArray[Any], changed: NDArray[Any], sizes: NDArray[Any], dice: Dice) -> NDArray[Any]:
    """Change genes to another allele."""
    import numpy as np

    of = sizes[np.nonzero(changed)[1]]
    born[changed] = (born[changed] + 1 + dice.below(of - 1, len(of))) % of
    return born


# The first line on which a bot still loses, found by going through every reply to it.


@dataclass(frozen=True)
class LosingLine:
    """A whole game that a bot loses: which player it was, and the moves of both."""

    board: Board
    player: Player
    moves: tuple[Cell, ...]

    @property
    def names(self) -> list[str]:
        """The names of the moves."""
        return [move_name(self.board, move) for move in self.moves]

    def as_dict(self) -> dict[str, object]:
        """Return the line for JSON."""
        return {"as": self.player, "moves": self.names}


def first_loss(bot: Genome) -> LosingLine | None:
    """Return the shortest game that a bot can lose, None where it never loses.

    Of equally short ones that as X, and then the one whose moves come first in reading order. Cost: some visits to each
    position class that the bot can come to in so many plies.
    """
    players = cast(tuple[Player, ...], tuple(bot.pool.players))
    found = (_losing_line(bot, player, most) for most in range(bot.pool.board.cells + 1) for player in players)
    return next((line for line in found if line is not None), None)


def _losing_line(bot: Genome, player: Player, most: int) -> LosingLine | None:
    """Return the soonest loss of a bot that plays as one player, None where it holds for so many plies."""
    group = bot.pool.board.group()

    def cells(at: Position) -> list[Cell]:
        if at.to_move != player:
            return list(cells_of(at.playable))
        x, o, symmetry = group.to_canonical(at.x, at.o)
        return [on_moves(at.board, inverse(symmetry))[bot.cells[x, o]]]

    def plies(at: Position) -> int | None:
        if at.is_terminal:
            return 0 if at.outcome == opponent(player) else None
        return of_class(*group.canonical(at.x, at.o)) if at.ply < most else None

    @cache
    def of_class(x: Mask, o: Mask) -> int | None:
        at = Position(bot.pool.board, x, o)
        after = [plies(at.play(cell)) for cell in cells(at)]
        return min((1 + found for found in after if found is not None), default=None)

    at, moves = Position(bot.pool.board), list[Cell]()
    if plies(at) is None:
        return None
    while not at.is_terminal:
        near = {cell: plies(at.play(cell)) for cell in cells(at)}
        moves.append(min((found, cell) for cell, found in near.items() if found is not None)[1])
        at = at.play(moves[-1])
    return LosingLine(at.board, player, tuple(moves))


# What breeding gives: the bot, its exact record, the first line on which it still loses, and how it came about.

Stop = Literal["never loses", "every bot", "best possible", "generations", "time", "interrupted"]
"""The end of breeding: a bot that never loses, every bot judged, the best possible bot, a limit, or the user."""


@dataclass(frozen=True)
class Generation(Result):
    """A generation by number, from 1: the best fitness and the mean, and whether the fittest bot never loses."""

    number: int
    best: Fraction
    mean: Fraction
    never_loses: bool
    keys = "generation=number best mean never_loses"


@dataclass(frozen=True, repr=False)
class Bred(Reported):
    """A bot bred on a board.

    `chances` are those of its games against each opponent, as each player it plays, X first; those against `each-other`
    are against the rest of its generation. `never_loses` is whether it never loses, against any play. `evaluations`
    counts the bots judged, against all opponents. `stopped` says what ended the breeding.
    """

    bot: Genome
    fitness: str
    population: int
    mutations: float
    seed: int
    never_loses: bool
    chances: FrozenDict[str, tuple[Odds, ...]] = field(repr=False)
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
        """The side of the bot: X, O or both."""
        return next(seat for seat, players in SEATS.items() if players == self.bot.pool.players)

    @property
    def policy(self) -> Policy:
        """The bot as a policy."""
        return policy_of(self.bot)

    @cached_property
    def loss(self) -> LosingLine | None:
        """The shortest game that it still loses, sought on first use; None where it never loses."""
        return None if self.never_loses else first_loss(self.bot)

    @property
    def can_be_held(self) -> bool:
        """Whether there is a way to play as the bot does, as X, O or both, that never loses."""
        return all(self.outcome in ("draw", player) for player in self.bot.pool.players)

    @property
    def outcome(self) -> Outcome:
        """Who wins the board under best play."""
        return solution_for(Position(self.board)).outcome()

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
            "course": for_json(self.course),
            "genome": self.bot.text,
            "bot": self.bot.table(),
        }


# Breeding a bot: generations judged exactly, until one never loses.

GENERATIONS, POPULATION, MUTATIONS = 1000, 500, 8.0
"""Generations at most, bots in each, and genes of a child that change on average, unless given."""
BY_GENES = 8
"""Bots in a generation of a board where they are judged at every gene."""

READY_SECONDS = 1.0
"""What bots can meet is listed in the time given, or in this: a board on which it takes longer is refused."""


def breed(
    board: Board | str,
    *,
    as_: Seat = "both",
    genes: Kind = "all",
    against: PolicyLike | Sequence[PolicyLike] = ("random",),
    fitness: Aim = "never-lose",
    population: int | None = None,
    mutations: float = MUTATIONS,
    generations: int = GENERATIONS,
    seed: int = 0,
    time: float | str | None = None,
    limit: int = LISTED_CLASSES,
    watch: Callable[[Generation], None] | None = None,
) -> Bred:
    """Return a bot that never loses, or the fittest of all generations.

    A bot is a table: for each decision the move that it plays. Its fitness is exact: the average over the opponents of
    its chance not to lose. The two fittest bots of a population survive. Every other bot is a child of two, each the
    fittest of three random ones: it has each gene of either, and then some genes change. Breeding ends with the first
    generation whose fittest bot never loses, or is as fit as possible on a board where every bot can lose.

    Parameters
    ----------
    board
        The board, or its name.
    as_
        The side that the bot plays: X, O or both; X is the player who begins.
    genes
        `all` decisions, or the `real` ones, in which neither side threatens to complete a line.
    against
        Policies, `best` for the best response to each bot, or `each-other` for the rest of the generation.
    fitness
        `never-lose`, or `result`: the chance to win minus the chance to lose.
    population, mutations, generations
        Bots of a generation (default: 500; 8 where every gene is judged), genes that change in a child on average, and
        the most generations.
    seed
        The same seed gives the same bots on every machine.
    time
        Seconds, or text such as `10s`; the first generation is always finished.
    limit
        The most position classes.
    watch
        Receives each generation; an interrupt ends breeding after a generation.

    Returns
    -------
    Bred
        The fittest bot, a policy, with the course of breeding. Against `each-other` the last generation counts. Where
        every gene is judged its table lists the decisions that it can meet.

    Raises
    ------
    InputError
        A parameter makes no sense.
    BudgetError
        The board has too many classes, or the time is over before the positions of bots are listed.

    Notes
    -----
    Cost: some 10 microseconds for each bot of 3x3 and opponent, a fifth of a second for a bot of 4x4.

    >>> breed("2x3:2", as_="X", seed=1).never_loses
    True
    """
    board = Board.parse(board)
    for what, number, least in ("generations", generations, 1), ("seed", seed, 0), ("limit", limit, 1):
        whole_number(f"the {what}", number, least)
    function_or_none("watch", watch)
    by_genes = has_layers(board) and limit >= LISTED_CLASSES
    population = usual_population(board) if population is None else population
    _require_rules(population, mutations)
    seconds, begun = None if time is None else seconds_of(time), clock.monotonic()
    if seconds == 0:
        raise InputError("the time cannot be 0: give some to breed in, such as 10s")
    opponents = cast(list[PolicyLike], list(against) if isinstance(against, list | tuple) else [against])
    ready = None if seconds is None else begun + max(seconds, READY_SECONDS)
    if by_genes:
        _require_genes(board, genes, population, mutations)
        judged, safety = _by_genes(board, as_, opponents, fitness, ready)
    else:
        pool = gene_pool(board, genes, as_, limit=limit)
        judged = fitness_of(pool, opponents, fitness, ready)
        safety = fitness_of(pool, [BEST], "never-lose", ready)
    line, pool = _Line(judged, safety, population, mutations, Dice(seed)), judged.pool
    stopped = line.run(generations, None if seconds is None else begun + seconds, watch)
    bot, found = genome(pool, line.fittest), (FrozenDict(line.record), line.evaluations, tuple(line.course), stopped)
    if isinstance(judged, LayeredFitness):
        bot = replace(bot, met=judged.met(bot.alleles))
    return Bred(bot, fitness, population, mutations, seed, line.rank[0], *found)


def usual_population(board: Board) -> int:
    """Return the number of bots in a generation unless given."""
    return BY_GENES if has_layers(board) else POPULATION


def _require_genes(board: Board, kind: str, population: int, mutations: float) -> None:
    """Raise InputError and BudgetError for what cannot be bred where bots are judged at every gene."""
    one_of("the genes", kind, GENE_KINDS)
    if kind != "all":
        raise InvalidQuestion(f"bots of {board} are bred on all decisions: ask for all genes")
    if mutations != MUTATIONS:
        raise InvalidQuestion(f"on {board} every gene from which a bot can lose may mutate: remove the mutations")
    if (needed := population * class_bound(Position(board)) * GENE_BYTES) > default_memory():
        raise BudgetError(f"{population:,} bots of {board} need {format_size(needed)}: breed fewer")


def _by_genes(
    board: Board, seat: Seat, against: list[PolicyLike], aim: Aim, deadline: float | None
) -> tuple[Fitness, Fitness]:
    """Return how bots are judged at every gene: their fitness, and whether they never lose."""
    one_of("the player of a bot", seat, tuple(SEATS))
    one_of("the fitness", aim, FITNESS)
    names = opponents_of(board, against)
    layers = layers_of(board, deadline)
    pool = pool_of(board, layers, seat)
    return layered_fitness(pool, layers, names, aim), layered_fitness(pool, layers, [BEST], "never-lose")


def _require_rules(population: int, mutations: float) -> None:
    """Raise InputError for a population without room for children, and for mutations that are not a number from 0."""
    if whole_number("the population", population) < SMALLEST:
        raise InputError(f"a population of {population} cannot breed: take {SMALLEST} bots or more")
    if isinstance(mutations, bool) or not isinstance(mutations, int | float):
        raise wrong_type("the mutations", mutations, "a number from 0: so many genes of a child change")
    if not 0 <= mutations < float("inf"):
        raise InputError(f"the mutations cannot be {max(mutations, -1e300):g}: give a number from 0")


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
            alleles = every = self._every()
            if alleles is None:
                alleles = self.dice.below(sizes, self.population, len(sizes)).astype(np.uint16)
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
                if isinstance(self.fitness, LayeredFitness):
                    alleles = next_by_genes(alleles, order, sizes, self.fitness, self.dice)
                else:
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
        return np.array(rows * (1 + (len(rows) == 1 and self._relative)), np.uint16)

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
