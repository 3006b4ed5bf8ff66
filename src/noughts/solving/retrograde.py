"""Engine `retrograde`: every position by a backward pass, in plain Python where that is quick, else over tables."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from math import comb

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.extent import LISTED_CLASSES, QUICK_CLASSES, class_bound
from noughts.domain.position import Position
from noughts.machine.budget import Estimate, Limits, is_over
from noughts.machine.offers import Refusal
from noughts.machine.progress import Progress
from noughts.machine.workers import Workers
from noughts.solving.plies import PlyValues
from noughts.solving.problem import Problem, SolvingOffer, too_large
from noughts.solving.published import and_known
from noughts.solving.small import SmallSolution
from noughts.solving.solution import Solution

__all__ = ["NAME", "offer", "table_sizes"]

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
SET_BYTES = 32
"""What finding the threats of all sets of one size takes at its peak, for each set."""


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer the values of all positions: by a class graph in plain Python, or by tables where these take less time.

    Where a search would have to end at some time, this has to as well.
    """
    start, until = problem.start or Position(problem.board), problem.search.until()
    if until is not None:
        limits = replace(limits, seconds=max(0.0, min(limits.seconds, until - time.monotonic())))
    if start.blanks.bit_count() > SURELY_MANY and (start.ply or problem.board.specification is not None):
        return _by_tables(problem, limits)
    bound = class_bound(start)
    plain = _in_plain_python(problem, bound) if bound <= LISTED_CLASSES else None
    if plain is not None and bound <= QUICK_CLASSES and limits.allow(plain.estimate):
        return plain
    tables = _by_tables(problem, limits)
    if isinstance(tables, SolvingOffer) and (plain is None or tables.estimate.seconds < plain.estimate.seconds):
        return tables
    return plain if plain is not None and limits.allow(plain.estimate) else tables


def _in_plain_python(problem: Problem, bound: int) -> SolvingOffer:
    def solve(workers: Workers, progress: Progress) -> Solution:
        return SmallSolution(problem.board, problem.start)

    def count(workers: Workers, progress: Progress) -> tuple[PlyValues, ...]:
        return SmallSolution(problem.board).plies()

    estimate = Estimate(bound * 1_000 + 10**6, bound * SECONDS_A_CLASS, f"at most {bound:,} position classes")
    return SolvingOffer(NAME, estimate, solve, count)


def _by_tables(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    board, packed = problem.board, problem.remoteness is False
    if board.cells > TABLE_CELLS:
        why = f"the engine retrograde takes boards of up to {TABLE_CELLS} cells, {board} has {board.cells:,}"
        return Refusal(NAME, why)
    if board.group("board").order > TABLE_SYMMETRIES:
        return Refusal(NAME, f"the engine retrograde takes at most {TABLE_SYMMETRIES} symmetries, {board} has more")
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
    """Return about how many entries the table of each layer has: sets of O beside canonical line-free sets of X.

    The share of line-free sets is sampled, always the same samples.
    """
    order = board.group("board").order
    dice = random.Random(1)
    shares = []
    for marks in range((board.cells + 1) // 2 + 1):
        free = 0
        for _ in range(SAMPLES // 10 if board.cells < 12 else SAMPLES):
            cells = sum(1 << cell for cell in dice.sample(range(board.cells), marks))
            free += not board.has_line(cells)
        shares.append((free + 1) / (SAMPLES // 10 + 1 if board.cells < 12 else SAMPLES + 1))
    sizes = []
    for ply in range(board.cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        sizes.append(int(comb(board.cells, p) * shares[p] * comb(board.cells - p, q)) // order + 1)
    return sizes
