"""Inclusion and exclusion on the n by n board with n in a row, over its 2n + 2 lines grouped by kind.

A set of lines is a rows, b columns and some diagonals. The cells it covers depend on a, b and on how often rows and
columns cross on the diagonals; so do the families of lines within it that share a cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from math import comb, isqrt

__all__ = ["is_square", "square_free_sets", "square_lines", "square_terms"]

Terms = Counter[tuple[int, int]]


def square_lines(side: int) -> list[int]:
    """Return the rows, columns and diagonals of a square board as sets of cells."""
    rows = [sum(1 << side * i + j for j in range(side)) for i in range(side)]
    columns = [sum(1 << side * j + i for j in range(side)) for i in range(side)]
    diagonals = [sum(1 << side * i + i for i in range(side)), sum(1 << (side - 1) * (i + 1) for i in range(side))]
    return rows + columns + diagonals


def is_square(cells: int, lines: Collection[int]) -> bool:
    """Tell whether these are the lines of a square board of side 2 or more with n in a row."""
    side = isqrt(cells)
    if side < 2 or side * side != cells or len(lines) != 2 * side + 2:
        return False
    return sorted(lines) == sorted(square_lines(side))


def square_free_sets(side: int) -> tuple[int, ...]:
    """Return for each size the number of sets of cells of a square board without a line; side > 1."""
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

    A term counts the sets of lines that cover x cells, given to one player, with the sets that cover o others, given
    to the other. For the open ones the sign is the parity of both. For the won ones a set S of the winner's lines
    counts as often as it has families of lines that share a cell, by the parity of the lines left out.
    """
    still_open: Terms = Counter()
    won: Terms = Counter()
    for lines, covered, families, ways in _sets_of_lines(side):
        sign = -ways if lines % 2 else ways
        still_open[covered, 0] += sign
        if lines:
            still_open[0, covered] += sign
            won[covered, 0] += sign * families
    # Lines of both players are disjoint only where all are rows, or all columns, or they are the two diagonals.
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

    Families with an odd number of lines count -1, with an even number +1: single lines, pairs that cross, and three or
    four lines through one cell.
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

    Rows and columns i and side - 1 - i cross in four cells, all on the diagonals: so of each such pair of rows and
    pair of columns only the numbers chosen matter. The numbers of ways by crossings are kept as digits of one integer.
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
