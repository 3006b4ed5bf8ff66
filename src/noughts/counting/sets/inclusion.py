"""Engine `inclusion`: positions by inclusion and exclusion over the sets of lines that are complete.

Which sets of marks hold no line is found by adding and subtracting those that hold given lines. That is exact and
independent of the other engines, but needs few lines, or a way to group them: on an n by n board with n in a row it
matters only how many rows, columns and diagonals are complete, and where they cross.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import isqrt
from operator import mul

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns.needed import Needed, why_not
from noughts.counting.patterns.pattern import Pattern, PatternLine, shared_sets
from noughts.counting.patterns.tally import Tally, census_rows
from noughts.counting.question import Question
from noughts.counting.sets.squares import is_square, square_terms
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal

__all__ = ["offer"]

NAME = "inclusion"

CELL_LIMIT = 2500
FEW_LINES = 7
"""With so many lines at most all sets of lines are gone through."""
SHARED_LIMIT = 1000
"""Of so many sets of cells at most it is told how many lines share them: one player may be left many lines."""

Terms = Counter[tuple[int, int]]
"""How often x cells are given to the one player and o others to the other, counted with signs."""


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer, up to symmetry of the games only, or why not. One core; nothing is kept to be resumed."""
    question = request.question
    positions = question.same == "labelled" or question.end == "full"
    missing = request.missing(positions=positions, games=question.same != "choices")
    why = why_not(question, NAME, CELL_LIMIT)
    if why is None and len(missing) == len(request.wanted):
        why = "inclusion and exclusion gives no position classes"
    if why is None and missing and limits.whole:
        why = f"inclusion and exclusion leaves out {', '.join(missing)}"
    if why is None and not (
        _may_be_few(question) and all(map(_is_within_reach, request.needed.patterns(positions=positions)))
    ):
        why = (
            f"inclusion and exclusion takes square boards with n in a row or up to {FEW_LINES} lines, "
            f"{question.board} has {len(question.board.lines)}"
        )
    if why is not None:
        return Refusal(NAME, why)
    estimate = _estimate(question)
    if not limits.allow(estimate):
        return Refusal(NAME, "it takes too much", estimate)
    return CountingOffer(question, NAME, estimate, partial(_rows, request.needed, positions), missing)


def _may_be_few(question: Question) -> bool:
    """Tell by the number of lines whether a question may be in reach, quick; else nobody knows without its patterns."""
    board = question.board
    if board.k is None or question.start is not None or question.last_ply < board.cells or board.k > board.cells // 2:
        return True
    return len(board.lines) in (*range(FEW_LINES + 1), 2 * isqrt(board.cells) + 2)


def _is_within_reach(pattern: Pattern) -> bool:
    if _is_square(pattern):
        return True
    sides = (pattern.first, pattern.second)
    return sum(map(len, sides)) <= 2 * FEW_LINES and all(
        shared_sets(lines, SHARED_LIMIT) is not None for lines in sides
    )


def _estimate(question: Question) -> Estimate:
    """Return the cost: large integers, as many as the square of the number of cells."""
    cells = question.board.cells
    seconds = 0.01 + 6e-12 * cells**4 + 4e-7 * cells**2 + 3e-5 * 4 ** min(FEW_LINES, len(question.board.lines))
    return Estimate(20 * 10**6 + 400 * cells**2, seconds, "sums over sets of lines")


def _rows(needed: Needed, positions: bool, run: Run) -> tuple[PlyCounts, ...]:
    """Return the rows of the census."""
    whole = sum(min(pattern.total, needed.moves) + 1 for pattern in needed.patterns(positions=positions))
    done = 0

    def report() -> None:
        nonlocal done
        done += 1
        run.progress(done, whole, "sums over sets of lines")

    def tally(pattern: Pattern, won: bool) -> Tally:
        return _tally(pattern, won, needed.moves, report)

    return census_rows(needed, tally, positions=positions)


def _is_square(pattern: Pattern) -> bool:
    if pattern.total != pattern.size or not pattern.is_symmetric:
        return False
    return is_square(pattern.size, [line.trigger for line in pattern.first])


def _tally(pattern: Pattern, with_won: bool, moves: int, report: Callable[[], None] = lambda: None) -> Tally:
    last = min(pattern.total, moves)
    if _is_square(pattern):
        still_open, won = square_terms(isqrt(pattern.size))
        by_first = by_second = (still_open, won)
    else:
        by_first = _terms(pattern, with_won)
        by_second = by_first if pattern.is_symmetric or not with_won else _terms(pattern.swapped(), True)
    cells = pattern.size
    factorials = list(accumulate(range(1, cells + 1), mul, initial=1))
    opened, ends = [], []
    for t in range(last + 1):
        p, q = (t + 1) // 2, t // 2
        opened.append(_pairs(factorials, cells, by_first[0], p, q))
        if with_won:
            ends.append(_pairs(factorials, cells, (by_first if t % 2 else by_second)[1], p, q))
        report()
    return Tally(tuple(opened), tuple(ends) if with_won else None)


def _pairs(factorials: Sequence[int], cells: int, terms: Terms, p: int, q: int) -> int:
    """Return the signed number of ways to choose p cells and q others, some of them given by the terms.

    The ways to choose the rest, (cells - x - o)! / ((p - x)! (q - o)! (cells - p - q)!), are summed as falling
    factorials, so that there is one division in all.
    """
    p_falls, q_falls = _falling(p), _falling(q)
    total = 0
    for (x, o), sign in terms.items():
        if x <= p and o <= q:
            total += sign * factorials[cells - x - o] * p_falls[x] * q_falls[o]
    return total // (factorials[p] * factorials[q] * factorials[cells - p - q])


def _falling(n: int) -> list[int]:
    """Return n (n - 1) ... (n - x + 1) for x = 0..n."""
    return list(accumulate(range(n, 0, -1), mul, initial=1))


def _terms(pattern: Pattern, with_won: bool) -> tuple[Terms, Terms]:
    """Return the terms of the open positions and of those that the first player has won, from all sets of lines."""
    still_open = _open_terms(pattern.first, pattern.second)
    won: Terms = Counter()
    shared = shared_sets(pattern.first, SHARED_LIMIT) if with_won else {}
    assert shared is not None, "a pattern is within reach"
    for cells, weight in shared.items():
        others = tuple(line for line in pattern.first if line.core & cells != cells)
        for key, sign in _open_terms(others, pattern.second).items():
            won[key] += weight * sign
        for key, sign in still_open.items():
            won[key] -= weight * sign
    return still_open, won


def _open_terms(first: tuple[PatternLine, ...], second: tuple[PatternLine, ...]) -> Terms:
    terms: Terms = Counter()
    unions = list(_unions(second))
    for x, x_sign in _unions(first):
        for o, o_sign in unions:
            if not x & o:
                terms[x.bit_count(), o.bit_count()] += x_sign * o_sign
    return terms


def _unions(lines: tuple[PatternLine, ...]) -> Iterator[tuple[int, int]]:
    """Yield all unions of lines, each with the signed number of ways to get it."""
    unions = Counter({0: 1})
    for line in lines:
        for union, sign in list(unions.items()):
            unions[union | line.trigger] -= sign
    return iter((union, sign) for union, sign in unions.items() if sign)
