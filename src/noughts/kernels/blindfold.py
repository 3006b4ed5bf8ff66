"""Pairs (own marks, known marks of the opponent) of a board as numbers, and how many line-free sets lie within one.

A pair is a number in base three. Digit i is 0 where cell i is unknown, 1 where it is the player's own, 2 where it is
known to be the opponent's. A pair that follows another has a larger number. So one downward pass settles a table, and
one upward pass reachability. Masks are int64 and boards have at most 18 cells, so nothing overflows.

Where the opponent's marks are what is asked about, the first set of a pair only bars cells to them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import Boolx1, I8x1, I32x1, I64x1, I64x2, U8x1
from noughts.kernels.jit import helper, kernel

Array = npt.NDArray[Any]


class Sets(NamedTuple):
    """The masks of the lines, and tables by mask: ``ternary``, its number with digit 1; ``sizes``, its cells; ``free``
    (bool), whether it has no line. The others are int64.
    """

    lines: I64x1
    ternary: I64x1
    sizes: I64x1
    free: Boolx1


class Pairs(NamedTuple):
    """How the pairs of a board are numbered.

    ``halves``: int64 (2, 3**half), the own and the known mask of each number of half a board; ``powers``: int64, those
    of three up to that of ``cells``.
    """

    cells: int
    halves: I64x2
    powers: I64x1
    sets: Sets


@helper
def masks_of(number: int, halves: Array, half: int, shift: int) -> tuple[int, int]:
    """Return the own and the known mask of a number; `half` is 3 to the `shift`."""
    high, low = divmod(number, half)
    return halves[0, low] | halves[0, high] << shift, halves[1, low] | halves[1, high] << shift


@kernel
def fill_largest(pairs: Pairs, largest: I8x1) -> None:
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
def fill_counts(size: int, pairs: Pairs, counts: I32x1) -> None:
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
def count_canonical(pairs: Pairs, image_numbers: I64x2, reached: U8x1) -> int:
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


# Plans for a goal over the numbered pairs of a board: how few places they need, and which pairs they reach.
#
# What is called for each cell of each pair takes plain arrays rather than the records: compiled, each look into a
# record counts a reference, and tables took a quarter longer.

BAD = -1
"""Says that the goal is not certain any more."""


class PlanRules(NamedTuple):
    """The rules and the goal: ``lead`` is how many marks the opponent is ahead, the last three are 0 or 1."""

    cells: int
    lead: int
    loses_turn: int
    misere: int
    always_win: int


class Plans(NamedTuple):
    """Tables over the pairs: ``largest`` of `blindfold_pairs.fill_largest`, ``places`` of `fill_places`.

    ``threats`` remembers whether the opponent can complete a line there: 0 not asked yet, 1 no, 2 yes.
    """

    largest: I8x1
    threats: I8x1
    places: I32x1


@helper
def _completes(own: int, known: int, hidden: int, sets: Sets, largest: Array) -> bool:
    """Tell whether an opponent with `hidden` marks, `known` among them, can complete a line with the next."""
    lines, ternary, sizes, _ = sets
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


@helper
def _after_reply(
    number: int, own: int, known: int, hidden: int, game: PlanRules, sets: Sets, largest: Array, threats: Array,
    places: Array,
) -> int:  # fmt: skip
    """Return the fewest places after a reply to pair `number`, or BAD."""
    if game.misere == 0:
        if threats[number] == 0:
            threats[number] = 1 + _completes(own, known, hidden, sets, largest)
        if threats[number] == 2:
            return BAD
    if largest[number] < hidden + 1:
        return 0
    if sets.sizes[own] + hidden + 1 == game.cells:
        return BAD if game.always_win else 0
    return places[number] if places[number] > 0 else BAD


@helper
def after_call(
    number: int, cell: int, own: int, known: int, hidden: int, game: PlanRules, sets: Sets, powers: Array,
    largest: Array, threats: Array, places: Array,
) -> int:  # fmt: skip
    """Return the fewest places of a plan after a call, or BAD; the arrays are those of `Pairs` and `Plans`."""
    _, _, sizes, free = sets
    bit = 1 << cell
    total = 0
    placed, taken = number + powers[cell], number + 2 * powers[cell]
    if sizes[known] <= hidden <= largest[placed]:
        if not free[own | bit]:
            if game.misere:
                return BAD
        elif sizes[own] + 1 + hidden == game.cells:
            if game.always_win:
                return BAD
        else:
            part = _after_reply(placed, own | bit, known, hidden, game, sets, largest, threats, places)
            if part == BAD:
                return BAD
            total += part
    if sizes[known] + 1 <= hidden <= largest[taken]:
        if game.loses_turn:
            part = _after_reply(taken, own, known | bit, hidden, game, sets, largest, threats, places)
        else:
            part = places[taken] if places[taken] > 0 else BAD
        if part == BAD:
            return BAD
        total += part
    return total


@kernel
def fill_places(pairs: Pairs, game: PlanRules, plans: Plans) -> None:
    """Write for each pair at which the player can be to call the fewest places of a plan for the goal; 0 if none."""
    cells, halves, powers, sets = pairs
    sizes, free = sets.sizes, sets.free
    largest, threats, places = plans
    lead, loses = game.lead, game.loses_turn
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        own, known = masks_of(number, halves, half, shift)
        hidden = sizes[own] + lead + loses * sizes[known]
        if not free[own] or not sizes[known] <= hidden <= largest[number] or sizes[own] + hidden >= cells:
            continue
        best = 0
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            after = after_call(number, cell, own, known, hidden, game, sets, powers, largest, threats, places)
            if after != BAD and (best == 0 or after + 1 < best):
                best = after + 1
        places[number] = best


@kernel
def mark_reachable(good_only: bool, pairs: Pairs, game: PlanRules, plans: Plans, reached: U8x1) -> int:
    """Spread `reached` from the marked pairs over all calls, or over the good ones; return how many are marked."""
    cells, halves, powers, sets = pairs
    sizes, free = sets.sizes, sets.free
    largest, threats, places = plans
    lead, loses = game.lead, game.loses_turn
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    found = 0
    for number in range(powers[cells]):
        if not reached[number]:
            continue
        found += 1
        own, known = masks_of(number, halves, half, shift)
        hidden = sizes[own] + lead + loses * sizes[known]
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            if (
                good_only
                and after_call(number, cell, own, known, hidden, game, sets, powers, largest, threats, places) == BAD
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


# How often a blind player wins against random replies, over the numbered pairs of a board, in whole numbers.
#
# The largest number is a mass, at most 18! = 6.4e15, so int64 holds them all.


@helper
def factorial(number: int) -> Any:
    """Return the number of orders of so many things, at most 20."""
    product = np.int64(1)
    for i in range(2, number + 1):
        product *= i
    return product


@kernel
def fill_masses(
    size: int, good_only: bool, pairs: Pairs, game: PlanRules, plans: Plans, counts: I32x1, masses: I64x1
) -> None:
    """Write the masses of the pairs where the opponent has `size` marks: the sum over the possible sets of marks of
    the largest chance to win, times the factorial of the blank cells. Larger sizes must be there; not for misere.

    `counts`: those of `blindfold_pairs.fill_counts` for this size; with `good_only` the player makes good calls only.
    """
    cells, halves, powers, sets = pairs
    sizes, free = sets.sizes, sets.free
    largest, threats, places = plans
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        own, known = masks_of(number, halves, half, shift)
        hidden = sizes[own] + game.lead + game.loses_turn * sizes[known]
        if hidden != size or not free[own] or not sizes[known] <= hidden <= largest[number]:
            continue
        blanks = cells - sizes[own] - hidden
        if blanks <= 0 or (good_only and places[number] == 0):
            continue
        orders = factorial(blanks)
        origins = hidden + 1 - sizes[known]
        best = np.int64(-1)
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            if (
                good_only
                and after_call(number, cell, own, known, hidden, game, sets, powers, largest, threats, places) == BAD
            ):
                continue
            mass = np.int64(0)
            placed, taken = number + powers[cell], number + 2 * powers[cell]
            if hidden <= largest[placed]:
                if not free[own | bit]:
                    mass += counts[placed] * orders
                elif blanks > 2 and hidden + 1 <= largest[placed]:
                    mass += blanks * origins * masses[placed]
            if sizes[known] + 1 <= hidden <= largest[taken]:
                if game.loses_turn == 0:
                    mass += masses[taken]
                elif blanks > 1 and hidden + 1 <= largest[taken]:
                    mass += (origins - 1) * masses[taken]
            best = max(best, mass)
        masses[number] = best
