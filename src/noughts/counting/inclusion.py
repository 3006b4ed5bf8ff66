"""Inclusion and exclusion over the complete lines; on the n by n board with n in a row, over its lines by kind.

There a set of lines consists of a rows, b columns and some diagonals. The number of cells that it covers depends on a,
b, and how often rows and columns cross on the diagonals. So does the number of its families of lines that share a cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from math import comb, isqrt
from operator import mul

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns import Needed, Pattern, PatternLine, Tally, census_rows, shared_sets
from noughts.counting.question import Question
from noughts.machine.budget import Estimate, Limits, OfSize
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError

Terms = Counter[tuple[int, int]]


def square_lines(side: int) -> list[int]:
    """Return the rows, columns and two diagonals of a square board as sets of cells."""
    rows = [sum(1 << side * i + j for j in range(side)) for i in range(side)]
    columns = [sum(1 << side * j + i for j in range(side)) for i in range(side)]
    diagonals = [sum(1 << side * i + i for i in range(side)), sum(1 << (side - 1) * (i + 1) for i in range(side))]
    return rows + columns + diagonals


def is_square(cells: int, lines: Collection[int]) -> bool:
    """Return whether these are the lines of a square board of side n >= 2 with n in a row."""
    side = isqrt(cells)
    if side < 2 or side * side != cells or len(lines) != 2 * side + 2:
        return False
    return sorted(lines) == sorted(square_lines(side))


def square_free_sets(side: int) -> tuple[int, ...]:
    """Return for each size the number of sets of cells without a line, on a square board of side > 1."""
    cells = side * side
    terms: Counter[int] = Counter()
    for lines, covered, _, ways in _sets_of_lines(side):
        terms[covered] += -ways if lines % 2 else ways
    return tuple(
        sum(sign * comb(cells - covered, size - covered) for covered, sign in terms.items() if covered <= size)
        for size in range(cells + 1)
    )


def square_terms(side: int) -> tuple[Terms, Terms]:
    """Return the signed terms (x, o) of the open positions and of those that the first player has won; side > 1.

    A term counts pairs of sets of lines: one player's set covers x cells, the other's covers o other cells. For open
    positions the sign is the parity of both sets. For won positions a set of the winner's lines counts once for each
    of its families of lines that share a cell; the sign is the parity of its other lines.
    """
    still_open: Terms = Counter()
    won: Terms = Counter()
    for lines, covered, families, ways in _sets_of_lines(side):
        sign = -ways if lines % 2 else ways
        still_open[covered, 0] += sign
        if lines:
            still_open[0, covered] += sign
            won[covered, 0] += sign * families
    # Lines of both players are disjoint only if all are rows, or all are columns, or they are the two diagonals.
    for a in range(1, side):
        for b in range(1, side - a + 1):
            ways = 2 * comb(side, a) * comb(side - a, b) * (-1) ** (a + b)
            still_open[a * side, b * side] += ways
            won[a * side, b * side] -= ways * a
    if side % 2 == 0:
        still_open[side, side] += 2
        won[side, side] -= 2
    return still_open, won


def _sets_of_lines(side: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield (lines, cells covered, signed families that share a cell, number of such sets) for all sets of lines.

    A family is a single line, two lines that cross, or three or four lines through one cell. Families with an odd
    number of lines count -1, with an even number +1.
    """
    cells = side * side
    middle = side % 2
    for a in range(side + 1):
        for b in range(side + 1):
            grid = cells - (side - a) * (side - b)
            pairs = a * b
            yield a + b, grid, pairs - a - b, comb(side, a) * comb(side, b)
            for on_diagonal in range(max(0, a + b - side), min(a, b) + 1):
                ways = 2 * comb(side, on_diagonal) * comb(side - on_diagonal, a - on_diagonal)
                ways *= comb(side - a, b - on_diagonal)
                families = pairs + a + b - (a + b + 1) - on_diagonal
                yield a + b + 1, grid + side - a - b + on_diagonal, families, ways
    for (a, b, crossings, row, column), ways in _both_diagonals(side).items():
        grid = cells - (side - a) * (side - b)
        families = a * b + 2 * (a + b) + middle - (a + b + 2) - crossings - middle * (row + column) + row * column
        free_middle = middle * (1 - row) * (1 - column)
        yield a + b + 2, grid + 2 * (side - a - b) + crossings - free_middle, families, ways


def _both_diagonals(side: int) -> dict[tuple[int, int, int, int, int], int]:
    """Return the ways to choose rows and columns: (rows, columns, crossings on diagonals, middle row, middle column).

    Rows and columns i and side - 1 - i cross in four cells, all on the diagonals. So only the numbers chosen from each
    such pair of rows and pair of columns matter. One integer holds the numbers of ways by crossings as its digits.
    """
    width = 2 * side + 4
    table = {(0, 0): 1}
    for _ in range(side // 2):
        following: dict[tuple[int, int], int] = {}
        for (a, b), digits in table.items():
            for more_a, ways_a in enumerate((1, 2, 1)):
                for more_b, ways_b in enumerate((1, 2, 1)):
                    key = a + more_a, b + more_b
                    following[key] = following.get(key, 0) + (digits * ways_a * ways_b << width * more_a * more_b)
        table = following
    found: dict[tuple[int, int, int, int, int], int] = {}
    for (a, b), digits in table.items():
        crossings = 0
        while digits:
            ways = digits & (1 << width) - 1
            for row in range(side % 2 + 1):
                for column in range(side % 2 + 1):
                    if ways:
                        found[a + row, b + column, crossings + 2 * row * column, row, column] = ways
            digits >>= width
            crossings += 1
    return found


# Engine `inclusion`: positions by inclusion and exclusion over the sets of complete lines.
#
# The engine adds and subtracts the sets of marks that hold given lines, which leaves the sets that hold no line. This
# is exact and independent of the other engines, but it needs few lines, or a way to group them. On an n by n board with
# n in a row, only the numbers of complete rows, columns and diagonals and their crossings matter.

FEW_LINES = 7
"""With at most this many lines, all sets of lines are visited."""
SHARED_LIMIT = 1000
"""The most shared sets of one player's lines: one player may have many lines left."""


def offer(request: Request, limits: Limits) -> CountingOffer | str:
    """Return an offer, up to symmetry for games only, or a refusal. A run uses one core and cannot be resumed."""
    question = request.question
    positions = question.same == "labelled" or question.end == "full"
    missing = request.missing(positions=positions, games=question.same != "choices")
    if len(missing) == len(request.wanted):
        return "does not count position classes"
    if missing and limits.whole:
        return f"leaves out {', '.join(missing)}"
    if not _may_be_few(question) or not all(map(_is_within_reach, request.needed.patterns(positions=positions))):
        few = f"counts n x n boards with n in a row, or with up to {FEW_LINES} lines"
        return OfSize(f"{few}, but {question.board} has {len(question.board.lines)}")
    cells = question.board.cells  # there are cells^2 large integers
    seconds = 0.01 + 6e-12 * cells**4 + 4e-7 * cells**2 + 3e-5 * 4 ** min(FEW_LINES, len(question.board.lines))
    estimate = Estimate(20 * 10**6 + 400 * cells**2, seconds, "sums over sets of lines")
    return CountingOffer("inclusion", estimate, question, partial(_rows, request.needed, positions), missing=missing)


def _may_be_few(question: Question) -> bool:
    """Return whether a question may be within reach, by a quick look at its lines; only its patterns show it surely."""
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


def _rows(needed: Needed, positions: bool, run: Run) -> tuple[PlyCounts, ...]:
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
    """Return the signed number of ways to choose p cells and q other cells, some of them given by the terms.

    The ways to choose the rest are (cells - x - o)! / ((p - x)! (q - o)! (cells - p - q)!). They are summed as falling
    factorials, so that one division at the end is enough.
    """
    p_falls, q_falls = (list(accumulate(range(n, 0, -1), mul, initial=1)) for n in (p, q))  # n (n - 1) ... (n - x + 1)
    total = 0
    for (x, o), sign in terms.items():
        if x <= p and o <= q:
            total += sign * factorials[cells - x - o] * p_falls[x] * q_falls[o]
    return total // (factorials[p] * factorials[q] * factorials[cells - p - q])


def _terms(pattern: Pattern, with_won: bool) -> tuple[Terms, Terms]:
    """Return the terms of the open positions and of the first player's wins, from all sets of lines."""
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
    """Yield all unions of lines, each with the signed number of sets of lines that make it."""
    unions = Counter({0: 1})
    for line in lines:
        for union, sign in list(unions.items()):
            unions[union | line.trigger] -= sign
    return (each for each in unions.items() if each[1])


# Sets of cells without a winning line, counted by size: the marks of one player in the open positions.

_STATE_LIMIT = 300_000


@lru_cache(maxsize=16)
def line_free_sets(board: Board) -> tuple[int, ...]:
    """Return for each size 0..N the number of sets of cells that contain no winning line.

    It visits the cells in reading order. For each line under way a state says whether the set holds all its visited
    cells; at its last cell the line is dropped. Squares with n in a row use inclusion and exclusion instead. Cost:
    states times cells squared; milliseconds for 6x6:6. Raises BudgetError where the states exceed a limit.
    """
    if is_square(board.cells, board.line_masks):
        return square_free_sets(isqrt(board.cells))
    ends: list[int] = [0] * board.cells
    through: list[int] = [0] * board.cells
    for number, line in enumerate(board.lines):
        ends[line[-1]] |= 1 << number
        for cell in line:
            through[cell] |= 1 << number
    states: dict[int, list[int]] = {-1: [1]}  # a bit for each line whose visited cells the set holds: here all lines
    for cell in range(board.cells):
        following: dict[int, list[int]] = {}
        for held, counts in states.items():
            _add(following, held & ~through[cell] | ends[cell], counts)
            if not held & ends[cell]:
                _add(following, held, [0, *counts])
        states = {}
        for held, counts in following.items():
            _add(states, held & ~ends[cell], counts)
        if len(states) > _STATE_LIMIT:
            raise BudgetError(f"{board} needs more than {_STATE_LIMIT:,} states to count the sets without a line")
    total = [0] * (board.cells + 1)
    for counts in states.values():
        for size, count in enumerate(counts):
            total[size] += count
    return tuple(total)


def _add(states: dict[int, list[int]], held: int, counts: list[int]) -> None:
    known = states.setdefault(held, [])
    known += [0] * (len(counts) - len(known))
    for size, count in enumerate(counts):
        known[size] += count
