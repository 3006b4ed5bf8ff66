"""Engine `subset`: positions counted over all sets of cells, up to about 30 cells.

For each set of one player's marks, the engine needs the number of the other player's line-free sets in the complement.
One sum over subsets gives it for all sets at once (Yates 1937; the "zeta transform"). Won positions have a mark that
lies on all completed lines. The same transform, with "and" in place of the sum, finds the cells that these lines share.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from math import factorial
from operator import or_
from typing import TYPE_CHECKING, Any

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns import Needed, Pattern, PatternLine, Tally, census_rows
from noughts.machine.budget import Estimate, Limits, OfSize
from noughts.machine.workers import Workers, cuts
from noughts.rules.errors import CheckError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CELL_LIMIT = 31
START_SECONDS = 0.8
_IN_PARTS = 14
_STEP_SECONDS = 1.0e-10
"""Measured on two cores: one cell of one entry of one transform."""


def offer(request: Request, limits: Limits) -> CountingOffer | str:
    """Return an offer, by choices for positions only, or a refusal. A run takes minutes and cannot be resumed.

    Cost: a transform over all sets of cells for each number of a player's marks.
    """
    question = request.question
    cells = question.board.cells - question.first_ply
    if cells > CELL_LIMIT:
        return OfSize(f"counts up to {CELL_LIMIT} blank cells, but {question.board} has {cells}")
    missing = request.missing(games=question.same != "choices")
    if missing and (limits.whole or len(missing) == len(request.wanted)):
        return "does not count games by choices"
    return CountingOffer("subset", _estimate(request.needed), question, partial(_rows, request.needed), missing=missing)


def _estimate(needed: Needed) -> Estimate:
    largest = 1 << max((pattern.size for pattern in needed.patterns()), default=0)
    steps, memory, chooses = 0, 0, needed.question.board.rules.chooses_mark
    for pattern in needed.patterns():
        sets, players = 1 << pattern.size, 1 if pattern.is_symmetric else 2
        memory = max(memory, sets * (4 + players))
        marks = min(pattern.total, needed.moves)
        each = (pattern.size + marks) * (marks + 1) if chooses else (pattern.size + 6) * (marks // 2 + 2)
        steps += sets * each * players
    seconds = START_SECONDS + steps * _STEP_SECONDS
    return Estimate(memory + 130 * 10**6, seconds, f"tables of {largest:,} sets of cells")


def _rows(needed: Needed, run: Run) -> tuple[PlyCounts, ...]:
    chooses, done = needed.question.board.rules.chooses_mark, 0
    marks = {pattern: min(pattern.total, needed.moves) for pattern in needed.patterns()}
    whole = sum((1 << each.size) * (1 + (most if chooses else most // 2)) for each, most in marks.items())

    def report(work: int) -> None:
        nonlocal done
        done += work
        run.progress(done, max(whole, done + 1), "sums over subsets")

    def tally(pattern: Pattern, won: bool) -> Tally:
        return _tally(pattern, needed, run.workers.here, report)

    rows = census_rows(needed, tally)
    run.progress(1, 1, "")
    return rows


_Winner = tuple["NDArray[np.uint8]", int]


class _SubsetTables:
    """The tables of one pattern, and the transforms on them: in place, so the workers must share memory.

    From 16 cells on, sums over subsets are made in two halves: first for the sets without the last cell, then for those
    with it. One table of half the length serves both: the same work in half the memory.
    """

    def __init__(self, pattern: Pattern, workers: Workers) -> None:
        import numpy as np

        self.halves = 2 if pattern.size >= 16 else 1
        self.bits = pattern.size - self.halves + 1
        self.workers = workers
        self.parts = workers.count * 4 if pattern.size >= _IN_PARTS else 1
        weights = pattern.weights
        self.low = _weights_of_sets(weights[:15])
        self.high = _weights_of_sets(weights[15:])
        self.values: NDArray[np.uint32] = np.empty(1 << self.bits, dtype=np.uint32)

    def each(self, kernel: Callable[..., None], count: int, *arguments: Any) -> None:
        """Call a kernel on all slices of `range(count)`."""
        for _ in self.workers.map(_called, (kernel, arguments), cuts(count, self.parts)):
            pass

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
        """Return for each set 255 if it holds no line, else the number of marks on cells that all its lines share."""
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
        """Count pairs of disjoint sets for each winner and its marks; the loser's set has `other` marks and no line.

        Each winner gets three counts: of pairs where the winner has no line either, of pairs where the winner's lines
        share cells, and the sum of the numbers of these shared cells.
        """
        from noughts.kernels.frontier.subsets import fill

        size = len(self.values)
        totals = [[0, 0, 0] for _ in winners]
        for half in range(self.halves):
            self.each(fill, size, self.values, loser, self.low, self.high, other, half + 1)
            self.transform(False)
            offset = (self.halves - 1 - half) * size
            items = [(w, cut) for w in range(len(winners)) for cut in cuts(size, self.parts)]
            shared = (self.values, winners, self.low, self.high, offset)
            for (w, _), found in zip(items, self.workers.map(_reaped, shared, items), strict=True):
                totals[w] = [a + b for a, b in zip(totals[w], found, strict=True)]
        return totals


def _called(shared: tuple[Callable[..., None], tuple[Any, ...]], cut: tuple[int, int]) -> None:
    kernel, arguments = shared
    kernel(*arguments, *cut)


def _reaped(shared: tuple[Any, list[_Winner], Any, Any, int], item: tuple[int, tuple[int, int]]) -> list[int]:
    """Return the three counts of `tallies` for one winner and a slice of the sets."""
    import numpy as np

    from noughts.kernels.frontier.subsets import reap

    values, winners, low, high, offset = shared
    winner, cut = item
    status, marks = winners[winner]
    totals = np.zeros(3, dtype=np.uint64)
    reap(values, status, low, high, marks, offset, *cut, totals)
    return [int(n) for n in totals]


def _weights_of_sets(weights: tuple[int, ...]) -> NDArray[np.uint8]:
    import numpy as np

    sums = np.zeros(1, dtype=np.uint8)
    for weight in weights:
        sums = np.concatenate([sums, sums + np.uint8(weight)])
    return sums


def _tally(pattern: Pattern, needed: Needed, workers: Workers, report: Callable[[int], None]) -> Tally:
    last, chooses = min(pattern.total, needed.moves), needed.question.board.rules.chooses_mark
    still_open, won, decisive = ([0] * (last + 1) for _ in range(3))
    sets = _SubsetTables(pattern, workers)
    first = sets.statuses(pattern.first)
    second = first if pattern.is_symmetric else sets.statuses(pattern.second)
    for marks in range(last + 1 if chooses else last // 2 + 1):
        if chooses:
            found = sets.tallies(second, marks, [(first, others) for others in range(last + 1 - marks)])
            other = (
                sets.tallies(first, marks, [(second, n) for n in range(len(found))]) if second is not first else found
            )
            counts = [[a, b + d, c + e] for (a, b, c), (_, d, e) in zip(found, other, strict=True)]
        elif first is second:
            counts = sets.tallies(first, marks, [(first, marks), (first, marks + 1)])
        else:
            counts = sets.tallies(first, marks, [(second, marks)]) + sets.tallies(second, marks, [(first, marks + 1)])
        for t, (same, ends, last_marks) in zip(range(marks if chooses else 2 * marks, last + 1), counts, strict=False):
            still_open[t] += same
            won[t] += ends
            decisive[t] += last_marks
        report(1 << pattern.size)
    tally = Tally(tuple(still_open), tuple(won))
    if reduce(or_, pattern.weights, 1) == 1:
        _check_games(pattern, tally, decisive, chooses)
    return tally


def _check_games(pattern: Pattern, tally: Tally, decisive: list[int], chooses: bool = False) -> None:
    """Raise CheckError unless the won games add up: each decisive mark of a won position may be the last move."""
    reached = 1
    for t, positions in enumerate(tally.open):
        p, q = (t, 0) if chooses else ((t + 1) // 2, t // 2)
        still_open = positions * factorial(p) * factorial(q)
        # the last mark is one of p; if the second player made it, p = q
        ended = decisive[t] * factorial(p) * factorial(q) // max(1, p)
        if reached != still_open + ended:
            raise CheckError(f"{reached} paths reach {t} marks, but {still_open} stay open and {ended} end there")
        reached = still_open * (pattern.size - t) * (1 + chooses)
