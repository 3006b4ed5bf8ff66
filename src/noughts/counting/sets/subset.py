"""Engine `subset`: positions counted over all sets of cells, up to about 30 cells.

For each set of one player's marks, the other's line-free sets within the complement are counted by one sum over subsets
for all sets at once (Yates 1937; the "zeta transform"). Won positions have a mark that lies on all completed lines:
which cells these share is found for all sets at once in the same way, with "and" in place of the sum.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from itertools import pairwise
from math import factorial
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.counting.census import Census
from noughts.counting.patterns.pattern import Pattern, PatternLine
from noughts.counting.patterns.tally import Tally, census_rows, patterns_of, why_not
from noughts.counting.question import Question
from noughts.domain.errors import CheckError
from noughts.machine.budget import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noughts.counting.engines import Progress

__all__ = ["count", "estimate", "is_partial", "name", "refusal"]

name = "subset"

CELL_LIMIT = 31
START_SECONDS = 0.8
_IN_SLICES = 14
_STEP_SECONDS = 1.0e-10
"""Measured: one cell of one entry of one transform, on two cores."""


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    cells = question.board.cells - question.first_ply
    if cells > CELL_LIMIT:
        return f"the engine subset takes up to {CELL_LIMIT} blank cells, {question.board} has {cells}"
    return why_not(question)


def is_partial(question: Question) -> bool:
    """Whether columns are missing that another engine may give: the games by choices need the class graph."""
    return question.same == "choices"


def estimate(question: Question) -> Estimate:
    """Return the cost: for each number of marks of a player a transform over all sets of cells."""
    largest, steps = 0, 0
    for pattern, _ in patterns_of(question):
        sets = 1 << pattern.size
        players = 1 if pattern.is_symmetric else 2
        largest = max(largest, sets * (4 + players))
        steps += sets * (pattern.size + 6) * players * (min(pattern.total, _moves(question)) // 2 + 2)
    sets = largest // 5
    return Estimate(largest + 130 * 10**6, START_SECONDS + steps * _STEP_SECONDS, f"tables of {sets:,} sets of cells")


def _moves(question: Question) -> int:
    return question.last_ply - question.first_ply


def count(
    question: Question, *, progress: Progress | None = None, threads: int = 2, resume: Path | None = None
) -> Census:
    """Return the census. `resume` is of no use here: the work takes minutes at most."""
    whole = sum(_work(pattern, question) for pattern, _ in patterns_of(question))
    done = 0

    def report(work: int) -> None:
        nonlocal done
        done += work
        if progress is not None:
            progress(done, max(whole, done + 1), "sums over subsets")

    known: dict[Pattern, Tally] = {}

    def tally(pattern: Pattern, won: bool) -> Tally:
        if pattern not in known:
            known[pattern] = _tally(pattern, _moves(question), threads, report)
        return known[pattern]

    rows = census_rows(question, tally)
    if progress is not None:
        progress(1, 1, "")
    return Census(question, name, rows)


def _work(pattern: Pattern, question: Question) -> int:
    return (1 << pattern.size) * (min(pattern.total, _moves(question)) // 2 + 1)


_Winner = tuple["NDArray[np.uint8]", int]


class _Sets:
    """The tables of one pattern, and the transforms on them in slices for a pool of threads.

    From 16 cells on sums over subsets are done for the sets without the last cell first and then for those with it, in
    one table of half the length: the same work in half the memory.
    """

    def __init__(self, pattern: Pattern, pool: ThreadPoolExecutor, threads: int) -> None:
        import numpy as np

        self.halves = 2 if pattern.size >= 16 else 1
        self.bits = pattern.size - self.halves + 1
        self.pool = pool
        self.slices = threads * 4 if pattern.size >= _IN_SLICES else 1
        weights = pattern.weights
        self.low = _weights_of_sets(weights[:15])
        self.high = _weights_of_sets(weights[15:])
        self.values: NDArray[np.uint32] = np.empty(1 << self.bits, dtype=np.uint32)

    def each(self, kernel: Callable[..., None], count: int, *arguments: Any) -> None:
        """Call a kernel on slices of `range(count)`."""
        self.run([partial(kernel, *arguments, *cut) for cut in self.cuts(count)])

    def run(self, jobs: list[Callable[[], None]]) -> None:
        """Do all jobs: side by side where they are worth it."""
        if self.slices == 1:
            for job in jobs:
                job()
        else:
            for running in [self.pool.submit(job) for job in jobs]:
                running.result()

    def cuts(self, count: int) -> list[tuple[int, int]]:
        """Return the slices of `range(count)`."""
        ends = [count * i // self.slices for i in range(self.slices + 1)]
        return list(pairwise(ends))

    def transform(self, meet: bool) -> None:
        """Combine the entry of each set with those of all its subsets."""
        from noughts.kernels.frontier.subsets import BLOCK_BITS, GROUP_BITS, high_bits, low_bits

        done = min(self.bits, BLOCK_BITS)
        self.each(low_bits, 1 << self.bits - done, self.values, done, meet)
        while done < self.bits:
            group = min(GROUP_BITS, self.bits - done)
            self.each(high_bits, (1 << self.bits - group) // 512, self.values, done, group, meet)
            done += group

    def statuses(self, lines: tuple[PatternLine, ...]) -> NDArray[np.uint8]:
        """Return for each set 255 if it holds no line, else the number of marks that all its lines share."""
        import numpy as np

        from noughts.kernels.frontier.subsets import statuses

        size = len(self.values)
        status = np.empty(self.halves * size, dtype=np.uint8)
        for half in range(self.halves):
            self.values.fill(0xFFFFFFFF)
            for line in lines:
                if half or line.trigger < size:
                    self.values[line.trigger % size] &= np.uint32(line.core)
            self.transform(True)
            self.each(statuses, size, self.values, self.low, self.high, status[half * size :])
        return status

    def tallies(self, loser: NDArray[np.uint8], other: int, winners: list[_Winner]) -> list[list[int]]:
        """Count pairs of disjoint sets, the loser's without a line and of `other` marks, for each winner and its marks.

        Three counts each: the winner has no line either; the winner's lines share cells; the latter times the number of
        cells shared.
        """
        import numpy as np

        from noughts.kernels.frontier.subsets import fill, reap

        size = len(self.values)
        totals = np.zeros((len(winners), self.slices, 3), dtype=np.uint64)
        for half in range(self.halves):
            self.each(fill, size, self.values, loser, self.low, self.high, other, half + 1)
            self.transform(False)
            offset = (self.halves - 1 - half) * size
            tables = (self.low, self.high)
            self.run(
                [
                    partial(reap, self.values, status, *tables, marks, offset, *cut, totals[w, i])
                    for w, (status, marks) in enumerate(winners)
                    for i, cut in enumerate(self.cuts(size))
                ]
            )
        return [[sum(int(n) for n in totals[w, :, i]) for i in range(3)] for w in range(len(winners))]


def _weights_of_sets(weights: tuple[int, ...]) -> NDArray[np.uint8]:
    import numpy as np

    sums = np.zeros(1, dtype=np.uint8)
    for weight in weights:
        sums = np.concatenate([sums, sums + np.uint8(weight)])
    return sums


def _tally(pattern: Pattern, moves: int, threads: int, report: Callable[[int], None]) -> Tally:
    last = min(pattern.total, moves)
    still_open, won, decisive = ([0] * (last + 1) for _ in range(3))
    with ThreadPoolExecutor(threads) as pool:
        sets = _Sets(pattern, pool, threads)
        first = sets.statuses(pattern.first)
        second = first if pattern.is_symmetric else sets.statuses(pattern.second)
        for marks in range(last // 2 + 1):
            if first is second:
                batches = [(first, [(first, marks), (first, marks + 1)])]
            else:
                batches = [(first, [(second, marks)]), (second, [(first, marks + 1)])]
            counts = [found for loser, winners in batches for found in sets.tallies(loser, marks, winners)]
            for t, found in zip(range(2 * marks, last + 1), counts, strict=False):
                still_open[t], won[t], decisive[t] = found
            report(1 << pattern.size)
    tally = Tally(tuple(still_open), tuple(won))
    if reduce(or_, pattern.weights, 1) == 1:
        _check_games(pattern, tally, decisive)
    return tally


def _check_games(pattern: Pattern, tally: Tally, decisive: list[int]) -> None:
    """Raise CheckError unless the won games add up: a won position is reached by each decisive mark last."""
    reached = 1
    for t, positions in enumerate(tally.open):
        p, q = (t + 1) // 2, t // 2
        still_open = positions * factorial(p) * factorial(q)
        ended = decisive[t] * factorial(p) * factorial(q) // max(1, p if t % 2 else q)
        if reached != still_open + ended:
            raise CheckError(f"at {t} marks {reached} paths arrive, but {still_open} go on and {ended} end")
        reached = still_open * (pattern.size - t)
