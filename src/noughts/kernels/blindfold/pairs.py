"""Pairs (own marks, known marks of the opponent) of a board as numbers, and how many line-free sets lie within one.

A pair is numbered in base three: digit i is 0 where cell i is unknown, 1 where it is the player's own, 2 where it is
known to be the opponent's. Whatever can follow a pair has a larger number, so one downward pass settles a table, and
one upward pass reachability. Masks are int64 and boards have at most 18 cells, so nothing overflows.

Where the opponent's marks are what is asked about, the first set of a pair only bars cells to them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.jit import helper, kernel

__all__ = ["Pairs", "Sets", "count_canonical", "fill_counts", "fill_largest", "masks_of"]

Array = npt.NDArray[Any]


class Sets(NamedTuple):
    """The masks of the lines, and tables by mask: ``ternary``, its number with digit 1; ``sizes``, its cells; ``free``
    (bool), whether it has no line. The others are int64.
    """

    lines: Array
    ternary: Array
    sizes: Array
    free: Array


class Pairs(NamedTuple):
    """How the pairs of a board are numbered.

    ``halves``: int64 (2, 3**half), the own and the known mask of each number of half a board; ``powers``: int64, those
    of three up to that of ``cells``.
    """

    cells: int
    halves: Array
    powers: Array
    sets: Sets


@helper
def masks_of(number: int, halves: Array, half: int, shift: int) -> tuple[int, int]:
    """Return the own and the known mask of a number; `half` is 3 to the `shift`."""
    high, low = divmod(number, half)
    return halves[0, low] | halves[0, high] << shift, halves[1, low] | halves[1, high] << shift


@kernel
def fill_largest(pairs: Pairs, largest: Array) -> None:
    """Write for each pair (barred, known) the size of a largest line-free set between; -1 if `known` has a line."""
    cells, halves, powers, (_, _, sizes, free) = pairs
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        barred, known = masks_of(number, halves, half, shift)
        if not free[known]:
            largest[number] = -1
            continue
        unknown = full & ~(barred | known)
        if unknown == 0:
            largest[number] = sizes[known]
            continue
        cell = sizes[(unknown & -unknown) - 1]
        largest[number] = max(largest[number + powers[cell]], largest[number + 2 * powers[cell]])


@kernel
def fill_counts(size: int, pairs: Pairs, counts: Array) -> None:
    """Write for each pair (barred, known) how many line-free sets of `size` cells lie between."""
    cells, halves, powers, (_, _, sizes, free) = pairs
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        barred, known = masks_of(number, halves, half, shift)
        unknown = full & ~(barred | known)
        if not free[known] or sizes[known] > size or sizes[known] + sizes[unknown] < size:
            counts[number] = 0
        elif sizes[known] == size:
            counts[number] = 1
        else:
            cell = sizes[(unknown & -unknown) - 1]
            counts[number] = counts[number + powers[cell]] + counts[number + 2 * powers[cell]]


@kernel
def count_canonical(pairs: Pairs, image_numbers: Array, reached: Array) -> int:
    """Return how many marked pairs have the least number of their orbit; `image_numbers[g, mask]` as `ternary`."""
    shift = pairs.cells // 2
    half = pairs.powers[shift]
    found = 0
    for number in range(pairs.powers[pairs.cells]):
        if not reached[number]:
            continue
        own, known = masks_of(number, pairs.halves, half, shift)
        least = True
        for g in range(image_numbers.shape[0]):
            if image_numbers[g, own] + 2 * image_numbers[g, known] < number:
                least = False
                break
        found += least
    return found
