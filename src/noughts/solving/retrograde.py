"""Engine `retrograde`: every position by a backward pass, in plain Python where that is quick, else over tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import comb

from noughts.domain.board import Board
from noughts.domain.extent import class_bound
from noughts.domain.position import Position
from noughts.machine.budget import Estimate
from noughts.machine.workers import workers_for
from noughts.solving.engines import Problem
from noughts.solving.plies import PlyValues
from noughts.solving.small import SmallSolution
from noughts.solving.solution import Solution

__all__ = ["count_values", "estimate", "name", "refusal", "solve", "table_sizes"]

name = "retrograde"
Progress = Callable[[int, int, str], None]

SMALL_CLASSES = 2_500
"""Up to so many classes plain Python answers before compiled code would be loaded."""
TABLE_CELLS = 30
TABLE_SYMMETRIES = 1_000
SECONDS_AN_ENTRY = 1.2e-8
SECONDS_A_SET = 3e-6
START_UP = 0.6
SAMPLES = 2_000
SET_BYTES = 32
"""What finding the threats of all sets of one size takes at its peak, for each set."""


def refusal(problem: Problem) -> str | None:
    """Return why this engine cannot answer, or None."""
    if _is_small(problem):
        return None
    board = problem.board
    if board.cells > TABLE_CELLS:
        return f"the engine retrograde takes boards of up to {TABLE_CELLS} cells, {board} has {board.cells}"
    if board.group("board").order > TABLE_SYMMETRIES:
        return f"the engine retrograde takes at most {TABLE_SYMMETRIES} symmetries, {board} has more"
    return None


def estimate(problem: Problem) -> Estimate:
    """Return the cost: all tables in memory, or two of them where only counts are asked."""
    if _is_small(problem):
        classes = _small_bound(problem)
        return Estimate(classes * 1_000 + 10**6, classes * 4e-4, f"at most {classes:,} position classes")
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


def solve(problem: Problem, *, threads: int, progress: Progress | None) -> Solution:
    """Return the solution: a class graph where it is small, otherwise tables in memory."""
    if _is_small(problem):
        return SmallSolution(problem.board, problem.start)
    from noughts.solving.index import PerfectIndex
    from noughts.solving.tables import solve_in_memory

    packed = problem.remoteness is False
    return solve_in_memory(PerfectIndex(problem.board), packed=packed, workers=workers_for(threads), progress=progress)


def count_values(problem: Problem, *, threads: int, progress: Progress | None) -> tuple[PlyValues, ...]:
    """Return the distribution of values by ply."""
    if _is_small(problem):
        return SmallSolution(problem.board).plies()
    from noughts.solving import tables
    from noughts.solving.index import PerfectIndex

    return tables.count_values(
        PerfectIndex(problem.board), packed=problem.remoteness is False, workers=workers_for(threads), progress=progress
    )


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


def _is_small(problem: Problem) -> bool:
    return problem.board.cells <= 64 and _small_bound(problem) <= SMALL_CLASSES


def _small_bound(problem: Problem) -> int:
    return class_bound(problem.start or Position(problem.board))
