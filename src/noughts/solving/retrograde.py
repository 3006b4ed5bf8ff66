"""Engine `retrograde`: plain Python for small problems, and tables by compiled kernels for others."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from functools import cached_property, lru_cache
from math import comb

from noughts.machine.budget import Estimate, Limits, OfSize, Refusal, is_over
from noughts.machine.workers import Progress, Workers
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidPosition
from noughts.rules.game import LISTED_CLASSES, QUICK_CLASSES, Marks, class_bound
from noughts.rules.marks import Mask
from noughts.rules.position import Position, PositionLike
from noughts.rules.symmetry import ELEMENT_LIMIT, Group
from noughts.solving.classgraph import ClassGraph, class_graph
from noughts.solving.fields import why_not_listed
from noughts.solving.problem import Problem, SolvingOffer, too_large
from noughts.solving.published import and_known
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import OUTCOME_OF_VALUE, PlyValues, Split


class SmallSolution(Solution):
    """Values from one class graph of all that play from a start reaches. See `ClassGraph` for the cost."""

    engine = "retrograde"

    def __init__(self, board: Board, start: Position | None = None) -> None:
        super().__init__(board, start)
        whole = start is None or start.ply == 0
        graph = class_graph(board, start, group=None if whole else Group.trivial(board.cells))
        vars(self).update(graph=graph)

    graph: ClassGraph
    """The graph: its nodes are classes from the empty board, positions from a later start."""

    def __reduce__(self) -> tuple[type[SmallSolution], tuple[Board, Position]]:
        return SmallSolution, (self.board, self.start)

    @cached_property
    def _classes(self) -> dict[tuple[Mask, Mask], int]:
        """The number of one position of each reached class, by the canonical form under all symmetries of the board."""
        canonical = self.board.group().canonical
        return {canonical(node.state.x, node.state.o): number for number, node in enumerate(self.graph.nodes)}

    def _number(self, position: Position) -> int:
        """Return the number of a position, or of a symmetric one where play from the start does not reach it."""
        try:
            return self.graph.number_of(Marks(position.x, position.o))
        except KeyError:
            found = self._classes.get(self.board.group().canonical(position.x, position.o))
        if found is None:
            raise InvalidPosition(
                f"play from {self.start} does not reach {position}, so the solution lacks it: solve it again"
            )
        return found

    def _evaluate_open(self, position: Position) -> Evaluation:
        number = self._number(position)
        outcome = OUTCOME_OF_VALUE[self.graph.values[number]]
        return Evaluation(outcome, self.graph.remoteness[number], f"retrograde: {self._valued()}")

    def _valued(self) -> str:
        """Return how many classes or positions were valued, in words."""
        many = len(self.graph.nodes)
        if self.graph.game.group.order == 1:
            return f"all {many:,} positions valued" if many > 1 else "one position valued"
        return f"all {many:,} classes valued"

    def is_decided(self, position: PositionLike | None = None) -> bool:
        """Tell whether every continuation has the same outcome."""
        at = self._position(position)
        return at.is_terminal or self.graph.decided[self._number(at)] is not None

    def plies(self) -> tuple[PlyValues, ...]:
        """Return the distribution of the values of all positions that play from the start reaches."""
        rows = []
        for ply, numbers in enumerate(self.graph.layers, self.graph.game.ply(self.graph.game.start)):
            counts = {value: [0, 0] for value in OUTCOME_OF_VALUE}
            for number in numbers:
                count = counts[self.graph.values[number]]
                count[0] += self.graph.nodes[number].orbit
                count[1] += 1
            labelled, symmetry = (Split(counts[1][i], counts[0][i], counts[-1][i]) for i in (0, 1))
            rows.append(PlyValues(ply, labelled, symmetry))
        return tuple(rows)


# Engine `retrograde`: every position by a backward pass, in plain Python where that is quick, else over tables.

NAME = "retrograde"
TABLE_CELLS = 30
SURELY_MANY = 64
"""Blank cells from which play reaches more classes than plain Python lists, on grids, which have few symmetries."""
TABLE_SYMMETRIES = 1_000
START_UP = 1.0
SECONDS_A_CLASS = START_UP / QUICK_CLASSES
SECONDS_AN_ENTRY = 1.2e-8
SECONDS_A_SET = 3e-6
SAMPLES = 2_000
SECONDS_A_MOVE = 2.5e-8
BYTES_A_CLASS = 20
SET_BYTES = 32
"""What finding the threats of all sets of one size takes at its peak, for each set."""


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer the values of all positions: by a class graph in plain Python, or by tables where these take less time.

    Where a search would have to end at some time, this has to as well.
    """
    start, until = problem.start or Position(problem.board), problem.search.until()
    marking = problem.board.rules.is_marking
    if until is not None:
        limits = replace(limits, seconds=max(0.0, min(limits.seconds, until - time.monotonic())))
    if marking and start.blanks.bit_count() > SURELY_MANY and (start.ply or problem.board.specification is not None):
        return _by_tables(problem, limits)
    bound = class_bound(start)
    plain = None
    if bound <= LISTED_CLASSES and problem.board.group().order <= ELEMENT_LIMIT:
        seconds = bound * SECONDS_A_CLASS * max(1, problem.board.group().order / 8)
        estimate = Estimate(bound * 1_000 + 10**6, seconds, f"at most {bound:,} position classes")
        plain = SolvingOffer(
            NAME,
            estimate,
            lambda workers, progress: SmallSolution(problem.board, problem.start),
            lambda workers, progress: SmallSolution(problem.board).plies(),
        )
    if plain is not None and plain.estimate.seconds <= START_UP and limits.allow(plain.estimate):
        return plain
    rules = problem.board.rules
    if not rules.is_known:
        most = f"of rules that are not its own the engine {NAME} solves up to {LISTED_CLASSES:,} position classes"
        return plain if plain is not None and limits.allow(plain.estimate) else Refusal(NAME, OfSize(most))
    tables = (_by_tables if rules.is_marking else _by_classes)(problem, limits)
    if isinstance(tables, SolvingOffer) and (plain is None or tables.estimate.seconds < plain.estimate.seconds):
        return tables
    return plain if plain is not None and limits.allow(plain.estimate) else tables


def _by_classes(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer all classes of a game that is not a marking game; see `ClassLayers`."""
    board, start, why = problem.board, problem.start or Position(problem.board), why_not_listed(problem.board)
    if why is not None:
        return Refusal(NAME, OfSize(f"the engine retrograde takes games on {why}, {board} has more"))
    bound, rules = class_bound(start), board.rules
    moves = (board.shape or (0, board.cells))[1] if rules.by_column else board.cells * (1 + rules.chooses_mark) / 3
    work = bound * moves * board.part.group().order * rules.boards
    memory = 100_000_000 + bound * BYTES_A_CLASS
    estimate = Estimate(memory, START_UP / 2 + 2 * work * SECONDS_A_MOVE, f"at most {bound:,} position classes")
    if not limits.allow(estimate):
        return too_large(problem, NAME, estimate, limits)

    def solve(workers: Workers, progress: Progress) -> Solution:
        from noughts.solving.class_layers import ClassSolution

        return ClassSolution(board, problem.start, progress)

    return SolvingOffer(NAME, estimate, solve, lambda workers, progress: solve(workers, progress).plies())


def _by_tables(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    board, packed = problem.board, problem.remoteness is False
    if not board.rules.is_marking:
        return Refusal(
            NAME, f"the tables of the engine retrograde are not made for {board}, where {board.rules.clause}"
        )
    if board.cells > TABLE_CELLS:
        why = f"the engine retrograde takes boards of up to {TABLE_CELLS} cells, {board} has {board.cells:,}"
        return Refusal(NAME, OfSize(why))
    if board.group("board").order > TABLE_SYMMETRIES:
        why = f"the engine retrograde takes at most {TABLE_SYMMETRIES} symmetries, {board} has more"
        return Refusal(NAME, OfSize(why))
    estimate = _table_estimate(problem)
    if not limits.allow(estimate):
        return too_large(problem, NAME, estimate, limits)

    def solve(workers: Workers, progress: Progress) -> Solution:
        from noughts.solving.index import PerfectIndex
        from noughts.solving.tables import solve_in_memory

        until = problem.search.until()

        def watch(done: int, whole: int, what: str) -> None:
            if is_over(until):
                far = f"{board} is not solved in time, {done:,} of {whole:,} entries are"
                raise BudgetError(f"{far}: raise --time{and_known(problem.start)}")
            progress(done, whole, what)

        return solve_in_memory(PerfectIndex(board), packed=packed, start=problem.start, workers=workers, progress=watch)

    def count(workers: Workers, progress: Progress) -> tuple[PlyValues, ...]:
        from noughts.solving import tables
        from noughts.solving.index import PerfectIndex

        return tables.count_values(PerfectIndex(board), packed=packed, workers=workers, progress=progress)

    return SolvingOffer(NAME, estimate, solve, count)


def _table_estimate(problem: Problem) -> Estimate:
    """Return the cost: all tables in memory, or two of them where only counts are asked."""
    packed = problem.remoteness is False
    layers = table_sizes(problem.board)
    sizes = [size // 4 if packed else size for size in layers]
    if problem.counts_only:
        tables = max(first + second for first, second in zip(sizes, [*sizes[1:], 0], strict=True))
    else:
        tables = sum(sizes)
    sets = 2**problem.board.cells // problem.board.group("board").order
    threats = SET_BYTES * comb(problem.board.cells, problem.board.cells // 2)
    work_space = 100_000_000 + sets * 5 * problem.board.cells // 2 + threats
    seconds = START_UP + sum(layers) * SECONDS_AN_ENTRY + sets * SECONDS_A_SET
    return Estimate(tables + work_space, seconds, f"about {sum(layers):,} entries")


def table_sizes(board: Board) -> list[int]:
    """Return about how many entries the table of each layer has: sets of O beside canonical line-free sets of X."""
    order = board.group("board").order
    shares = line_free_shares(board, SAMPLES if board.cells >= 12 else SAMPLES // 10)
    sizes = []
    for ply in range(board.cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        sizes.append(int(comb(board.cells, p) * shares[p] * comb(board.cells - p, q)) // order + 1)
    return sizes


@lru_cache(maxsize=32)
def line_free_shares(board: Board, samples: int) -> tuple[float, ...]:
    """Return for each number of marks, up to half of the board, which share of its sets has no line.

    Sampled, always the same samples.
    """
    dice, shares = random.Random(1), []
    for marks in range((board.cells + 1) // 2 + 1):
        sets = (sum(1 << cell for cell in dice.sample(range(board.cells), marks)) for _ in range(samples))
        shares.append((1 + sum(not board.has_line(cells) for cells in sets)) / (samples + 1))
    return tuple(shares)
