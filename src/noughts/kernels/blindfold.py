"""Tables over all pairs (own marks, known marks of the opponent) of a board, for blindfold play.

A pair is numbered in base three: digit i is 0 where cell i is unknown, 1 where it is the player's own, 2 where it is
known to be the opponent's. Whatever can follow a pair has a larger number, so one downward pass settles a table, and
one upward pass reachability. Masks are int64 and boards have at most 18 cells, so nothing overflows: the largest
number is a mass, at most 18! = 6.4e15.

`shape` is (cells, lead, loses_turn, misere, always_win), the flags as 0 or 1; `halves` two int64 arrays with the own
and the known mask of each number of half a board; `powers` are the powers of three; `ternary[mask]` the number of a
mask with digit 1; `free[mask]` whether it has no line; `sizes[mask]` its cells; `lines` the masks of the lines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

__all__ = ["count_canonical", "fill_counts", "fill_largest", "fill_masses", "fill_places", "mark_reachable"]

Array = Any

_BAD = -1


@njit(cache=True, nogil=True)
def _masks(number: int, halves: Array, half: int, shift: int) -> tuple[int, int]:
    """Return the own and the known mask of a number; `half` is 3 to the `shift`."""
    high, low = divmod(number, half)
    return halves[0, low] | halves[0, high] << shift, halves[1, low] | halves[1, high] << shift


@njit(cache=True, nogil=True)
def fill_largest(cells: int, halves: Array, powers: Array, free: Array, sizes: Array, largest: Array) -> None:
    """Write for each pair (barred, known) the size of a largest line-free set between; -1 if `known` has a line."""
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        barred, known = _masks(number, halves, half, shift)
        if not free[known]:
            largest[number] = -1
            continue
        unknown = full & ~(barred | known)
        if unknown == 0:
            largest[number] = sizes[known]
            continue
        cell = sizes[(unknown & -unknown) - 1]
        largest[number] = max(largest[number + powers[cell]], largest[number + 2 * powers[cell]])


@njit(cache=True, nogil=True)
def _completes(own: int, known: int, hidden: int, lines: Array, ternary: Array, sizes: Array, largest: Array) -> bool:
    """Tell whether an opponent with `hidden` marks, `known` among them, can complete a line with the next."""
    for line in lines:
        if line & own:
            continue
        rest = line & ~known
        while rest:
            last = rest & -rest
            rest ^= last
            needed = known | (line ^ last)
            if sizes[needed] <= hidden <= largest[ternary[own | last] + 2 * ternary[needed]]:
                return True
    return False


@njit(cache=True, nogil=True)
def _after_reply(
    number: int,
    own: int,
    known: int,
    hidden: int,
    shape: Array,
    tables: tuple[Array, Array, Array, Array],
    largest: Array,
    threats: Array,
    places: Array,
) -> int:
    """Return the fewest places after a reply to pair `number`, or _BAD; `threats` remembers 1 for no, 2 for yes."""
    lines, ternary, sizes, _ = tables
    if shape[3] == 0:
        if threats[number] == 0:
            threats[number] = 1 + _completes(own, known, hidden, lines, ternary, sizes, largest)
        if threats[number] == 2:
            return _BAD
    if largest[number] < hidden + 1:
        return 0
    if sizes[own] + hidden + 1 == shape[0]:
        return _BAD if shape[4] else 0
    return places[number] if places[number] > 0 else _BAD


@njit(cache=True, nogil=True)
def _after_call(
    number: int,
    cell: int,
    own: int,
    known: int,
    hidden: int,
    shape: Array,
    tables: tuple[Array, Array, Array, Array],
    powers: Array,
    largest: Array,
    threats: Array,
    places: Array,
) -> int:
    """Return the fewest places of a plan after a call, or _BAD where the goal is not certain any more."""
    _, _, sizes, free = tables
    bit = 1 << cell
    total = 0
    placed, taken = number + powers[cell], number + 2 * powers[cell]
    if sizes[known] <= hidden <= largest[placed]:
        if not free[own | bit]:
            if shape[3]:
                return _BAD
        elif sizes[own] + 1 + hidden == shape[0]:
            if shape[4]:
                return _BAD
        else:
            part = _after_reply(placed, own | bit, known, hidden, shape, tables, largest, threats, places)
            if part == _BAD:
                return _BAD
            total += part
    if sizes[known] + 1 <= hidden <= largest[taken]:
        if shape[2]:
            part = _after_reply(taken, own, known | bit, hidden, shape, tables, largest, threats, places)
        else:
            part = places[taken] if places[taken] > 0 else _BAD
        if part == _BAD:
            return _BAD
        total += part
    return total


@njit(cache=True, nogil=True)
def fill_places(
    shape: Array,
    halves: Array,
    powers: Array,
    tables: tuple[Array, Array, Array, Array],
    largest: Array,
    threats: Array,
    places: Array,
) -> None:
    """Write for each pair at which the player can be to call the fewest places of a plan for the goal; 0 if none."""
    _, _, sizes, free = tables
    cells, lead, loses = shape[0], shape[1], shape[2]
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        own, known = _masks(number, halves, half, shift)
        hidden = sizes[own] + lead + loses * sizes[known]
        if not free[own] or not sizes[known] <= hidden <= largest[number] or sizes[own] + hidden >= cells:
            continue
        best = 0
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            after = _after_call(number, cell, own, known, hidden, shape, tables, powers, largest, threats, places)
            if after != _BAD and (best == 0 or after + 1 < best):
                best = after + 1
        places[number] = best


@njit(cache=True, nogil=True)
def mark_reachable(
    good_only: bool,
    shape: Array,
    halves: Array,
    powers: Array,
    tables: tuple[Array, Array, Array, Array],
    largest: Array,
    threats: Array,
    places: Array,
    reached: Array,
) -> int:
    """Spread `reached` from the marked pairs over all calls, or over the good ones; return how many are marked."""
    _, _, sizes, free = tables
    cells, lead, loses = shape[0], shape[1], shape[2]
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    found = 0
    for number in range(powers[cells]):
        if not reached[number]:
            continue
        found += 1
        own, known = _masks(number, halves, half, shift)
        hidden = sizes[own] + lead + loses * sizes[known]
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            if (
                good_only
                and _after_call(number, cell, own, known, hidden, shape, tables, powers, largest, threats, places)
                == _BAD
            ):
                continue
            placed, taken = number + powers[cell], number + 2 * powers[cell]
            open_after = sizes[own] + 1 + hidden + 1 < cells
            if free[own | bit] and open_after and hidden + 1 <= largest[placed] and sizes[known] <= hidden:
                reached[placed] = 1
            if sizes[known] + 1 <= hidden <= largest[taken] and (
                loses == 0 or (hidden + 1 <= largest[taken] and sizes[own] + hidden + 1 < cells)
            ):
                reached[taken] = 1
    return found


@njit(cache=True, nogil=True)
def count_canonical(cells: int, halves: Array, powers: Array, image_numbers: Array, reached: Array) -> int:
    """Return how many marked pairs have the least number of their orbit; `image_numbers[g, mask]` as `ternary`."""
    shift = cells // 2
    half = powers[shift]
    found = 0
    for number in range(powers[cells]):
        if not reached[number]:
            continue
        own, known = _masks(number, halves, half, shift)
        least = True
        for g in range(image_numbers.shape[0]):
            if image_numbers[g, own] + 2 * image_numbers[g, known] < number:
                least = False
                break
        found += least
    return found


@njit(cache=True, nogil=True)
def fill_counts(size: int, cells: int, halves: Array, powers: Array, free: Array, sizes: Array, counts: Array) -> None:
    """Write for each pair (barred, known) how many line-free sets of `size` cells lie between."""
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        barred, known = _masks(number, halves, half, shift)
        unknown = full & ~(barred | known)
        if not free[known] or sizes[known] > size or sizes[known] + sizes[unknown] < size:
            counts[number] = 0
        elif sizes[known] == size:
            counts[number] = 1
        else:
            cell = sizes[(unknown & -unknown) - 1]
            counts[number] = counts[number + powers[cell]] + counts[number + 2 * powers[cell]]


@njit(cache=True, nogil=True)
def fill_masses(
    size: int,
    good_only: bool,
    shape: Array,
    halves: Array,
    powers: Array,
    tables: tuple[Array, Array, Array, Array],
    largest: Array,
    threats: Array,
    places: Array,
    counts: Array,
    masses: Array,
) -> None:
    """Write the masses of the pairs where the opponent has `size` marks: the sum over the possible sets of marks of
    the largest chance to win, times the factorial of the blank cells. Larger sizes must be there; not for misere.
    """
    _, _, sizes, free = tables
    cells, lead, loses = shape[0], shape[1], shape[2]
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        own, known = _masks(number, halves, half, shift)
        hidden = sizes[own] + lead + loses * sizes[known]
        if hidden != size or not free[own] or not sizes[known] <= hidden <= largest[number]:
            continue
        blanks = cells - sizes[own] - hidden
        if blanks <= 0 or (good_only and places[number] == 0):
            continue
        factorial = np.int64(1)
        for i in range(2, blanks + 1):
            factorial *= i
        origins = hidden + 1 - sizes[known]
        best = np.int64(-1)
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            if (
                good_only
                and _after_call(number, cell, own, known, hidden, shape, tables, powers, largest, threats, places)
                == _BAD
            ):
                continue
            mass = np.int64(0)
            placed, taken = number + powers[cell], number + 2 * powers[cell]
            if hidden <= largest[placed]:
                if not free[own | bit]:
                    mass += counts[placed] * factorial
                elif blanks > 2 and hidden + 1 <= largest[placed]:
                    mass += blanks * origins * masses[placed]
            if sizes[known] + 1 <= hidden <= largest[taken]:
                if loses == 0:
                    mass += masses[taken]
                elif blanks > 1 and hidden + 1 <= largest[taken]:
                    mass += (origins - 1) * masses[taken]
            best = max(best, mass)
        masses[number] = best
