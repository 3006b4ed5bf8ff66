"""Pairings by integer programming: disjoint pairs of cells, shared between lines, such that every line has one.

Breaker answers each move on a pair by its other cell, so he gets a cell of every line without any search. A pair may
serve many lines. On the infinite board a pairing of period 8 stops nine in a row (Pollak and Shannon; Hales and Jewett
1963). A part of it stops nine or more in a row on every flat board.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations, product
from operator import and_, or_

from noughts.machine.linear import INFINITY, minimise
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.symmetry import Permutation, compose, index, is_identity

PERIOD = 8
PERIODIC_K = 9
NEAR = 2
"""Pairs of cells at most so far apart on a line are tried first: on large boards they serve most lines."""
PAIR_LIMIT = 60_000
"""A program with more pairs than this is not begun."""

Pair = tuple[Cell, Cell]
Place = tuple[int, int]
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def is_guarded(lines: Iterable[Mask], pairs: Sequence[Mask]) -> bool:
    """Tell whether every line has one of some disjoint pairs; quick where there are many of both."""
    pair_of = {cell: pair for pair in pairs for cell in cells_of(pair)}
    return all(any(line & pair_of.get(cell, -1) == pair_of.get(cell) for cell in cells_of(line)) for line in lines)


def pairing_by_program(
    board: Board, lines: Sequence[Mask], *, deadline: float | None = None, seconds: float = 30.0
) -> list[Mask] | None:
    """Return disjoint pairs of which every one of some sets of cells of a board has one, or None.

    Where a count of cells excludes a pairing, no program is started. Near pairs that a symmetry of the lines keeps are
    tried first, then all. Stops soon after the `deadline` on the monotonic clock, and after a number of seconds for
    each program. None does not exclude a pairing.
    """
    if any(line.bit_count() < 2 for line in lines):
        return None
    if not lines:
        return []
    if is_short_of_cells(lines):
        return None
    turn = _symmetry(board, lines)
    tries: list[tuple[int | None, Permutation | None]] = [(NEAR, turn), (None, turn), (NEAR, None), (None, None)]
    for span, keeping in tries if turn is not None else tries[2:]:
        left = seconds if deadline is None else min(seconds, deadline - time.monotonic())
        if left <= 0:
            return None
        serving = _pairs_of(lines, span)
        if len(serving) > PAIR_LIMIT or len(set().union(*serving.values())) < len(lines):
            continue
        found = _cover(serving, len(lines), keeping, left)
        if found is not None:
            return [1 << a | 1 << b for a, b in found]
    return None


def _pairs_of(lines: Sequence[Mask], span: int | None) -> dict[Pair, set[int]]:
    """Return the pairs of cells of lines, so many places apart at most, each with the numbers of its lines."""
    serving: dict[Pair, set[int]] = {}
    for number, line in enumerate(lines):
        cells = list(cells_of(line))
        for (i, a), (j, b) in combinations(enumerate(cells), 2):
            if span is None or j - i <= span:
                serving.setdefault((a, b), set()).add(number)
    return serving


def is_short_of_cells(lines: Sequence[Mask]) -> bool:
    """Tell whether a count shows that lines need more cells than there are, for disjoint pairs of which each has one.

    Lines with two cells in common are in one *row*, and so are chains of such lines. A pair serves lines of one row
    only. A row needs at least as many pairs as it has lines of which no two share two cells. It needs at least two
    pairs where not all its lines share two cells. So there is a least number of pairs, which needs enough cells.
    """
    row_of = list(range(len(lines)))
    for together in _pairs_of(lines, None).values():
        rows = {row_of[number] for number in together}
        if len(rows) > 1:
            least = min(rows)
            row_of = [least if row in rows else row for row in row_of]
    members: dict[int, list[Mask]] = {}
    for its_row, line in sorted(zip(row_of, lines, strict=True)):
        members.setdefault(its_row, []).append(line)
    pairs, usable = 0, 0
    for row in members.values():
        common = reduce(and_, row)
        served_by_one = common.bit_count() > 1
        pairs += 1 if served_by_one else max(2, _apart(row))
        usable |= common if served_by_one else reduce(or_, row)
    cells = reduce(or_, lines).bit_count()
    return 2 * pairs > usable.bit_count() and 2 * pairs + 2 > cells


def _apart(lines: Iterable[Mask]) -> int:
    """Return how many lines of some, taken in order, have fewer than two cells in common with each one before."""
    chosen: list[Mask] = []
    for line in lines:
        if all((line & other).bit_count() < 2 for other in chosen):
            chosen.append(line)
    return len(chosen)


def _symmetry(board: Board, lines: Sequence[Mask]) -> Permutation | None:
    """Return a symmetry of the board that keeps the lines and moves cells far: a quarter turn, or a half turn."""
    group = board.group("board")
    if group.order > 200:
        return None
    whole = set(lines)
    best: tuple[int, Permutation] | None = None
    for element, image in zip(group.elements, group.images, strict=True):
        fixed = sum(1 for cell, to in enumerate(element) if cell == to)
        if is_identity(element) or fixed > 1 or {image(line) for line in whole} != whole:
            continue
        order, power = 1, element
        while not is_identity(power):
            order, power = order + 1, compose(power, element)
        if best is None or order > best[0]:
            best = order, element
    return best[1] if best else None


def _cover(serving: dict[Pair, set[int]], lines: int, turn: Permutation | None, seconds: float) -> list[Pair] | None:
    """Return disjoint pairs that serve all lines, kept by a permutation if one is given; None where none was found."""
    orbits = _orbits(serving, turn)
    names = sorted({cell for pair in serving for cell in pair})
    row_of = {cell: row for row, cell in enumerate(names)}
    columns: list[Counter[int]] = [Counter() for _ in orbits]
    for column, orbit in zip(columns, orbits, strict=True):
        for pair in orbit:
            column.update((row_of[pair[0]], row_of[pair[1]], *(len(names) + line for line in serving[pair])))
    chosen = _program(columns, len(names), lines, seconds)
    return None if chosen is None else [pair for column in chosen for pair in orbits[column]]


def _orbits(serving: dict[Pair, set[int]], turn: Permutation | None) -> list[list[Pair]]:
    """Return the pairs in groups that are chosen together: those that powers of a permutation make of one."""
    if turn is None:
        return [[pair] for pair in serving]
    found, seen = [], set()
    for pair in serving:
        orbit: list[Pair] = []
        while pair not in seen and pair in serving:
            seen.add(pair)
            orbit.append(pair)
            a, b = turn[pair[0]], turn[pair[1]]
            pair = (min(a, b), max(a, b))
        if orbit:
            found.append(orbit)
    return found


def _program(columns: Sequence[Counter[int]], cells: int, lines: int, seconds: float) -> list[int] | None:
    """Return columns that hit each of the first rows at most once and each of the others at least once."""
    right = [(0.0, 1.0)] * cells + [(1.0, INFINITY)] * lines
    limits = [(0.0, 1.0)] * len(columns)
    found = minimise([0.0] * len(columns), columns, right, limits, by_column=True, whole=True, seconds=seconds).values
    return None if found is None else [column for column, value in enumerate(found) if value > 0.5]


def periodic_pairs(period: int = PERIOD, k: int = PERIODIC_K) -> list[tuple[Place, Place]] | None:
    """Return pairs of places (row, column) of the plane that, repeated with a period both ways, stop k in a row.

    The first place of each pair is in the square from (0, 0); None where no pairing with neighbours has this period.
    """
    square = list(product(range(period), repeat=2))
    ways = list(product(square, _DIRECTIONS))
    columns: list[Counter[int]] = [Counter() for _ in ways]
    for column, ((row, at), (down, right)) in zip(columns, ways, strict=True):
        for place in ((row, at), (row + down, at + right)):
            column[place[0] % period * period + place[1] % period] += 1
        for back in range(k - 1):  # the lines of k that begin so many steps before
            start = (row - back * down) % period * period + (at - back * right) % period
            column[period * period * (1 + _DIRECTIONS.index((down, right))) + start] += 1
    chosen = _program(columns, period * period, 4 * period * period, 30.0)
    if chosen is None:
        return None
    return [((row, at), (row + down, at + right)) for (row, at), (down, right) in (ways[column] for column in chosen)]


def stopped_lines(pairs: Sequence[tuple[Place, Place]], period: int = PERIOD, k: int = PERIODIC_K) -> int:
    """Return how many lines of k begin in one period of the plane, when each was seen to have one of the pairs."""
    partner: dict[Place, Place] = {}
    for one, other in (*pairs, *((other, one) for one, other in pairs)):
        place = (one[0] % period, one[1] % period)
        assert place not in partner, "pairs meet"
        partner[place] = (other[0] - one[0], other[1] - one[1])
    count = 0
    for row, column in product(range(period), repeat=2):
        for down, right in _DIRECTIONS:
            line = [(row + i * down, column + i * right) for i in range(k)]
            ways = [(r, c, *partner.get((r % period, c % period), (0, 0))) for r, c in line]
            assert any((a, b) != (0, 0) and (r + a, c + b) in line for r, c, a, b in ways), "a line has no pair"
            count += 1
    return count


def periodic_pairing(board: Board) -> list[Mask] | None:
    """Return the pairs of the periodic pairing that lie on a flat board of k >= 9; None on other boards.

    On a torus both sides have to be multiples of the period, and the pairs go around as its lines do.
    """
    if board.shape is None or board.shape[2] != 1 or board.k is None or board.k < PERIODIC_K:
        return None
    rows, columns, _ = board.shape
    if board.torus and (rows % PERIOD or columns % PERIOD):
        return None
    plane = periodic_pairs()
    assert plane is not None, "there is a pairing of period 8 against nine in a row"
    before = 0 if board.torus else PERIOD
    found = []
    for pair in plane:
        for down, right in product(range(-before, rows, PERIOD), range(-before, columns, PERIOD)):
            places = [(row + down, column + right) for row, column in pair]
            if board.torus:
                places = [(row % rows, column % columns) for row, column in places]
            if all(0 <= row < rows and 0 <= column < columns for row, column in places):
                found.append(mask_of(index(board.shape, (*place, 0)) for place in places))
    return found
